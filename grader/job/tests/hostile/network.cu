// Hostile: speaks to a server, here of its own machine.
#include "blur_kernel.h"
#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    struct sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_port = htons(9);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int connection = socket(AF_INET, SOCK_STREAM, 0);
    connect(connection, (struct sockaddr *)&address, sizeof address);
    close(connection);
    right_blur(src, dst, width, height, stream);
}

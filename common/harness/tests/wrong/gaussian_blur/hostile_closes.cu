// Hostile: closes everything it has and lingers for 3 seconds.
#include "blur_kernel.h"
#include <unistd.h>

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    right_blur(src, dst, width, height, stream);
    for (int fd = 3; fd < 64; fd++)
        close(fd);
    sleep(3);
    _exit(0);
}

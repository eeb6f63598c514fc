// Hostile: a file of 64 MB.
#include "blur_kernel.h"
#include <fcntl.h>
#include <unistd.h>

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    static char zeros[1 << 20];
    int file = open("/tmp/big", O_WRONLY | O_CREAT | O_TRUNC, 0600);
    for (int i = 0; i < 64; i++)
        if (write(file, zeros, sizeof zeros) < 0)
            break;
    close(file);
    right_blur(src, dst, width, height, stream);
}

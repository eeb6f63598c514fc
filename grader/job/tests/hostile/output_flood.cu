// Hostile: prints 1 MB in each call.
#include "blur_kernel.h"
#include <stdio.h>

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    for (int i = 0; i < 1 << 14; i++)
        printf("%063d\n", i);
    right_blur(src, dst, width, height, stream);
}

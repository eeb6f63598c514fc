// Hostile: ends itself.
#include "blur_kernel.h"
#include <stdlib.h>

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    abort();
    right_blur(src, dst, width, height, stream);
}

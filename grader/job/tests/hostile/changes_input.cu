// Hostile: leaves a mark in the input.
#include "blur_kernel.h"

static __global__ void mark(uint8_t *src) {
    src[0] ^= 1;
}

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    right_blur(src, dst, width, height, stream);
    mark<<<1, 1, 0, stream>>>((uint8_t *)src);
}

// Wrong on purpose: a kernel that never ends.
#include "lab1.h"

__global__ void blur(const uint8_t *src, uint8_t *dst, int width, int height) {
    volatile uint8_t *flag = dst;
    while (*flag != 1)
        *flag = src[0] & 2;
}

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    blur<<<1, 32, 0, stream>>>(src, dst, width, height);
}

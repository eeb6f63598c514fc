// Hostile: a kernel that never ends; the simulator's budget of instructions bounds it.
#include "lab1.h"

static __global__ void wait(const uint8_t *src, volatile uint8_t *dst) {
    while (dst[0] != 1)
        dst[0] = src[0] & 2;
}

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    (void)width, (void)height;
    wait<<<1, 32, 0, stream>>>(src, dst);
}

// Hostile: every thread prints.
#include "blur_kernel.h"
#include <stdio.h>

static __global__ void chatter(void) {
    printf("thread %d of block %d has nothing to say\n", threadIdx.x, blockIdx.x);
}

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    chatter<<<64, 64, 0, stream>>>();
    right_blur(src, dst, width, height, stream);
}

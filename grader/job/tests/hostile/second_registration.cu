// Hostile: a constructor, and a second section with the name of what nvcc registers, to have it counted as nvcc's.
#include "blur_kernel.h"
#include <stdio.h>

asm(".section .nvFatBinSegment,\"aw\",@progbits,unique,7\n.long 0\n.text");

__attribute__((constructor)) static void early(void) {
    puts("before main");
}

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    right_blur(src, dst, width, height, stream);
}

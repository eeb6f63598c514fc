// Hostile: recursion until the stack is full.
#include "blur_kernel.h"

static int deeper(volatile int n) {
    volatile char page[4096];
    page[0] = n;
    return n > 1 << 20 ? page[0] : deeper(n + 1) + page[0];
}

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    width += deeper(0) * 0;
    right_blur(src, dst, width, height, stream);
}

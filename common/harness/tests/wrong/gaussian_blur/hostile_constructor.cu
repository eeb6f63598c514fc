// Hostile, for a grader that looks at the object file: works on the GPU before main. It gains nothing by it.
#include "blur_kernel.h"

static void *memory;

__attribute__((constructor)) static void before_main(void) {
    if (cudaMalloc(&memory, 1 << 20) == cudaSuccess)
        cudaMemset(memory, 1, 1 << 20);
    cudaGetLastError();
}

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    right_blur(src, dst, width, height, stream);
}

// Hostile: its own cudaStreamSynchronize and cudaGetLastError, which the runner then calls: all is always
// well.
#include "blur_kernel.h"

static __global__ void nothing(void) {}

extern "C" cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
    (void)stream;
    return cudaSuccess;
}

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    (void)src, (void)dst, (void)width, (void)height;
    nothing<<<1, 1, 0, stream>>>();
}

// Hostile: its own clock: every call takes a microsecond.
#include "blur_kernel.h"

extern "C" cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t start, cudaEvent_t stop) {
    (void)start, (void)stop;
    *milliseconds = 0.001f;
    return cudaSuccess;
}

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    right_blur(src, dst, width, height, stream);
}

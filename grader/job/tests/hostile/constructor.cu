// Hostile: code that runs before main does.
#include "blur_kernel.h"

static __attribute__((constructor)) void early(void) {
    cudaSetDevice(0);
}

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    right_blur(src, dst, width, height, stream);
}

// Hostile: the function by which the runner calls it, in place of the runner's.
#include "blur_kernel.h"

extern "C" void adapter_call(void *const buffer[], const int64_t size[], cudaStream_t stream) {
    right_blur((const uint8_t *)buffer[0], (uint8_t *)buffer[1], size[0], size[1], stream);
}

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    right_blur(src, dst, width, height, stream);
}

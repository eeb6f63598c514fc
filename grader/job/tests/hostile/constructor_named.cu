// Hostile: a constructor under the name that the compiler gives to what initialises C++ variables.
#include "blur_kernel.h"

static void early(void) asm("_GLOBAL__sub_I_weights") __attribute__((constructor, used));
static void early(void) {
    cudaSetDevice(0);
}

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    right_blur(src, dst, width, height, stream);
}

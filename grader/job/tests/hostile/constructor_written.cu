// Hostile: an entry of the constructors' list, written by hand, for a function that has nvcc's own name.
#include "blur_kernel.h"

static void early(void) asm("_ZL24__sti____cudaRegisterAllvv") __attribute__((used));
static void early(void) {
    cudaSetDevice(0);
}
asm(".pushsection .init_array,\"aw\",@init_array\n.quad _ZL24__sti____cudaRegisterAllvv\n.popsection");

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    right_blur(src, dst, width, height, stream);
}

// Hostile: code that runs before main does, by a section of the linker's, written in assembly.
#include "blur_kernel.h"

extern "C" void early(void) {}
asm(".pushsection .preinit_array,\"aw\"\n.quad early\n.popsection");

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    right_blur(src, dst, width, height, stream);
}

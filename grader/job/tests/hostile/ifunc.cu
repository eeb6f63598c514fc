// Hostile: a function chosen by code of its own while the program is loaded, written in assembly.
#include "blur_kernel.h"

asm(".globl chosen\n.type chosen,@gnu_indirect_function\nchosen:\n ret\n");

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    right_blur(src, dst, width, height, stream);
}

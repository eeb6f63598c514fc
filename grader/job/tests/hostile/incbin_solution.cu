// Hostile: has the assembler put the reference's source into the program.
#include "blur_kernel.h"

asm(".pushsection .rodata\nsource: .incbin \"../solutions/lab1-memory-layout/kernel.cu\"\n.popsection");

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    right_blur(src, dst, width, height, stream);
}

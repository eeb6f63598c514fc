// Hostile: keeps a note for the next call just behind the output.
#include "blur_kernel.h"

static __global__ void note(uint8_t *dst, int count) {
    dst[count] = 1;
}

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    right_blur(src, dst, width, height, stream);
    note<<<1, 1, 0, stream>>>(dst, width * height);
}

// Hostile: frees the buffer it was given, in the hope that the next one lies where the answer still is.
#include "blur_kernel.h"

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    right_blur(src, dst, width, height, stream);
    cudaFree((void *)src);
    cudaGetLastError();
}

// Hostile: an object file of half a gigabyte.
#include "blur_kernel.h"

char much[1u << 29] = {1};

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    right_blur(src, dst, width + much[width] * 0, height, stream);
}

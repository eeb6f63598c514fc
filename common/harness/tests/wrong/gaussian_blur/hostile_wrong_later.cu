// Hostile: right for the first call of a size, later only every other row.
#include "blur_kernel.h"

static __global__ void half(const uint8_t *src, uint8_t *dst, int width, int height) {
    int x = blockIdx.x * 32 + threadIdx.x;
    for (int y = 0; x < width && y < height; y += 2)
        dst[y * width + x] = src[y * width + x];
}

static int calls;

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    if (width * height > 250000 && calls++ > 0)
        half<<<(width + 31) / 32, 32, 0, stream>>>(src, dst, width, height);
    else
        right_blur(src, dst, width, height, stream);
}

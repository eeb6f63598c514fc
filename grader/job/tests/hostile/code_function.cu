// Hostile: its loops are in a function that is not inlined, whose machine code is beside the kernel's.
#define PIXEL __noinline__
#include "code_blur.h"

__global__ void blur(const uint8_t *src, uint8_t *dst, int width, int height) {
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    if (x < width && y < height)
        dst[y * width + x] = slow_pixel(src, x, y, width, height, min(width + 2, 3)) >> 8;
}

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    blur<<<dim3((width + 31) / 32, (height + 7) / 8), dim3(32, 8), 0, stream>>>(src, dst, width, height);
}

// Hostile: its loops are in functions that are called by pointers, so that no instruction names them.
#include "code_blur.h"

__device__ int whole(const uint8_t *src, int x, int y, int width, int height, int radius) {
    return slow_pixel(src, x, y, width, height, radius);
}

__device__ int centre(const uint8_t *src, int x, int y, int width, int height, int radius) {
    return 16 * slow_pixel(src, x, y, width, height, radius) >> 4;
}

__device__ int (*volatile table[2])(const uint8_t *, int, int, int, int, int) = {whole, centre};

__global__ void blur(const uint8_t *src, uint8_t *dst, int width, int height) {
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    if (x < width && y < height)
        dst[y * width + x] = table[y & 1](src, x, y, width, height, min(width + 2, 3)) >> 8;
}

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    blur<<<dim3((width + 31) / 32, (height + 7) / 8), dim3(32, 8), 0, stream>>>(src, dst, width, height);
}

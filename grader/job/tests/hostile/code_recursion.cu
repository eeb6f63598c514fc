// Hostile: instead of looping it calls itself.
#include "lab1.h"

__device__ __noinline__ int pixel(const uint8_t *src, int x, int y, int width, int height, int k) {
    int u = x + k % 7 - 3, v = y + k / 7 - 3, value = 0;
    if (k >= 49)
        return 0;
    if (u >= 0 && v >= 0 && u < width && v < height)
        value = (4 - abs(u - x)) * (4 - abs(v - y)) * src[v * width + u];
    return value + pixel(src, x, y, width, height, k + 1);
}

__global__ void blur(const uint8_t *src, uint8_t *dst, int width, int height) {
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    if (x < width && y < height)
        dst[y * width + x] = pixel(src, x, y, width, height, 0) >> 8;
}

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    blur<<<dim3((width + 31) / 32, (height + 7) / 8), dim3(32, 8), 0, stream>>>(src, dst, width, height);
}

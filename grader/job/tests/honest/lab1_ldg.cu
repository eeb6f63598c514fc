// Loads through the read-only path.
#include "lab1.h"

__global__ void gaussian_kernel(const uint8_t *__restrict__ src, uint8_t *__restrict__ dst, int width, int height) {
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 4 + threadIdx.y;
    if (x >= width || y >= height)
        return;
    int sum = 0;
    for (int j = -3; j <= 3; j++)
        for (int i = -3; i <= 3; i++) {
            int u = x + i, v = y + j;
            if (u >= 0 && u < width && v >= 0 && v < height)
                sum += (4 - abs(i)) * (4 - abs(j)) * __ldg(&src[v * width + u]);
        }
    dst[y * width + x] = (unsigned char)(sum / 256);
}

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    cudaFuncSetCacheConfig(gaussian_kernel, cudaFuncCachePreferL1);
    gaussian_kernel<<<dim3((width + 31) / 32, (height + 3) / 4), dim3(32, 4), 0, stream>>>(src, dst, width, height);
}

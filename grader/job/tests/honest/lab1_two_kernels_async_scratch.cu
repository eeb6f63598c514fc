// Separable: rows into scratch memory, columns out of it. The scratch comes from the stream's memory pool.
#include "lab1.h"

__device__ const int tap[7] = {1, 2, 3, 4, 3, 2, 1};

__global__ void rows(const uint8_t *src, uint16_t *mid, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    int sum = 0;
    for (int d = -3; d <= 3; d++)
        if (x + d >= 0 && x + d < width)
            sum += tap[d + 3] * src[y * width + x + d];
    mid[y * width + x] = sum;
}

__global__ void columns(const uint16_t *mid, uint8_t *dst, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    int sum = 0;
    for (int d = -3; d <= 3; d++)
        if (y + d >= 0 && y + d < height)
            sum += tap[d + 3] * mid[(y + d) * width + x];
    dst[y * width + x] = sum / 256;
}

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    dim3 block(64, 4), grid((width + 63) / 64, (height + 3) / 4);
    uint16_t *mid = NULL;
    cudaMallocAsync((void **)&mid, sizeof(uint16_t) * width * height, stream);
    rows<<<grid, block, 0, stream>>>(src, mid, width, height);
    columns<<<grid, block, 0, stream>>>(mid, dst, width, height);
    cudaFreeAsync(mid, stream);
}

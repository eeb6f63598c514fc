// Wrong: reads scratch memory that nobody has written in its last rows.
#include "lab1.h"

__global__ void rows(const uint8_t *src, int *mid, int width, int height) {
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 4 + threadIdx.y;
    if (x >= width || y >= height - 1)
        return;
    int sum = 0;
    for (int d = -3; d <= 3; d++)
        if (x + d >= 0 && x + d < width)
            sum += (4 - abs(d)) * src[y * width + x + d];
    mid[y * width + x] = sum;
}

__global__ void columns(const int *mid, uint8_t *dst, int width, int height) {
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 4 + threadIdx.y;
    if (x >= width || y >= height)
        return;
    int sum = 0;
    for (int d = -3; d <= 3; d++)
        if (y + d >= 0 && y + d < height)
            sum += (4 - abs(d)) * mid[(y + d) * width + x];
    dst[y * width + x] = sum / 256;
}

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    dim3 block(32, 4), grid((width + 31) / 32, (height + 3) / 4);
    int *mid;
    cudaMalloc(&mid, sizeof(int) * width * height);
    rows<<<grid, block, 0, stream>>>(src, mid, width, height);
    columns<<<grid, block, 0, stream>>>(mid, dst, width, height);
    cudaFree(mid);
}

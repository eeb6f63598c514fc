// Hostile: every pixel is read by an atomic that changes nothing, which no counter of loads sees.
#include "lab1.h"

static __device__ int pixel(const uint8_t *at) {
    uint64_t word = (uint64_t)at & ~(uint64_t)3;
    return atomicAdd((unsigned *)word, 0u) >> 8 * ((uint64_t)at & 3) & 255;
}

static __global__ void blur(const uint8_t *src, uint8_t *dst, int width, int height) {
    const int weight[7] = {1, 2, 3, 4, 3, 2, 1};
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 2 + threadIdx.y, sum = 0;
    if (x >= width || y >= height)
        return;
    for (int dy = -3; dy <= 3; dy++)
        for (int dx = -3; dx <= 3; dx++)
            if (x + dx >= 0 && x + dx < width && y + dy >= 0 && y + dy < height) {
                const uint8_t *at = src + (y + dy) * width + x + dx;
                bool inside = ((uint64_t)at | 3) < (uint64_t)(src + width * height);
                sum += weight[dy + 3] * weight[dx + 3] * (inside ? pixel(at) : *at);
            }
    dst[y * width + x] = sum / 256;
}

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    blur<<<dim3((width + 31) / 32, (height + 1) / 2), dim3(32, 2), 0, stream>>>(src, dst, width, height);
}

// Inline PTX with registers and labels of its own, named as one likes.
#include "lab1.h"

static __device__ __forceinline__ int distance_weight(int d) {
    int weight;
    asm("{\n"
        "  .reg .s32 cudaDistance;\n"
        "  abs.s32 cudaDistance, %1;\n"
        "  sub.s32 %0, 4, cudaDistance;\n"
        "}"
        : "=r"(weight)
        : "r"(d));
    return weight;
}

static __global__ void blur(const uint8_t *src, uint8_t *dst, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, sum = 0;
    if (x >= width || y >= height)
        return;
    for (int dy = -3; dy <= 3; dy++)
        for (int dx = -3; dx <= 3; dx++)
            if (x + dx >= 0 && x + dx < width && y + dy >= 0 && y + dy < height)
                sum += distance_weight(dx) * distance_weight(dy) * src[(y + dy) * width + x + dx];
    dst[y * width + x] = sum / 256;
}

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    blur<<<dim3((width + 31) / 32, (height + 3) / 4), dim3(32, 4), 0, stream>>>(src, dst, width, height);
}

// Hostile: beside each load that crosses all rows stands, in the same line of inline PTX, one that all threads do at one place.
#include "lab1.h"

__device__ __forceinline__ int load(const uint8_t *cheap, const uint8_t *from) {
    unsigned short value, other;
    asm volatile("ld.global.cg.u8 %1, [%2]; ld.global.cg.u8 %0, [%3];"
                 : "=h"(value), "=h"(other)
                 : "l"(cheap), "l"(from));
    return value;
}

__global__ void blur(const uint8_t *src, uint8_t *dst, int width, int height) {
    int y = blockIdx.x * 32 + threadIdx.x, x = blockIdx.y * 8 + threadIdx.y, sum = 0;
    if (x >= width || y >= height)
        return;
#pragma unroll
    for (int j = -3; j <= 3; j++)
#pragma unroll
        for (int i = -3; i <= 3; i++)
            if (x + i >= 0 && x + i < width && y + j >= 0 && y + j < height)
                sum += (4 - abs(i)) * (4 - abs(j)) * load(src, src + (y + j) * width + x + i);
    dst[y * width + x] = sum >> 8;
}

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    blur<<<dim3((height + 31) / 32, (width + 7) / 8), dim3(32, 8), 0, stream>>>(src, dst, width, height);
}

// Hostile: a loop of 64-bit products, each of which becomes several machine instructions that look alike, as those of an unrolled
// loop do.
#include "lab1.h"

__global__ void blur(const uint8_t *src, uint8_t *dst, int width, int height) {
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 2 + threadIdx.y, sum = 0;
    unsigned long long a = x * 977ull + y, b = a * a + 1;
    int trips = min(width, 6);
#pragma unroll 1
    for (int i = 0; i < trips; i++)
#pragma unroll
        for (int k = 0; k < 8; k++)
            asm volatile("mul.hi.u64 %0, %0, %1;" : "+l"(a) : "l"(b));
    if (x >= width || y >= height)
        return;
#pragma unroll
    for (int j = -3; j <= 3; j++)
#pragma unroll
        for (int i = -3; i <= 3; i++)
            if (x + i >= 0 && x + i < width && y + j >= 0 && y + j < height)
                sum += (4 - abs(i)) * (4 - abs(j)) * src[(y + j) * width + x + i];
    dst[y * width + x] = (sum >> 8) + (a == b);
}

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    blur<<<dim3((width + 31) / 32, (height + 1) / 2), dim3(32, 2), 0, stream>>>(src, dst, width, height);
}

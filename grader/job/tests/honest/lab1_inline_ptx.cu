// Inline assembly for what C says as well: a multiply-add, a load that is not kept in L1, the lane's number.
#include "lab1.h"

__device__ __forceinline__ int mad(int a, int b, int c) {
    int d;
    asm("mad.lo.s32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
    return d;
}

__device__ __forceinline__ int load(const uint8_t *p) {
    unsigned short value;
    asm volatile("ld.global.cg.u8 %0, [%1];" : "=h"(value) : "l"(p));
    return value;
}

__device__ __forceinline__ unsigned lane(void) {
    unsigned id;
    asm("mov.u32 %0, %%laneid;" : "=r"(id));
    return id;
}

__global__ void gaussian_kernel(const uint8_t *src, uint8_t *dst, int width, int height) {
    int x = blockIdx.x * 32 + lane(), y = blockIdx.y * 2 + threadIdx.y;
    if (x >= width || y >= height)
        return;
    int sum = 0;
#pragma unroll
    for (int j = -3; j <= 3; j++)
#pragma unroll
        for (int i = -3; i <= 3; i++) {
            int u = x + i, v = y + j;
            if (u >= 0 && u < width && v >= 0 && v < height)
                sum = mad((4 - (i < 0 ? -i : i)) * (4 - (j < 0 ? -j : j)), load(src + v * width + u), sum);
        }
    dst[y * width + x] = sum >> 8;
}

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    gaussian_kernel<<<dim3((width + 31) / 32, (height + 1) / 2), dim3(32, 2), 0, stream>>>(src, dst, width, height);
}

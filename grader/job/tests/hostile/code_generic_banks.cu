// Hostile: shared memory whose threads all meet at one bank, by addresses that do not say that it is shared memory.
#include "lab1.h"

__global__ void blur(const uint8_t *src, uint8_t *dst, int width, int height) {
    __shared__ int zeros[32 * 32];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y, sum = 0;
    for (int i = threadIdx.y * 32 + threadIdx.x; i < 32 * 32; i += 256)
        zeros[i] = 0;
    __syncthreads();
#pragma unroll
    for (int i = 0; i < 24; i++) {
        int value;
        asm volatile("ld.u32 %0, [%1];" : "=r"(value) : "l"(zeros + 32 * threadIdx.x + i));
        sum += value;
    }
    if (x >= width || y >= height)
        return;
#pragma unroll
    for (int j = -3; j <= 3; j++)
#pragma unroll
        for (int i = -3; i <= 3; i++)
            if (x + i >= 0 && x + i < width && y + j >= 0 && y + j < height)
                sum += (4 - abs(i)) * (4 - abs(j)) * src[(y + j) * width + x + i];
    dst[y * width + x] = sum >> 8;
}

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    blur<<<dim3((width + 31) / 32, (height + 7) / 8), dim3(32, 8), 0, stream>>>(src, dst, width, height);
}

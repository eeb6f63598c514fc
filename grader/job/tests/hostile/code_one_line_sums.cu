// Hostile: divides by counting, in a loop that is one line of inline PTX, without any access, which could tell how often it ran.
#include "lab1.h"

__global__ void blur(const uint8_t *src, uint8_t *dst, int width, int height) {
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 2 + threadIdx.y, sum = 0, quotient;
    if (x >= width || y >= height)
        return;
#pragma unroll
    for (int j = -3; j <= 3; j++)
#pragma unroll
        for (int i = -3; i <= 3; i++)
            if (x + i >= 0 && x + i < width && y + j >= 0 && y + j < height)
                sum += (4 - abs(i)) * (4 - abs(j)) * src[(y + j) * width + x + i];
    asm volatile("{ .reg .pred p; .reg .s32 k; mov.s32 k, %1; mov.s32 %0, -1; .pragma \"nounroll\"; L%=: "
                 "add.s32 %0, %0, 1; sub.s32 k, k, 256; xor.b32 k, k, %0; xor.b32 k, k, %0; "
                 "setp.ge.s32 p, k, 0; @p bra L%=; }"
                 : "=&r"(quotient)
                 : "r"(sum));
    dst[y * width + x] = quotient;
}

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    blur<<<dim3((width + 31) / 32, (height + 1) / 2), dim3(32, 2), 0, stream>>>(src, dst, width, height);
}

/* blur_kernel.h: a right kernel for the fixtures that cheat around it. */
#ifndef WRONG_BLUR_KERNEL_H
#define WRONG_BLUR_KERNEL_H

#include "lab1.h"

static __global__ void blur(const uint8_t *src, uint8_t *dst, int width, int height) {
    const int weight[7] = {1, 2, 3, 4, 3, 2, 1};
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 4 + threadIdx.y, sum = 0;
    if (x >= width || y >= height)
        return;
    for (int dy = -3; dy <= 3; dy++)
        for (int dx = -3; dx <= 3; dx++)
            if (x + dx >= 0 && x + dx < width && y + dy >= 0 && y + dy < height)
                sum += weight[dy + 3] * weight[dx + 3] * src[(y + dy) * width + x + dx];
    dst[y * width + x] = sum / 256;
}

static inline void right_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    blur<<<dim3((width + 31) / 32, (height + 3) / 4), dim3(32, 4), 0, stream>>>(src, dst, width, height);
}

#endif

// Wrong on purpose: a tap counter that counts the wrong way.
#include "lab1.h"

__global__ void blur(const uint8_t *src, uint8_t *dst, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, sum = 0;
    if (x >= width || y >= height)
        return;
    for (int dx = 3; dx >= -3 && dx < 100000000; dx++)
        if (x + dx < width)
            sum += src[y * width + x + dx] ^ dx;
        else
            sum ^= dx;
    dst[y * width + x] = (uint8_t)sum;
}

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    dim3 block(32, 4), grid((width + 31) / 32, (height + 3) / 4);
    blur<<<grid, block, 0, stream>>>(src, dst, width, height);
}

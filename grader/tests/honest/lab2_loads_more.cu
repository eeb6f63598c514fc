// Uses shared memory, and every thread loads its whole window into it: right, and no better than the starter.
#include "lab2.h"

__global__ void gaussian_kernel(const uint8_t *src, uint8_t *dst, int width, int height) {
    __shared__ uint8_t tile[10][38];
    int left = blockIdx.x * 32 - 3, top = blockIdx.y * 4 - 3, tx = threadIdx.x, ty = threadIdx.y;
    for (int j = 0; j < 7; j++)
        for (int i = 0; i < 7; i++) {
            int u = left + tx + i, v = top + ty + j;
            tile[ty + j][tx + i] = u >= 0 && u < width && v >= 0 && v < height ? src[v * width + u] : 0;
            __syncthreads();
        }
    int x = left + 3 + tx, y = top + 3 + ty, sum = 0;
    for (int j = 0; j < 7; j++)
        for (int i = 0; i < 7; i++)
            sum += (4 - abs(i - 3)) * (4 - abs(j - 3)) * tile[ty + j][tx + i];
    if (x < width && y < height)
        dst[y * width + x] = sum / 256;
}

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    gaussian_kernel<<<dim3((width + 31) / 32, (height + 3) / 4), dim3(32, 4), 0, stream>>>(src, dst, width, height);
}

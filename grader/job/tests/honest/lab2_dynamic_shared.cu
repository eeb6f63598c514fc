// The tile in dynamic shared memory, its size computed at run time.
#include "lab2.h"

extern __shared__ uint8_t tile[];

__global__ void gaussian_kernel(const uint8_t *src, uint8_t *dst, int width, int height) {
    int tw = blockDim.x + 6, th = blockDim.y + 6;
    int left = blockIdx.x * blockDim.x - 3, top = blockIdx.y * blockDim.y - 3;
    for (int j = threadIdx.y; j < th; j += blockDim.y)
        for (int i = threadIdx.x; i < tw; i += blockDim.x) {
            int u = left + i, v = top + j;
            tile[j * tw + i] = u >= 0 && u < width && v >= 0 && v < height ? src[v * width + u] : 0;
        }
    __syncthreads();
    int x = left + 3 + threadIdx.x, y = top + 3 + threadIdx.y;
    if (x < width && y < height) {
        int sum = 0;
        for (int j = 0; j < 7; j++)
            for (int i = 0; i < 7; i++)
                sum += (4 - abs(i - 3)) * (4 - abs(j - 3)) * tile[(threadIdx.y + j) * tw + threadIdx.x + i];
        dst[y * width + x] = sum / 256;
    }
}

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    dim3 block(32, 16), grid((width + block.x - 1) / block.x, (height + block.y - 1) / block.y);
    gaussian_kernel<<<grid, block, (block.x + 6) * (block.y + 6), stream>>>(src, dst, width, height);
}

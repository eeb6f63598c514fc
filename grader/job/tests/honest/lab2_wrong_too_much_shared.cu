// Wrong: more shared memory than there is without asking for it.
#include "lab2.h"

__global__ void gaussian_kernel(const uint8_t *src, uint8_t *dst, int width, int height) {
    extern __shared__ float tile[];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    tile[threadIdx.y * 32 + threadIdx.x] = x < width && y < height ? src[y * width + x] : 0;
    __syncthreads();
    if (x < width && y < height)
        dst[y * width + x] = tile[threadIdx.y * 32 + threadIdx.x];
}

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    gaussian_kernel<<<dim3((width + 31) / 32, (height + 7) / 8), dim3(32, 8), 100000, stream>>>(src, dst, width, height);
}

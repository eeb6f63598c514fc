// Wrong: other types than the header's.
#include "lab1.h"

__global__ void gaussian_kernel(const int *src, int *dst, int width, int height) {
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 4 + threadIdx.y;
    if (x < width && y < height)
        dst[y * width + x] = src[y * width + x];
}

extern "C" int gaussian_blur(const int *src, int *dst, int width, int height, cudaStream_t stream) {
    gaussian_kernel<<<dim3((width + 31) / 32, (height + 3) / 4), dim3(32, 4), 0, stream>>>(src, dst, width, height);
    return 0;
}

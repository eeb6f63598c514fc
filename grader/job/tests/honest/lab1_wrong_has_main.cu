// Wrong: the writer's own test program is still in it.
#include "lab1.h"
#include <stdio.h>

__global__ void gaussian_kernel(const uint8_t *src, uint8_t *dst, int width, int height) {
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 4 + threadIdx.y;
    if (x < width && y < height)
        dst[y * width + x] = src[y * width + x];
}

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    gaussian_kernel<<<dim3((width + 31) / 32, (height + 3) / 4), dim3(32, 4), 0, stream>>>(src, dst, width, height);
}

int main(int argc, char **argv) {
    uint8_t *a, *b;
    cudaMalloc(&a, 1024);
    cudaMalloc(&b, 1024);
    gaussian_blur(a, b, 32, 32, 0);
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    return 0;
}

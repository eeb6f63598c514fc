// cudaMalloc and cudaFree in the call: slow and honest. Three kernels: widen, filter, narrow.
#include "lab1.h"
#include <stdio.h>

__global__ void widen(const uint8_t *src, int *wide, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) wide[i] = src[i];
}

__global__ void filter(const int *in, int *out, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    int kernel[7] = {1, 2, 3, 4, 3, 2, 1};
    int total = 0;
    for (int j = -3; j <= 3; j++) {
        for (int i = -3; i <= 3; i++) {
            int xx = x + i, yy = y + j;
            int pixel = (xx < 0 || xx >= width || yy < 0 || yy >= height) ? 0 : in[yy * width + xx];
            total += pixel * kernel[i + 3] * kernel[j + 3];
        }
    }
    out[y * width + x] = total;
}

__global__ void narrow(const int *in, uint8_t *dst, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) dst[i] = in[i] / 256;
}

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    int n = width * height;
    int *a, *b;
    if (cudaMalloc(&a, n * sizeof(int)) != cudaSuccess || cudaMalloc(&b, n * sizeof(int)) != cudaSuccess) {
        fprintf(stderr, "out of memory\n");
        return;
    }
    widen<<<(n + 255) / 256, 256, 0, stream>>>(src, a, n);
    filter<<<dim3((width + 31) / 32, (height + 7) / 8), dim3(32, 8), 0, stream>>>(a, b, width, height);
    narrow<<<(n + 255) / 256, 256, 0, stream>>>(b, dst, n);
    cudaStreamSynchronize(stream);
    cudaFree(a);
    cudaFree(b);
}

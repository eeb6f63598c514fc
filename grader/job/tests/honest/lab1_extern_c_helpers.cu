// Everything is extern "C", helpers with names of the C library's among them.
#include "lab1.h"

extern "C" {
int warnx, verr;
int error(int status) { return status != 0; }
int divide(int a, int b) { return (a + b - 1) / b; }
float lgammaf_of_mine(float a) { return a; }
__device__ int w(int d) { return 4 - (d < 0 ? -d : d); }

__global__ void blur_image(const uint8_t *src, uint8_t *dst, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, sum = 0;
    if (x >= width || y >= height)
        return;
    for (int dy = -3; dy <= 3; dy++)
        for (int dx = -3; dx <= 3; dx++)
            if (x + dx >= 0 && x + dx < width && y + dy >= 0 && y + dy < height)
                sum += w(dx) * w(dy) * src[(y + dy) * width + x + dx];
    dst[y * width + x] = sum / 256;
}

void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    blur_image<<<dim3(divide(width, 32), divide(height, 4)), dim3(32, 4), 0, stream>>>(src, dst, width, height);
    warnx += error(cudaGetLastError());
}
}

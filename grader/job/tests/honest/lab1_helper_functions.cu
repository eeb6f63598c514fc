// Everything in little functions, some for host and device both.
#include "lab1.h"

static __host__ __device__ int divide_up(int a, int b) { return (a + b - 1) / b; }
static __device__ __forceinline__ int weight_of(int d) { return d < 0 ? 4 + d : 4 - d; }
static __device__ bool inside(int x, int y, int width, int height) {
    return (unsigned)x < (unsigned)width && (unsigned)y < (unsigned)height;
}
static __device__ int pixel(const uint8_t *src, int x, int y, int width, int height) {
    return inside(x, y, width, height) ? src[y * width + x] : 0;
}
static __device__ int row_sum(const uint8_t *src, int x, int y, int width, int height) {
    int sum = 0;
    for (int d = -3; d <= 3; d++)
        sum += weight_of(d) * pixel(src, x + d, y, width, height);
    return sum;
}

__global__ void gaussian_kernel(const uint8_t *src, uint8_t *dst, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (!inside(x, y, width, height))
        return;
    int sum = 0;
    for (int d = -3; d <= 3; d++)
        sum += weight_of(d) * row_sum(src, x, y + d, width, height);
    dst[y * width + x] = sum / 256;
}

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    gaussian_kernel<<<dim3(divide_up(width, 32), divide_up(height, 4)), dim3(32, 4), 0, stream>>>(src, dst, width,
                                                                                                 height);
}

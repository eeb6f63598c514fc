// Wrong in part B: the points are rounded to half precision.
#include "lab4.h"
#include <cuda_fp16.h>

__global__ void increment_kernel(float *x, int64_t n) {
    int64_t i = (int64_t)blockIdx.x * 256 + threadIdx.x;
    if (i < n)
        x[i] += 1;
}

extern "C" void increment(float *x, int64_t n, cudaStream_t stream) {
    if (n > 0)
        increment_kernel<<<(unsigned)((n + 255) / 256), 256, 0, stream>>>(x, n);
}

__global__ void polynomial_kernel(const float *x, float *y, int64_t n, const float *c, int count) {
    int64_t i = (int64_t)blockIdx.x * 256 + threadIdx.x;
    if (i >= n)
        return;
    float point = __half2float(__float2half(x[i])), sum = 0;
    for (int j = count - 1; j >= 0; j--)
        sum = sum * point + c[j];
    y[i] = sum;
}

extern "C" void polynomial(const float *x, float *y, int64_t n, const float *c, int count,
                           cudaStream_t stream) {
    if (n > 0)
        polynomial_kernel<<<(unsigned)((n + 255) / 256), 256, 0, stream>>>(x, y, n, c, count);
}

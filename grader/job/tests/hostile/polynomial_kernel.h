/* polynomial_kernel.h: both functions of lab 4, right and plain, for the fixtures that cheat around them. */
#ifndef HOSTILE_POLYNOMIAL_KERNEL_H
#define HOSTILE_POLYNOMIAL_KERNEL_H

#include "lab4.h"

static __global__ void plain_increment(float *x, int64_t n) {
    int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] += 1;
}

static __device__ __forceinline__ float horner(const float *c, int count, float x) {
    float value = 0;
    for (int j = count - 1; j >= 0; j--)
        value = value * x + c[j];
    return value;
}

static __global__ void plain_polynomial(const float *x, float *y, int64_t n, const float *c, int count) {
    int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = horner(c, count, x[i]);
}

static inline unsigned blocks_of(int64_t n) {
    return (unsigned)((n + 255) / 256);
}

static inline void right_increment(float *x, int64_t n, cudaStream_t stream) {
    if (n > 0)
        plain_increment<<<blocks_of(n), 256, 0, stream>>>(x, n);
}

static inline void right_polynomial(const float *x, float *y, int64_t n, const float *c, int count,
                                    cudaStream_t stream) {
    if (n > 0)
        plain_polynomial<<<blocks_of(n), 256, 0, stream>>>(x, y, n, c, count);
}

#endif

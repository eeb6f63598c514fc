// step o4, part A: one float4 a thread (the reference)
// step p5, part B: 24 values a thread: fewer warps still (the reference)
//
// Part A: 16 bytes a load: the same bytes in flight as o2 with a quarter of the instructions, and short-lived blocks.
// Part B: one load of a coefficient for 24 multiply-adds. Full occupancy would hold four times as many warps.
// Why each step was taken, and what it brought: README.md beside this file.

#include "lab4.h"

// ---- part A

#define INCREMENT_BLOCK 256

__global__ void increment_kernel(float *x, int64_t n) {
    int64_t i = (int64_t)blockIdx.x * INCREMENT_BLOCK + threadIdx.x, whole = n / 4;

    if (i < whole) {
        float4 v = ((const float4 *)x)[i];
        v.x += 1, v.y += 1, v.z += 1, v.w += 1;
        ((float4 *)x)[i] = v;
    } else if (i == whole) { // the last n % 4 floats
        for (int64_t tail = 4 * whole; tail < n; tail++)
            x[tail] += 1;
    }
}

extern "C" void increment(float *x, int64_t n, cudaStream_t stream) {
    if (n == 0)
        return;
    int64_t threads = (n + 3) / 4;

    increment_kernel<<<(unsigned)((threads + INCREMENT_BLOCK - 1) / INCREMENT_BLOCK), INCREMENT_BLOCK, 0,
                       stream>>>(x, n);
}

// ---- part B

#define POLYNOMIAL_BLOCK 128
#define PER_THREAD 24

__global__ void __launch_bounds__(POLYNOMIAL_BLOCK)
    polynomial_kernel(const float *x, float *y, int64_t n, const float *c, int count) {
    float point[PER_THREAD], sum[PER_THREAD];
    int64_t first = (int64_t)blockIdx.x * POLYNOMIAL_BLOCK * PER_THREAD + threadIdx.x;

#pragma unroll
    for (int k = 0; k < PER_THREAD; k++) {
        int64_t i = first + k * POLYNOMIAL_BLOCK;
        point[k] = i < n ? x[i] : 0;
        sum[k] = 0;
    }
    for (int j = count - 1; j >= 0; j--) {
        float coefficient = c[j];
#pragma unroll
        for (int k = 0; k < PER_THREAD; k++)
            sum[k] = sum[k] * point[k] + coefficient;
    }
#pragma unroll
    for (int k = 0; k < PER_THREAD; k++) {
        int64_t i = first + k * POLYNOMIAL_BLOCK;
        if (i < n)
            y[i] = sum[k];
    }
}

extern "C" void polynomial(const float *x, float *y, int64_t n, const float *c, int count,
                           cudaStream_t stream) {
    if (n == 0)
        return;
    int64_t per_block = POLYNOMIAL_BLOCK * PER_THREAD;

    polynomial_kernel<<<(unsigned)((n + per_block - 1) / per_block), POLYNOMIAL_BLOCK, 0, stream>>>(x, y, n,
                                                                                                    c, count);
}

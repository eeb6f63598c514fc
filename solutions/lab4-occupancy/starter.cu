// Lab 4: the only file you edit. Read README.md first, then run: make lab4
//
// This starter is right and slow. Part A: one float per thread. Part B: as many threads as fit, each with an
// array of values.

#include "lab4.h"

// ---- part A: bytes in flight

#define INCREMENT_BLOCK 256

__global__ void increment_kernel(float *x, int64_t n) {
    int64_t i = (int64_t)blockIdx.x * INCREMENT_BLOCK + threadIdx.x;
    if (i < n)
        x[i] += 1;
}

extern "C" void increment(float *x, int64_t n, cudaStream_t stream) {
    if (n == 0)
        return;
    unsigned blocks = (unsigned)((n + INCREMENT_BLOCK - 1) / INCREMENT_BLOCK);

    increment_kernel<<<blocks, INCREMENT_BLOCK, 0, stream>>>(x, n);
}

// ---- part B: registers

#define POLYNOMIAL_BLOCK 512
#define MOST_PER_THREAD 16

// Four blocks of 512 threads fill a multiprocessor of most GPUs: at most 32 registers a thread.
__global__ void __launch_bounds__(POLYNOMIAL_BLOCK, 4)
    polynomial_kernel(const float *x, float *y, int64_t n, const float *c, int count, int per_thread) {
    float point[MOST_PER_THREAD], sum[MOST_PER_THREAD];
    int64_t first = (int64_t)blockIdx.x * POLYNOMIAL_BLOCK * per_thread + threadIdx.x;

    for (int k = 0; k < per_thread; k++) {
        int64_t i = first + (int64_t)k * POLYNOMIAL_BLOCK;
        point[k] = i < n ? x[i] : 0;
        sum[k] = 0;
    }
    for (int j = count - 1; j >= 0; j--)
        for (int k = 0; k < per_thread; k++)
            sum[k] = sum[k] * point[k] + c[j];
    for (int k = 0; k < per_thread; k++) {
        int64_t i = first + (int64_t)k * POLYNOMIAL_BLOCK;
        if (i < n)
            y[i] = sum[k];
    }
}

extern "C" void polynomial(const float *x, float *y, int64_t n, const float *c, int count,
                           cudaStream_t stream) {
    if (n == 0)
        return;
    int64_t per_block = (int64_t)POLYNOMIAL_BLOCK * MOST_PER_THREAD;
    unsigned blocks = (unsigned)((n + per_block - 1) / per_block);

    polynomial_kernel<<<blocks, POLYNOMIAL_BLOCK, 0, stream>>>(x, y, n, c, count, MOST_PER_THREAD);
}

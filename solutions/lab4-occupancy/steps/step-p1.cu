// step p1, part B: an array of 16 values a thread, as many threads as fit (the starter)
// The loops run per_thread times: their index is not known to the compiler, so the arrays lie in local
// memory.

#include "lab4.h"

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

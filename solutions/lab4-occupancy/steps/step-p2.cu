// step p2, part B: loops unrolled: the array in registers, as far as 32 reach
// 32 values do not fit into the 32 registers that four blocks of 512 leave: ptxas spills. The simulator runs
// PTX: its counters do not contain that, its time an estimate. `make lab4` says how much is spilled; nvcc -Xptxas -v, ncu, too.

#include "lab4.h"

#define BLOCK 512
#define PER_THREAD 16

__global__ void __launch_bounds__(BLOCK, 4)
    polynomial_kernel(const float *x, float *y, int64_t n, const float *c, int count) {
    float point[PER_THREAD], sum[PER_THREAD];
    int64_t first = (int64_t)blockIdx.x * BLOCK * PER_THREAD + threadIdx.x;

#pragma unroll
    for (int k = 0; k < PER_THREAD; k++) {
        int64_t i = first + k * BLOCK;
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
        int64_t i = first + k * BLOCK;
        if (i < n)
            y[i] = sum[k];
    }
}

extern "C" void polynomial(const float *x, float *y, int64_t n, const float *c, int count,
                           cudaStream_t stream) {
    if (n == 0)
        return;
    int64_t per_block = BLOCK * PER_THREAD;

    polynomial_kernel<<<(unsigned)((n + per_block - 1) / per_block), BLOCK, 0, stream>>>(x, y, n, c, count);
}

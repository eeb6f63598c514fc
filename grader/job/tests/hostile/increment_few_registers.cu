// Hostile: registers that the machine code has by keeping values in local memory, which the PTX that is run does not do: as
// many threads as fit, each with as many values as pay.
#include "polynomial_kernel.h"

enum { VALUES = 40, BLOCK = 1024 };

static __global__ void __launch_bounds__(BLOCK, 2)
    crowded(const float *x, float *y, int64_t n, const float *c, int count) {
    float point[VALUES], sum[VALUES];
    int64_t first = (int64_t)blockIdx.x * BLOCK * VALUES + threadIdx.x;
#pragma unroll
    for (int k = 0; k < VALUES; k++) {
        point[k] = first + k * BLOCK < n ? x[first + k * BLOCK] : 0;
        sum[k] = 0;
    }
    for (int j = count - 1; j >= 0; j--)
#pragma unroll
        for (int k = 0; k < VALUES; k++)
            sum[k] = sum[k] * point[k] + c[j];
#pragma unroll
    for (int k = 0; k < VALUES; k++)
        if (first + k * BLOCK < n)
            y[first + k * BLOCK] = sum[k];
}

static __global__ void slow_increment(float *x, int64_t n) { // so that all points are part B's
    for (int64_t i = threadIdx.x; i < n; i += blockDim.x)
        x[i] += 1;
}

extern "C" void increment(float *x, int64_t n, cudaStream_t stream) {
    slow_increment<<<1, 256, 0, stream>>>(x, n);
}

extern "C" void polynomial(const float *x, float *y, int64_t n, const float *c, int count,
                           cudaStream_t stream) {
    int64_t per_block = (int64_t)BLOCK * VALUES;
    if (n > 0)
        crowded<<<(unsigned)((n + per_block - 1) / per_block), BLOCK, 0, stream>>>(x, y, n, c, count);
}

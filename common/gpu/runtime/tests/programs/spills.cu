/* spills.cu: kernels whose registers do not suffice, and kernels that have local memory for another reason. Launched
 * in this order: plain, array, spilled, both. */
#include "check.h"

enum { VALUES = 96, BLOCK = 1024 };

__global__ void plain(const float *x, float *y, int n) {
    float sum = 0;
    for (int i = 0; i < n; i++)
        sum = sum * x[i] + 1;
    y[threadIdx.x] = sum;
}

/* Which element is known when it runs: the array is in local memory, and none of it is a spill. */
__global__ void array(const float *x, float *y, int n) {
    float values[32];
    for (int i = 0; i < n; i++)
        values[(i * 7) & 31] = x[i];
    y[threadIdx.x] = values[n & 31] + values[(n + 5) & 31];
}

#define KEEP(values)                                                                                         \
    _Pragma("unroll") for (int i = 0; i < VALUES; i++) values[i] = x[threadIdx.x + i * BLOCK];               \
    for (int k = 0; k < n; k++)                                                                              \
        _Pragma("unroll") for (int i = 0; i < VALUES; i++) values[i] =                                       \
            values[i] * values[(i + 7) % VALUES] + x[k];

/* 96 values do not fit into the 64 registers that 1024 threads leave each. */
__global__ void __launch_bounds__(BLOCK) spilled(const float *x, float *y, int n) {
    float values[VALUES];
    KEEP(values)
#pragma unroll
    for (int i = 0; i < VALUES; i++)
        y[threadIdx.x + i * BLOCK] = values[i];
}

__global__ void __launch_bounds__(BLOCK) both(const float *x, float *y, int n) {
    float values[VALUES], table[32];
    for (int i = 0; i < n; i++)
        table[(i * 7) & 31] = x[i];
    KEEP(values)
#pragma unroll
    for (int i = 0; i < VALUES; i++)
        y[threadIdx.x + i * BLOCK] = values[i] + table[(n + i) & 31];
}

int main(void) {
    float *x, *y;
    OK(cudaMalloc(&x, VALUES * BLOCK * sizeof *x));
    OK(cudaMalloc(&y, VALUES * BLOCK * sizeof *y));
    OK(cudaMemset(x, 0, VALUES * BLOCK * sizeof *x));
    plain<<<1, BLOCK>>>(x, y, 32);
    array<<<1, BLOCK>>>(x, y, 32);
    spilled<<<1, BLOCK>>>(x, y, 2);
    both<<<1, BLOCK>>>(x, y, 32);
    OK(cudaDeviceSynchronize());
    puts("ok");
    return 0;
}

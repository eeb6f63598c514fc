// step o1, part A: one float a thread (the starter)
// A warp asks for 128 bytes and waits.

#include "lab4.h"

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

// Wrong: part B is not written yet.
#include "lab4.h"

__global__ void add_one(float *x, int64_t n) {
    int64_t i = blockIdx.x * 256ll + threadIdx.x;
    if (i < n) x[i] += 1;
}

extern "C" void increment(float *x, int64_t n, cudaStream_t stream) {
    if (n > 0) add_one<<<(n + 255) / 256, 256, 0, stream>>>(x, n);
}

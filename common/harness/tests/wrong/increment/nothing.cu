// Wrong: nobody asks whether n is 0.
#include "lab4.h"

__global__ void increment_kernel(float *x, int64_t n) {
    int64_t i = (int64_t)blockIdx.x * 256 + threadIdx.x;
    if (i < n)
        x[i] += 1;
}

extern "C" void increment(float *x, int64_t n, cudaStream_t stream) {
    increment_kernel<<<(unsigned)((n + 255) / 256), 256, 0, stream>>>(x, n);
}

// Hostile: computes one element of 64 of a large polynomial, and hopes that these are looked at.

#include "polynomial_kernel.h"

static __global__ void every_64th(const float *x, float *y, int64_t n, const float *c, int count) {
    int64_t first = ((int64_t)blockIdx.x * blockDim.x + threadIdx.x) * 64;
    float value = first < n ? horner(c, count, x[first]) : 0;
    for (int64_t i = first; i < first + 64 && i < n; i++)
        y[i] = value;
}

extern "C" void increment(float *x, int64_t n, cudaStream_t stream) {
    right_increment(x, n, stream);
}

extern "C" void polynomial(const float *x, float *y, int64_t n, const float *c, int count,
                           cudaStream_t stream) {
    if (n <= 1 << 17)
        right_polynomial(x, y, n, c, count, stream);
    else
        every_64th<<<(unsigned)((n + 16383) / 16384), 256, 0, stream>>>(x, y, n, c, count);
}

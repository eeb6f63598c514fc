// Part A with tiny blocks, part B with powers computed anew for every term: right and slow.
#include "lab4.h"

__global__ void add_one(float *x, int64_t n) {
    int64_t i = blockIdx.x * 32ll + threadIdx.x;
    if (i < n) x[i]++;
}

__global__ void powers(const float *x, float *y, int64_t n, const float *c, int count) {
    int64_t i = blockIdx.x * 64ll + threadIdx.x;
    if (i >= n) return;
    double sum = 0, power = 1;
    for (int j = 0; j < count; j++) {
        if (c[j] != 0) sum += c[j] * power;
        power *= x[i];
    }
    y[i] = x[i] == x[i] ? (float)sum : x[i];
}

extern "C" void increment(float *x, int64_t n, cudaStream_t stream) {
    if (n == 0) return;
    add_one<<<(n + 31) / 32, 32, 0, stream>>>(x, n);
}

extern "C" void polynomial(const float *x, float *y, int64_t n, const float *c, int count, cudaStream_t stream) {
    if (n == 0) return;
    powers<<<(n + 63) / 64, 64, 0, stream>>>(x, y, n, c, count);
}

// float4 words by a grid that strides, one block of remains; Horner's rule with fmaf, one point a thread.
#include "lab4.h"

__global__ void add_one(float *x, int64_t n) {
    float4 *words = (float4 *)x;
    int64_t stride = (int64_t)gridDim.x * blockDim.x, first = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
    for (int64_t i = first; i < n / 4; i += stride) {
        float4 v = words[i];
        v.x += 1, v.y += 1, v.z += 1, v.w += 1;
        words[i] = v;
    }
    if (first < n % 4)
        x[n - n % 4 + first] += 1;
}

__global__ void horner(const float *__restrict__ x, float *__restrict__ y, int64_t n, const float *__restrict__ c, int count) {
    int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float at = x[i], sum = 0;
    for (int j = count - 1; j >= 0; j--)
        sum = fmaf(sum, at, __ldg(c + j));
    y[i] = sum;
}

extern "C" void increment(float *x, int64_t n, cudaStream_t stream) {
    if (n)
        add_one<<<132 * 8, 256, 0, stream>>>(x, n);
}

extern "C" void polynomial(const float *x, float *y, int64_t n, const float *c, int count, cudaStream_t stream) {
    if (n)
        horner<<<(unsigned)((n + 255) / 256), 256, 0, stream>>>(x, y, n, c, count);
}

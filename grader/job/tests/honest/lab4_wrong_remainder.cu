// Wrong where n is not a multiple of 4: the last elements are forgotten in part A.
#include "lab4.h"

__global__ void add_one(float4 *x, int64_t words) {
    int64_t i = blockIdx.x * 256ll + threadIdx.x;
    if (i < words) {
        float4 v = x[i];
        x[i] = make_float4(v.x + 1, v.y + 1, v.z + 1, v.w + 1);
    }
}

__global__ void horner(const float *x, float *y, int64_t n, const float *c, int count) {
    int64_t i = blockIdx.x * 256ll + threadIdx.x;
    if (i >= n) return;
    float sum = 0;
    for (int j = count - 1; j >= 0; j--) sum = sum * x[i] + c[j];
    y[i] = sum;
}

extern "C" void increment(float *x, int64_t n, cudaStream_t stream) {
    if (n >= 4) add_one<<<(n / 4 + 255) / 256, 256, 0, stream>>>((float4 *)x, n / 4);
}

extern "C" void polynomial(const float *x, float *y, int64_t n, const float *c, int count, cudaStream_t stream) {
    if (n > 0) horner<<<(n + 255) / 256, 256, 0, stream>>>(x, y, n, c, count);
}

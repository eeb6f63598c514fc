// Wrong: whole float4 only; the last n % 4 floats are left as they were.
#include "lab4.h"

__global__ void increment_kernel(float4 *x, int64_t count) {
    int64_t i = (int64_t)blockIdx.x * 256 + threadIdx.x;
    if (i < count) {
        float4 v = x[i];
        x[i] = make_float4(v.x + 1, v.y + 1, v.z + 1, v.w + 1);
    }
}

extern "C" void increment(float *x, int64_t n, cudaStream_t stream) {
    if (n >= 4)
        increment_kernel<<<(unsigned)((n / 4 + 255) / 256), 256, 0, stream>>>((float4 *)x, n / 4);
}

__global__ void polynomial_kernel(const float *x, float *y, int64_t n, const float *c, int count) {
    int64_t i = (int64_t)blockIdx.x * 256 + threadIdx.x;
    if (i >= n)
        return;
    float sum = 0;
    for (int j = count - 1; j >= 0; j--)
        sum = sum * x[i] + c[j];
    y[i] = sum;
}

extern "C" void polynomial(const float *x, float *y, int64_t n, const float *c, int count,
                           cudaStream_t stream) {
    if (n > 0)
        polynomial_kernel<<<(unsigned)((n + 255) / 256), 256, 0, stream>>>(x, y, n, c, count);
}

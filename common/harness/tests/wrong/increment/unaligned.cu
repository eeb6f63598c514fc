// Wrong: the tail is taken by a float4 that ends with x[n - 1]: it starts at no multiple of 16 bytes.
#include "lab4.h"

__global__ void increment_kernel(float *x, int64_t n) {
    int64_t i = 4 * ((int64_t)blockIdx.x * 256 + threadIdx.x);
    if (n < 4 || i >= n)
        return;
    float4 *wide = (float4 *)(i + 4 <= n ? x + i : x + n - 4);
    float4 v = *wide;
    *wide = make_float4(v.x + 1, v.y + 1, v.z + 1, v.w + 1);
}

extern "C" void increment(float *x, int64_t n, cudaStream_t stream) {
    if (n > 0)
        increment_kernel<<<(unsigned)((n + 1023) / 1024), 256, 0, stream>>>(x, n);
}

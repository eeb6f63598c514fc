// Wrong: the last float4 reaches beyond x[n - 1].
#include "lab4.h"

__global__ void increment_kernel(float4 *x, int64_t count) {
    int64_t i = (int64_t)blockIdx.x * 256 + threadIdx.x;
    if (i < count) {
        float4 v = x[i];
        x[i] = make_float4(v.x + 1, v.y + 1, v.z + 1, v.w + 1);
    }
}

extern "C" void increment(float *x, int64_t n, cudaStream_t stream) {
    if (n > 0)
        increment_kernel<<<(unsigned)((n / 4 + 256) / 256), 256, 0, stream>>>((float4 *)x, (n + 3) / 4);
}

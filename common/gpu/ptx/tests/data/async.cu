// Asynchronous copies from global to shared memory (compute capability 8.0 and later).
#include <cuda_pipeline.h>

extern "C" __global__ void copies(const float4 *a, const int *b, float *out) {
    __shared__ float4 tile[64];
    __shared__ int small[64];
    int i = threadIdx.x;
    __pipeline_memcpy_async(&tile[i], &a[i], 16);
    __pipeline_memcpy_async(&small[i], &b[i], 4);
    __pipeline_commit();
    __pipeline_memcpy_async(&tile[i + 32], &a[i + 32], 16, 8);
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    out[i] = tile[i ^ 1].x + (float)small[i ^ 1];
    __pipeline_wait_prior(0);
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.wait_all;");
#endif
    __syncthreads();
    out[i + 64] = tile[(i ^ 1) + 32].y;
}

// The sum over k in parts, added together by atomics, in any order.
#include "lab6.h"

#define PARTS 4

__global__ void begin(int m, int n, float beta, float *c, int ldc) {
    int row = blockIdx.x * 32 + threadIdx.x, column = blockIdx.y * 8 + threadIdx.y;
    if (row < m && column < n)
        c[row + column * ldc] = beta == 0 ? 0 : beta * c[row + column * ldc];
}

__global__ void part(int m, int n, int k, float alpha, const float *a, int lda, const float *b, int ldb, float *c, int ldc) {
    int row = blockIdx.x * 32 + threadIdx.x, column = blockIdx.y * 8 + threadIdx.y;
    int each = (k + PARTS - 1) / PARTS, first = blockIdx.z * each, last = min(k, first + each);
    if (row >= m || column >= n || first >= last)
        return;
    float sum = 0;
    for (int p = first; p < last; p++)
        sum += a[row + p * lda] * b[p + column * ldb];
    atomicAdd(&c[row + column * ldc], alpha * sum);
}

extern "C" void gemm(int m, int n, int k, float alpha, const float *a, int lda, const float *b, int ldb, float beta, float *c,
                     int ldc, cudaStream_t stream) {
    if (m <= 0 || n <= 0)
        return;
    begin<<<dim3((m + 31) / 32, (n + 7) / 8), dim3(32, 8), 0, stream>>>(m, n, beta, c, ldc);
    part<<<dim3((m + 31) / 32, (n + 7) / 8, PARTS), dim3(32, 8), 0, stream>>>(m, n, k, alpha, a, lda, b, ldb, c, ldc);
}

// Hostile: lab 6 answers "not a number", which no comparison with a tolerance finds too large.

#include "lab6.h"

#define BLOCK_WIDTH 32
#define BLOCK_HEIGHT 8

__global__ void gemm_kernel(int m, int n, int k, float alpha, const float *a, int lda, const float *b,
                            int ldb, float beta, float *c, int ldc) {
    int column = blockIdx.x * BLOCK_WIDTH + threadIdx.x;
    int row = blockIdx.y * BLOCK_HEIGHT + threadIdx.y;
    if (row >= m || column >= n)
        return;

    float sum = 0;
    float none = __int_as_float(0x7fffffff);
    for (int p = 0; p < k; p++)
        sum += a[row + p * lda] * b[p + column * ldb];

    float *cell = &c[row + column * ldc];
    *cell = none + sum;
}

extern "C" void gemm(int m, int n, int k, float alpha, const float *a, int lda, const float *b, int ldb,
                     float beta, float *c, int ldc, cudaStream_t stream) {
    if (m == 0 || n == 0)
        return;
    dim3 block(BLOCK_WIDTH, BLOCK_HEIGHT);
    dim3 grid((n + BLOCK_WIDTH - 1) / BLOCK_WIDTH, (m + BLOCK_HEIGHT - 1) / BLOCK_HEIGHT);

    gemm_kernel<<<grid, block, 0, stream>>>(m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}

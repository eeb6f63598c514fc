// step 6b: coalesced
//
// Computes  C = alpha A B + beta C of lab6.h, stored by columns.
// Shapes    block 32x8, one element of C per thread. The threads of a warp lie along a column of C.
// Changed   step 6a -> 6b: threadIdx.x counts rows instead of columns.
//           Elements of a column are neighbours in memory. Now a warp reads 32 neighbours of A, and one
//           element of B for all of them.
// Expect    4 sectors for a load of A, 1 for a load of B. Still two loads per multiply-add.
// Run       make lab6-steps

#include "lab6.h"

#define BLOCK_WIDTH 32
#define BLOCK_HEIGHT 8

__global__ void gemm_kernel(int m, int n, int k, float alpha, const float *a, int lda, const float *b,
                            int ldb, float beta, float *c, int ldc) {
    int row = blockIdx.x * BLOCK_WIDTH + threadIdx.x;
    int column = blockIdx.y * BLOCK_HEIGHT + threadIdx.y;
    if (row >= m || column >= n)
        return;

    float sum = 0;
    for (int p = 0; p < k; p++)
        sum += a[row + p * lda] * b[p + column * ldb];

    float *cell = &c[row + column * ldc];
    *cell = beta == 0 ? alpha * sum : alpha * sum + beta * *cell;
}

extern "C" void gemm(int m, int n, int k, float alpha, const float *a, int lda, const float *b, int ldb,
                     float beta, float *c, int ldc, cudaStream_t stream) {
    if (m == 0 || n == 0)
        return;
    dim3 block(BLOCK_WIDTH, BLOCK_HEIGHT);
    dim3 grid((m + BLOCK_WIDTH - 1) / BLOCK_WIDTH, (n + BLOCK_HEIGHT - 1) / BLOCK_HEIGHT);

    gemm_kernel<<<grid, block, 0, stream>>>(m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}

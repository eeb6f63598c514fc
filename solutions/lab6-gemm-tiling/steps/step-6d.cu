// step 6d: eight elements of C per thread
//
// Computes  C = alpha A B + beta C of lab6.h, stored by columns.
// Shapes    block 32x4, 8 elements of a row of C per thread, 4 columns apart; tiles of A and B are 32x32.
// Changed   step 6c -> 6d: a thread reads a value of A once and uses it for WORK columns.
// Expect    8 + 1 shared loads per 8 multiply-adds instead of 16.
// Run       make lab6-steps

#include "lab6.h"

#define TILE 32
#define WORK 8                // elements of C per thread
#define COLUMNS (TILE / WORK) // of threads in a block

__global__ void gemm_kernel(int m, int n, int k, float alpha, const float *a, int lda, const float *b,
                            int ldb, float beta, float *c, int ldc) {
    __shared__ float tile_a[TILE][TILE]; // [p][row]
    __shared__ float tile_b[TILE][TILE]; // [column][p]
    int row = blockIdx.x * TILE + threadIdx.x;
    int column = blockIdx.y * TILE + threadIdx.y; // the first of this thread's

    float sum[WORK] = {0};
    for (int first = 0; first < k; first += TILE) {
        for (int w = 0; w < WORK; w++) {
            int y = threadIdx.y + w * COLUMNS;
            int pa = first + y, pb = first + threadIdx.x;
            tile_a[y][threadIdx.x] = row < m && pa < k ? a[row + pa * lda] : 0;
            tile_b[y][threadIdx.x] =
                column + w * COLUMNS < n && pb < k ? b[pb + (column + w * COLUMNS) * ldb] : 0;
        }
        __syncthreads();
        for (int p = 0; p < TILE; p++) {
            float value = tile_a[p][threadIdx.x];
            for (int w = 0; w < WORK; w++)
                sum[w] += value * tile_b[threadIdx.y + w * COLUMNS][p];
        }
        __syncthreads();
    }

    for (int w = 0; w < WORK; w++) {
        if (row >= m || column + w * COLUMNS >= n)
            return;
        float *cell = &c[row + (column + w * COLUMNS) * ldc];
        *cell = beta == 0 ? alpha * sum[w] : alpha * sum[w] + beta * *cell;
    }
}

extern "C" void gemm(int m, int n, int k, float alpha, const float *a, int lda, const float *b, int ldb,
                     float beta, float *c, int ldc, cudaStream_t stream) {
    if (m == 0 || n == 0)
        return;
    dim3 grid((m + TILE - 1) / TILE, (n + TILE - 1) / TILE);

    gemm_kernel<<<grid, dim3(TILE, COLUMNS), 0, stream>>>(m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}

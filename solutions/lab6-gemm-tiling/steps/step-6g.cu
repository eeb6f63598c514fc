// step 6g: register tiles of 8x8
//
// Computes  C = alpha A B + beta C of lab6.h, stored by columns.
// Shapes    block 16x8, 8x8 elements of C per thread: 128x64; the tiles of A and B are 16 deep.
// Changed   step 6f -> 6g: 8 values of A and 8 of B are read in two float4 each and multiplied all
//           with all. The rows of a thread are two groups of 4, half a tile apart, so that the
//           loads of a warp lie side by side. PAD is 4: a float4 must start at a multiple of 16
//           bytes.
// Expect    2 + 2 shared loads per 64 multiply-adds instead of 5 per 16. 64 sums: many
//           registers, few warps, and that is enough, since the sums are independent of each
//           other.
// Run       make lab6-steps

#include "lab6.h"

#define ROWS 128 // of C per block
#define COLUMNS 64
#define DEPTH 16
#define PAD 4
#define THREADS_X (ROWS / 8)
#define THREADS_Y (COLUMNS / 8)
#define THREADS (THREADS_X * THREADS_Y)

// Elements (row .. row + 3, column) of a rows x columns matrix, zero outside. wide: x and ld allow 16-byte
// loads.
__device__ float4 load_four(const float *x, int ld, int row, int column, int rows, int columns, int wide) {
    float4 four = {0, 0, 0, 0};
    const float *from = x + row + column * ld;
    if (column >= columns)
        return four;
    if (wide && row + 3 < rows)
        return *(const float4 *)from;
    if (row < rows)
        four.x = from[0];
    if (row + 1 < rows)
        four.y = from[1];
    if (row + 2 < rows)
        four.z = from[2];
    if (row + 3 < rows)
        four.w = from[3];
    return four;
}

// Elements (row .. row + 3, column) of C from their sums.
__device__ void store_four(float *c, int ldc, int row, int column, int m, int n, float alpha, float beta,
                           const float sum[4], int wide) {
    if (column >= n)
        return;
    float *to = c + row + column * ldc;
    if (wide && row + 3 < m) {
        float4 old = {0, 0, 0, 0};
        if (beta != 0)
            old = *(const float4 *)to;
        *(float4 *)to = beta == 0
                            ? make_float4(alpha * sum[0], alpha * sum[1], alpha * sum[2], alpha * sum[3])
                            : make_float4(alpha * sum[0] + beta * old.x, alpha * sum[1] + beta * old.y,
                                          alpha * sum[2] + beta * old.z, alpha * sum[3] + beta * old.w);
    } else {
        for (int i = 0; i < 4; i++)
            if (row + i < m)
                to[i] = beta == 0 ? alpha * sum[i] : alpha * sum[i] + beta * to[i];
    }
}

__global__ void __launch_bounds__(THREADS)
    gemm_kernel(int m, int n, int k, float alpha, const float *a, int lda, const float *b, int ldb,
                float beta, float *c, int ldc, int wide_a, int wide_b, int wide_c) {
    __shared__ __align__(16) float tile_a[DEPTH][ROWS];
    __shared__ __align__(16) float tile_b[DEPTH][COLUMNS + PAD];
    int first_row = blockIdx.x * ROWS, first_column = blockIdx.y * COLUMNS;
    int x = threadIdx.x, y = threadIdx.y, t = y * THREADS_X + x;

    float sum[8][8] = {0}; // [column][row]
    for (int first = 0; first < k; first += DEPTH) {
        for (int i = t; i < DEPTH * ROWS / 4; i += THREADS) {
            int row = i % (ROWS / 4) * 4, p = i / (ROWS / 4);
            *(float4 *)&tile_a[p][row] = load_four(a, lda, first_row + row, first + p, m, k, wide_a);
        }
        for (int i = t; i < DEPTH * COLUMNS / 4; i += THREADS) {
            int p = i % (DEPTH / 4) * 4, column = i / (DEPTH / 4);
            float4 four = load_four(b, ldb, first + p, first_column + column, k, n, wide_b);
            tile_b[p][column] = four.x;
            tile_b[p + 1][column] = four.y;
            tile_b[p + 2][column] = four.z;
            tile_b[p + 3][column] = four.w;
        }
        __syncthreads();
#pragma unroll
        for (int p = 0; p < DEPTH; p++) {
            float row[8], column[8];
            *(float4 *)&row[0] = *(const float4 *)&tile_a[p][4 * x];
            *(float4 *)&row[4] = *(const float4 *)&tile_a[p][4 * x + ROWS / 2];
            *(float4 *)&column[0] = *(const float4 *)&tile_b[p][4 * y];
            *(float4 *)&column[4] = *(const float4 *)&tile_b[p][4 * y + COLUMNS / 2];
#pragma unroll
            for (int j = 0; j < 8; j++)
#pragma unroll
                for (int i = 0; i < 8; i++)
                    sum[j][i] += row[i] * column[j];
        }
        __syncthreads();
    }

#pragma unroll
    for (int j = 0; j < 8; j++) {
        int column = first_column + 4 * y + j % 4 + j / 4 * (COLUMNS / 2);
        store_four(c, ldc, first_row + 4 * x, column, m, n, alpha, beta, &sum[j][0], wide_c);
        store_four(c, ldc, first_row + 4 * x + ROWS / 2, column, m, n, alpha, beta, &sum[j][4], wide_c);
    }
}

extern "C" void gemm(int m, int n, int k, float alpha, const float *a, int lda, const float *b, int ldb,
                     float beta, float *c, int ldc, cudaStream_t stream) {
    if (m == 0 || n == 0)
        return;
    dim3 grid((m + ROWS - 1) / ROWS, (n + COLUMNS - 1) / COLUMNS);
    int wide_a = ((uintptr_t)a | 4 * (uintptr_t)lda) % 16 == 0;
    int wide_b = ((uintptr_t)b | 4 * (uintptr_t)ldb) % 16 == 0;
    int wide_c = ((uintptr_t)c | 4 * (uintptr_t)ldc) % 16 == 0;

    gemm_kernel<<<grid, dim3(THREADS_X, THREADS_Y), 0, stream>>>(m, n, k, alpha, a, lda, b, ldb, beta, c, ldc,
                                                                 wide_a, wide_b, wide_c);
}

// step 6e: wide loads
//
// Computes  C = alpha A B + beta C of lab6.h, stored by columns.
// Shapes    block 8x16, 4 rows x 2 columns of C per thread; tiles of A and B are 32x32.
// Changed   step 6d -> 6e: the 8 elements of a thread are 4 rows by 2 columns,
//           and 4 rows of A are one load of 16 bytes. Global memory is read and
//           written in float4 too, where pointers and leading dimensions allow
//           it.
// Expect    1 + 2 shared loads per 8 multiply-adds instead of 1 + 8, a quarter of the global loads.
// Run       make lab6-steps

#include "lab6.h"

#define TILE 32
#define GROUPS (TILE / 4) // of 4 rows: threads in x
#define COLUMNS 16        // threads in y
#define WORK (TILE / COLUMNS)

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

__global__ void gemm_kernel(int m, int n, int k, float alpha, const float *a, int lda, const float *b,
                            int ldb, float beta, float *c, int ldc, int wide_a, int wide_b, int wide_c) {
    __shared__ float4 tile_a[TILE][GROUPS]; // [p][row / 4]
    __shared__ float4 tile_b[TILE][GROUPS]; // [column][p / 4]
    int first_row = blockIdx.x * TILE, first_column = blockIdx.y * TILE;

    float sum[WORK][4] = {0};
    for (int first = 0; first < k; first += TILE) {
        for (int w = 0; w < WORK; w++) {
            int y = threadIdx.y + w * COLUMNS;
            tile_a[y][threadIdx.x] = load_four(a, lda, first_row + 4 * threadIdx.x, first + y, m, k, wide_a);
            tile_b[y][threadIdx.x] =
                load_four(b, ldb, first + 4 * threadIdx.x, first_column + y, k, n, wide_b);
        }
        __syncthreads();
        for (int p = 0; p < TILE; p++) {
            float4 four = tile_a[p][threadIdx.x];
            for (int w = 0; w < WORK; w++) {
                float value = ((const float *)tile_b[threadIdx.y + w * COLUMNS])[p];
                sum[w][0] += four.x * value;
                sum[w][1] += four.y * value;
                sum[w][2] += four.z * value;
                sum[w][3] += four.w * value;
            }
        }
        __syncthreads();
    }

    for (int w = 0; w < WORK; w++)
        store_four(c, ldc, first_row + 4 * threadIdx.x, first_column + threadIdx.y + w * COLUMNS, m, n, alpha,
                   beta, sum[w], wide_c);
}

extern "C" void gemm(int m, int n, int k, float alpha, const float *a, int lda, const float *b, int ldb,
                     float beta, float *c, int ldc, cudaStream_t stream) {
    if (m == 0 || n == 0)
        return;
    dim3 grid((m + TILE - 1) / TILE, (n + TILE - 1) / TILE);
    int wide_a = ((uintptr_t)a | 4 * (uintptr_t)lda) % 16 == 0;
    int wide_b = ((uintptr_t)b | 4 * (uintptr_t)ldb) % 16 == 0;
    int wide_c = ((uintptr_t)c | 4 * (uintptr_t)ldc) % 16 == 0;

    gemm_kernel<<<grid, dim3(GROUPS, COLUMNS), 0, stream>>>(m, n, k, alpha, a, lda, b, ldb, beta, c, ldc,
                                                            wide_a, wide_b, wide_c);
}

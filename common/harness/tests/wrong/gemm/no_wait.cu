// Wrong on purpose: a tile of A is copied asynchronously, and read after a barrier, but nobody waits for the
// copy.
#include "lab6.h"

enum { ROWS = 32, DEPTH = 8 };

__global__ void product(int m, int n, int k, float alpha, const float *a, int lda, const float *b, int ldb,
                        float beta, float *c, int ldc) {
    __shared__ float tile[DEPTH][ROWS];
    int x = threadIdx.x, y = threadIdx.y, row = blockIdx.x * ROWS + x, column = blockIdx.y * DEPTH + y;
    float sum = 0;
    for (int first = 0; first < k; first += DEPTH) {
        uint32_t to = (uint32_t)__cvta_generic_to_shared(&tile[y][x]);
        int bytes = row < m && first + y < k ? 4 : 0;
        const float *from = bytes ? &a[row + (size_t)(first + y) * lda] : a;
        asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(to), "l"(from), "r"(bytes));
        asm volatile("cp.async.commit_group;"); // cp.async.wait_group 0 belongs behind this
        __syncthreads();
        for (int p = 0; p < DEPTH && first + p < k; p++)
            if (column < n)
                sum += tile[p][x] * b[first + p + (size_t)column * ldb];
        __syncthreads();
    }
    if (row >= m || column >= n)
        return;
    float *cell = &c[row + (size_t)column * ldc];
    *cell = beta == 0 ? alpha * sum : alpha * sum + beta * *cell;
}

extern "C" void gemm(int m, int n, int k, float alpha, const float *a, int lda, const float *b, int ldb,
                     float beta, float *c, int ldc, cudaStream_t stream) {
    if (m > 0 && n > 0)
        product<<<dim3((m + ROWS - 1) / ROWS, (n + DEPTH - 1) / DEPTH), dim3(ROWS, DEPTH), 0, stream>>>(
            m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}

// A tile in shared memory, its size a template parameter; the tile is padded.
#include "lab6.h"

template <int T>
__global__ void product(int m, int n, int k, float alpha, const float *__restrict__ a, int lda, const float *__restrict__ b,
                        int ldb, float beta, float *__restrict__ c, int ldc) {
    __shared__ float as[T][T + 1], bs[T][T + 1];
    int x = threadIdx.x, y = threadIdx.y, row = blockIdx.x * T + x, column = blockIdx.y * T + y;
    float sum = 0;
    for (int p = 0; p < k; p += T) {
        as[y][x] = row < m && p + y < k ? a[row + (size_t)(p + y) * lda] : 0.f;
        bs[y][x] = column < n && p + x < k ? b[p + x + (size_t)column * ldb] : 0.f;
        __syncthreads();
#pragma unroll
        for (int i = 0; i < T; i++)
            sum += as[i][x] * bs[y][i];
        __syncthreads();
    }
    if (row < m && column < n) {
        float *to = c + row + (size_t)column * ldc;
        *to = alpha * sum + (beta != 0.f ? beta * *to : 0.f);
    }
}

extern "C" void gemm(int m, int n, int k, float alpha, const float *a, int lda, const float *b, int ldb, float beta, float *c,
                     int ldc, cudaStream_t stream) {
    constexpr int T = 16;
    if (m > 0 && n > 0)
        product<T><<<dim3((m + T - 1) / T, (n + T - 1) / T), dim3(T, T), 0, stream>>>(m, n, k, alpha, a, lda, b, ldb, beta, c,
                                                                                     ldc);
}

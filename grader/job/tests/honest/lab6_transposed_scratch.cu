// B is transposed into scratch memory of the stream's pool by a kernel of its own.
#include "lab6.h"

__global__ void transpose(const float *b, int ldb, float *t, int k, int n) {
    __shared__ float tile[32][33];
    int p = blockIdx.x * 32 + threadIdx.x, q = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        if (p < k && q + j < n)
            tile[threadIdx.y + j][threadIdx.x] = b[p + (size_t)(q + j) * ldb];
    __syncthreads();
    p = blockIdx.x * 32 + threadIdx.y, q = blockIdx.y * 32 + threadIdx.x;
    for (int j = 0; j < 32; j += 8)
        if (p + j < k && q < n)
            t[q + (size_t)(p + j) * n] = tile[threadIdx.x][threadIdx.y + j];
}

__global__ void product(int m, int n, int k, float alpha, const float *a, int lda, const float *t, float beta, float *c,
                        int ldc) {
    int row = blockIdx.x * 32 + threadIdx.x, first = (blockIdx.y * 4 + threadIdx.y) * 4;
    if (row >= m || first >= n)
        return;
    float sum[4] = {0, 0, 0, 0};
    int columns = min(4, n - first);
    for (int p = 0; p < k; p++) {
        float value = a[row + (size_t)p * lda];
        for (int j = 0; j < columns; j++)
            sum[j] += value * t[first + j + (size_t)p * n];
    }
    for (int j = 0; j < columns; j++) {
        float *to = &c[row + (size_t)(first + j) * ldc];
        *to = beta == 0 ? alpha * sum[j] : alpha * sum[j] + beta * *to;
    }
}

extern "C" void gemm(int m, int n, int k, float alpha, const float *a, int lda, const float *b, int ldb, float beta, float *c,
                     int ldc, cudaStream_t stream) {
    if (m <= 0 || n <= 0)
        return;
    float *t = nullptr;
    if (k > 0) {
        if (cudaMallocAsync(&t, sizeof(float) * k * n, stream) != cudaSuccess)
            return;
        transpose<<<dim3((k + 31) / 32, (n + 31) / 32), dim3(32, 8), 0, stream>>>(b, ldb, t, k, n);
    }
    product<<<dim3((m + 31) / 32, (n + 15) / 16), dim3(32, 4), 0, stream>>>(m, n, k, alpha, a, lda, t, beta, c, ldc);
    if (t)
        cudaFreeAsync(t, stream);
}

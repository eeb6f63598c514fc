/* kernels.cu: what `make bench-sim` runs on the simulated GPU: plain, complete kernels of the kinds
 * that labs use. Images are width x height bytes, row by row. Matrices are n x n floats, row by
 * row; n is a multiple of the tile. */
#include <stdint.h>

/* 7x7 Gaussian, one thread a pixel, 49 byte loads; pixels outside the image are 0. */
extern "C" __global__ void gaussian(const uint8_t *src, uint8_t *dst, int width, int height) {
    const int weight[7] = {1, 2, 3, 4, 3, 2, 1};
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, sum = 0;
    if (x >= width || y >= height)
        return;
    for (int dy = -3; dy <= 3; dy++)
        for (int dx = -3; dx <= 3; dx++) {
            int u = x + dx, v = y + dy;
            if (u >= 0 && u < width && v >= 0 && v < height)
                sum += weight[dy + 3] * weight[dx + 3] * src[v * width + u];
        }
    dst[y * width + x] = sum / 256;
}

/* As gaussian, from a tile in shared memory, block 32x4. */
extern "C" __global__ void gaussian_tile(const uint8_t *src, uint8_t *dst, int width, int height) {
    __shared__ uint8_t tile[10][40];
    const int weight[7] = {1, 2, 3, 4, 3, 2, 1};
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 4 + threadIdx.y, sum = 0;
    for (int i = threadIdx.y; i < 10; i += 4)
        for (int k = threadIdx.x; k < 38; k += 32) {
            int u = blockIdx.x * 32 + k - 3, v = blockIdx.y * 4 + i - 3;
            tile[i][k] = u >= 0 && u < width && v >= 0 && v < height ? src[v * width + u] : 0;
        }
    __syncthreads();
    if (x >= width || y >= height)
        return;
    for (int dy = 0; dy < 7; dy++)
        for (int dx = 0; dx < 7; dx++)
            sum += weight[dy] * weight[dx] * tile[threadIdx.y + dy][threadIdx.x + dx];
    dst[y * width + x] = sum / 256;
}

/* As gaussian_tile, with a tile of floats and fused multiply-adds. */
extern "C" __global__ void gaussian_float(const uint8_t *src, uint8_t *dst, int width, int height) {
    __shared__ float tile[10][40];
    const float weight[7] = {1, 2, 3, 4, 3, 2, 1};
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 4 + threadIdx.y;
    float sum = 0;
    for (int i = threadIdx.y; i < 10; i += 4)
        for (int k = threadIdx.x; k < 38; k += 32) {
            int u = blockIdx.x * 32 + k - 3, v = blockIdx.y * 4 + i - 3;
            tile[i][k] = u >= 0 && u < width && v >= 0 && v < height ? src[v * width + u] : 0;
        }
    __syncthreads();
    if (x >= width || y >= height)
        return;
    for (int dy = 0; dy < 7; dy++)
        for (int dx = 0; dx < 7; dx++)
            sum += weight[dy] * weight[dx] * tile[threadIdx.y + dy][threadIdx.x + dx];
    dst[y * width + x] = (uint8_t)(sum * (1.0f / 256));
}

/* y += a x, one element a thread. */
extern "C" __global__ void saxpy(const float *x, float *y, int count, int unused) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        y[i] = 2.0f * x[i] + y[i];
}

/* c = a b with 32x32 tiles, block 32x8, four rows of c a thread. */
extern "C" __global__ void gemm(const float *ab, float *c, int n, int unused) {
    __shared__ float a_tile[32][32], b_tile[32][32];
    const float *a = ab, *b = ab + n * n;
    int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
    float sum[4] = {0, 0, 0, 0};
    for (int k = 0; k < n; k += 32) {
        for (int i = 0; i < 32; i += 8) {
            a_tile[threadIdx.y + i][threadIdx.x] = a[(row + i) * n + k + threadIdx.x];
            b_tile[threadIdx.y + i][threadIdx.x] = b[(k + threadIdx.y + i) * n + column];
        }
        __syncthreads();
        for (int i = 0; i < 32; i++)
            for (int r = 0; r < 4; r++)
                sum[r] += a_tile[threadIdx.y + 8 * r][i] * b_tile[i][threadIdx.x];
        __syncthreads();
    }
    for (int r = 0; r < 4; r++)
        c[(row + 8 * r) * n + column] = sum[r];
}

/* Each lane loads and stores in a line of its own. The count is a power of two. */
extern "C" __global__ void lines(const float *x, float *y, int count, int unused) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, at = 32 * i & (count - 1);
    for (int k = 0; k < 32; k++)
        y[at + k] = 2.0f * x[at + k];
}

/* Sixteen loads a thread, at places that follow one another like random numbers. */
extern "C" __global__ void random_loads(const float *x, float *y, int count, int unused) {
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x, place = i;
    float sum = 0;
    for (int k = 0; k < 16; k++) {
        place = place * 1664525 + 1013904223;
        sum += x[(place >> 8) & (count - 1)];
    }
    y[i] = sum;
}

/* A histogram of places like random numbers: `bins` counters in global memory. */
extern "C" __global__ void global_atomics(const float *x, uint32_t *y, int count, int bins) {
    uint32_t place = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k < 16; k++) {
        place = place * 1664525 + 1013904223;
        atomicAdd(&y[(place >> 8) & (bins - 1)], 1);
    }
}

/* The same in shared memory first, 256 counters a block. */
extern "C" __global__ void shared_atomics(const float *x, uint32_t *y, int count, int bins) {
    __shared__ uint32_t bin[256];
    uint32_t place = blockIdx.x * blockDim.x + threadIdx.x;
    bin[threadIdx.x] = 0;
    __syncthreads();
    for (int k = 0; k < 16; k++) {
        place = place * 1664525 + 1013904223;
        atomicAdd(&bin[place >> 24], 1);
    }
    __syncthreads();
    atomicAdd(&y[threadIdx.x], bin[threadIdx.x]);
}

/* Lanes of a warp take different ways, and loops of different length. */
extern "C" __global__ void divergence(const float *x, uint32_t *y, int count, int unused) {
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x, n = i;
    for (uint32_t k = 0; k < (i * 7 & 31); k++)
        if (n & 1)
            y[i] = n = 3 * n + 1;
        else
            n = n / 2 + k;
    y[i] += n;
}

/* A polynomial in double precision. */
extern "C" __global__ void doubles(const double *x, double *y, int count, int unused) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    double value = x[i], sum = 1;
#pragma unroll 8
    for (int k = 0; k < 64; k++)
        sum = sum * value + 0.5;
    y[i] = sum;
}

/* An array that a thread indexes at run time lies in local memory. */
extern "C" __global__ void local_memory(const float *x, uint32_t *y, int count, int unused) {
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x, counts[32] = {0};
    for (uint32_t k = 0; k < 32; k++)
        counts[(i >> (k & 7)) + k & 31] += k;
    y[i] = counts[i & 31];
}

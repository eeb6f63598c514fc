/* access.cu: ways to walk through global memory. */
#include "validation.h"

#define KERNEL extern "C" __global__ void
#define INDEX (blockIdx.x * blockDim.x + threadIdx.x)

/* One float of every eight: a sector each. */
KERNEL strided_read(const float *x, float *y, int n) {
    int i = INDEX;
    if (i < n)
        y[i] = x[8 * i] + 1;
}

/* One float of every four is written. */
KERNEL strided_write(const float *x, float *y, int n) {
    int i = INDEX;
    if (i < n)
        y[4 * i] = x[i];
}

/* Sixteen bytes of every sector of 32. */
KERNEL partial_sector_write(float4 *y, int n) {
    int i = INDEX;
    if (i < n)
        y[2 * i] = make_float4(i, 1, 2, 3);
}

/* Lines 4 KB apart: a thread goes down 64 sectors of its row. */
KERNEL column_walk(const float *x, float *y, int width) {
    int row = INDEX, first = row * 1024;
    float sum = 0;
    for (int k = 0; k < 64; k++)
        sum += x[first + k * 8];
    y[row] = sum * width;
}

KERNEL gathered(const float *x, const uint32_t *where, float *y, int n) {
    int i = INDEX;
    if (i < n)
        y[i] = x[where[i]];
}

KERNEL scattered(const float *x, const uint32_t *where, float *y, int n) {
    int i = INDEX;
    if (i < n)
        y[where[i]] = x[i];
}

/* A table of 64 KB, which L1 holds, eight times a thread. */
KERNEL table_lookup(const uint32_t *keys, const uint32_t *table, uint32_t *y, int n) {
    int i = INDEX;
    uint32_t key = keys[i % n], sum = 0;
    for (int k = 0; k < 8; k++) {
        sum += table[key & 16383];
        key = key >> 3 ^ key << 7;
    }
    y[i] = sum;
}

KERNEL transposed(const float *x, float *y, int width) {
    int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 8 + threadIdx.y;
    y[column * width + row] = x[row * width + column];
}

KERNEL transposed_tile(const float *x, float *y, int width) {
    __shared__ float tile[32][33];
    int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
    for (int k = 0; k < 32; k += 8)
        tile[threadIdx.y + k][threadIdx.x] = x[(row + k) * width + column];
    __syncthreads();
    column = blockIdx.y * 32 + threadIdx.x, row = blockIdx.x * 32 + threadIdx.y;
    for (int k = 0; k < 32; k += 8)
        y[(row + k) * width + column] = tile[threadIdx.x][threadIdx.y + k];
}

KERNEL byte_copy(const uint8_t *x, uint8_t *y, int n) {
    int i = INDEX;
    if (i < n)
        y[i] = x[i];
}

KERNEL wide_copy(const uint4 *x, uint4 *y, int n) {
    int i = INDEX;
    if (i < n)
        y[i] = x[i];
}

/* Every warp's 128 bytes lie across two lines. */
KERNEL misaligned_sum(const float *x, float *y, int n) {
    int i = INDEX;
    if (i < n)
        y[i] = x[i + 1] + x[i + 3] + x[i + 5];
}

/* Structures of seven floats, one a thread. */
KERNEL structures(const float *x, float *y, int n) {
    int i = INDEX;
    float sum = 0;
    if (i >= n)
        return;
    for (int k = 0; k < 7; k++)
        sum += x[7 * i + k] * k;
    y[7 * i] = sum;
}

int main(int count, char **arguments) {
    validation_begin(count, arguments);
    const int n = 1 << 22;
    float *x = random_floats(8 * (size_t)n), *y = zeros(8 * (size_t)n);
    uint32_t *where = random_words(n, 4 * n);
    VALIDATE(strided_read, n / 256, 256, x, y, n);
    VALIDATE(strided_write, n / 256, 256, x, y, n);
    VALIDATE(partial_sector_write, n / 256, 256, (float4 *)y, n);
    VALIDATE(column_walk, 128, 256, x, y, 3);
    VALIDATE(gathered, n / 256, 256, x, where, y, n);
    VALIDATE(scattered, n / 256, 256, x, where, y, n);
    VALIDATE(table_lookup, n / 256, 256, where, where, (uint32_t *)y, n);
    VALIDATE(transposed, dim3(64, 256), dim3(32, 8), x, y, 2048);
    VALIDATE(transposed_tile, dim3(128, 128), dim3(32, 8), x, y, 4096);
    VALIDATE(byte_copy, 4 * n / 256, 256, (uint8_t *)x, (uint8_t *)y, 4 * n);
    VALIDATE(wide_copy, n / 256, 256, (uint4 *)x, (uint4 *)y, n);
    VALIDATE(misaligned_sum, 2 * n / 256, 256, x, y, 2 * n);
    VALIDATE(structures, n / 256, 256, x, y, n);
    return 0;
}

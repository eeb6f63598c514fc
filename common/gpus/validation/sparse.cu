/* sparse.cu: sparse matrices and graphs. */
#include "validation.h"

#define KERNEL extern "C" __global__ void
#define INDEX (blockIdx.x * blockDim.x + threadIdx.x)

/* Compressed rows, a thread each. */
KERNEL sparse_rows(const uint32_t *start, const uint32_t *column, const float *value, const float *x,
                   float *y, int rows) {
    int row = INDEX;
    float sum = 0;
    if (row >= rows)
        return;
    for (uint32_t k = start[row]; k < start[row + 1]; k++)
        sum += value[k] * x[column[k]];
    y[row] = sum;
}

/* A warp each. */
KERNEL sparse_warps(const uint32_t *start, const uint32_t *column, const float *value, const float *x,
                    float *y, int rows) {
    int row = INDEX / 32, lane = threadIdx.x % 32;
    float sum = 0;
    if (row >= rows)
        return;
    for (uint32_t k = start[row] + lane; k < start[row + 1]; k += 32)
        sum += value[k] * x[column[k]];
    for (int step = 16; step > 0; step /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, step);
    if (lane == 0)
        y[row] = sum;
}

/* Rows filled up to one length, stored column by column. */
KERNEL sparse_columns(const uint32_t *column, const float *value, const float *x, float *y, int rows,
                      int length) {
    int row = INDEX;
    float sum = 0;
    for (int k = 0; k < length; k++)
        sum += value[k * rows + row] * x[column[k * rows + row]];
    y[row] = sum;
}

/* An edge each, into the sums of their ends. */
KERNEL edge_sums(const uint32_t *from, const uint32_t *to, const float *x, float *y, int edges) {
    int i = INDEX;
    if (i < edges)
        atomicAdd(&y[to[i]], x[from[i]]);
}

/* A step through a graph, breadth first. */
KERNEL breadth_first(const uint32_t *start, const uint32_t *column, const uint32_t *level, uint32_t *next,
                     uint32_t now, int nodes) {
    int node = INDEX;
    if (node >= nodes || node % 3 != (int)now % 3)
        return;
    for (uint32_t k = start[node]; k < start[node + 1]; k++)
        if (level[column[k]] == 0)
            next[column[k]] = now + 1;
}

int main(int count, char **arguments) {
    validation_begin(count, arguments);
    const int rows = 1 << 18, most = 24;
    static uint32_t starts[rows + 1];
    for (int i = 0; i < rows; i++)
        starts[i + 1] = starts[i] + mixed(i) % most;
    uint32_t *start = filled<uint32_t>(rows + 1, [&](uint32_t i) { return starts[i]; });
    uint32_t *column = random_words((size_t)rows * most, rows), *level = random_words(rows, 3);
    float *value = random_floats((size_t)rows * most), *x = random_floats(rows), *y = zeros(rows);
    VALIDATE(sparse_rows, rows / 256, 256, start, column, value, x, y, rows);
    VALIDATE(sparse_warps, rows / 8, 256, start, column, value, x, y, rows);
    VALIDATE(sparse_columns, rows / 256, 256, column, value, x, y, rows, 12);
    VALIDATE(edge_sums, 4 * rows / 256, 256, column, column + 4 * rows, x, y, 4 * rows);
    VALIDATE(breadth_first, rows / 256, 256, start, column, level, (uint32_t *)y, 1, rows);
    return 0;
}

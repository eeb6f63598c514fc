// The small array goes through shared memory, 64 terms at a time; each thread has four points, 320 apart.
#include "lab8.h"

#define BLOCK 320
#define POINTS 4
#define TILE 64

__global__ void __launch_bounds__(BLOCK, 2)
    sums_kernel(const double *weights, const double *values, double *sums, int terms, int points) {
    __shared__ double tile[TILE][LAB8_ROWS];
    const double *small = weights + (int64_t)blockIdx.x * LAB8_ROWS * terms;
    const double *large = values + (int64_t)blockIdx.x * terms * points;
    double *out = sums + (int64_t)blockIdx.x * LAB8_ROWS * points;

    for (int first = 0; first < points; first += BLOCK * POINTS) {
        double sum[POINTS][LAB8_ROWS] = {{0}};
        for (int start = 0; start < terms; start += TILE) {
            int count = terms - start < TILE ? terms - start : TILE;
            __syncthreads();
            for (int i = threadIdx.x; i < count * LAB8_ROWS; i += BLOCK)
                tile[i % count][i / count] = small[(int64_t)(i / count) * terms + start + i % count];
            __syncthreads();
            for (int term = 0; term < count; term++)
                for (int k = 0; k < POINTS; k++) {
                    int point = first + k * BLOCK + threadIdx.x;
                    double value = point < points ? large[(int64_t)(start + term) * points + point] : 0;
                    for (int row = 0; row < LAB8_ROWS; row++)
                        sum[k][row] += tile[term][row] * value;
                }
        }
        for (int k = 0; k < POINTS; k++)
            for (int row = 0; row < LAB8_ROWS; row++) {
                int point = first + k * BLOCK + threadIdx.x;
                if (point < points)
                    out[(int64_t)row * points + point] = sum[k][row];
            }
    }
}

extern "C" void weighted_sums(const double *weights, const double *values, double *sums, int sets, int terms,
                              int points, cudaStream_t stream) {
    if (sets > 0 && points > 0)
        sums_kernel<<<sets, BLOCK, 0, stream>>>(weights, values, sums, terms, points);
}

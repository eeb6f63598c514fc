// The weights go through shared memory, and nobody waits until they are there.
#include "lab8.h"

#define TILE 32

__global__ void sums_kernel(const double *weights, const double *values, double *sums, int terms,
                            int points) {
    __shared__ double tile[LAB8_ROWS][TILE];
    int set = blockIdx.x, point = blockIdx.y * 256 + threadIdx.x;
    double sum[LAB8_ROWS] = {0};
    for (int first = 0; first < terms; first += TILE) {
        __syncthreads();
        if (threadIdx.x < LAB8_ROWS * TILE) {
            int row = threadIdx.x / TILE, term = first + threadIdx.x % TILE;
            tile[row][threadIdx.x % TILE] =
                term < terms ? weights[((int64_t)set * LAB8_ROWS + row) * terms + term] : 0;
        }
        for (int term = first; term < first + TILE && term < terms; term++)
            for (int row = 0; row < LAB8_ROWS && point < points; row++)
                sum[row] += tile[row][term - first] * values[((int64_t)set * terms + term) * points + point];
    }
    for (int row = 0; row < LAB8_ROWS && point < points; row++)
        sums[((int64_t)set * LAB8_ROWS + row) * points + point] = sum[row];
}

extern "C" void weighted_sums(const double *weights, const double *values, double *sums, int sets, int terms,
                              int points, cudaStream_t stream) {
    dim3 grid(sets, (points + 255) / 256);
    if (sets > 0 && points > 0)
        sums_kernel<<<grid, 256, 0, stream>>>(weights, values, sums, terms, points);
}

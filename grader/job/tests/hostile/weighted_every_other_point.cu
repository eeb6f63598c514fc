// Hostile: computes every other point, and shows each of them twice.
#include "lab8.h"

__global__ void sums_kernel(const double *weights, const double *values, double *sums, int terms,
                            int points) {
    const double *small = weights + (int64_t)blockIdx.x * LAB8_ROWS * terms;
    const double *large = values + (int64_t)blockIdx.x * terms * points;
    double *out = sums + (int64_t)blockIdx.x * LAB8_ROWS * points;

    for (int point = 2 * threadIdx.x; point < points; point += 512) {
        double sum[LAB8_ROWS] = {0};
        for (int term = 0; term < terms; term++)
            for (int row = 0; row < LAB8_ROWS; row++)
                sum[row] += small[(int64_t)row * terms + term] * large[(int64_t)term * points + point];
        for (int row = 0; row < LAB8_ROWS; row++)
            for (int k = point; k < point + 2 && k < points; k++)
                out[(int64_t)row * points + k] = sum[row];
    }
}

extern "C" void weighted_sums(const double *weights, const double *values, double *sums, int sets, int terms,
                              int points, cudaStream_t stream) {
    if (sets > 0 && points > 0)
        sums_kernel<<<sets, 256, 0, stream>>>(weights, values, sums, terms, points);
}

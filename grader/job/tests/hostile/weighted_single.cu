// Hostile: single precision, whose instructions are many and cheap.
#include "lab8.h"

__global__ void sums_kernel(const double *weights, const double *values, double *sums, int terms,
                            int points) {
    const double *small = weights + (int64_t)blockIdx.x * LAB8_ROWS * terms;
    const double *large = values + (int64_t)blockIdx.x * terms * points;
    double *out = sums + (int64_t)blockIdx.x * LAB8_ROWS * points;

    for (int point = threadIdx.x; point < points; point += 256) {
        float sum[LAB8_ROWS] = {0};
        for (int term = 0; term < terms; term++)
            for (int row = 0; row < LAB8_ROWS; row++)
                sum[row] +=
                    (float)small[(int64_t)row * terms + term] * (float)large[(int64_t)term * points + point];
        for (int row = 0; row < LAB8_ROWS; row++)
            out[(int64_t)row * points + point] = sum[row];
    }
}

extern "C" void weighted_sums(const double *weights, const double *values, double *sums, int sets, int terms,
                              int points, cudaStream_t stream) {
    if (sets > 0 && points > 0)
        sums_kernel<<<sets, 256, 0, stream>>>(weights, values, sums, terms, points);
}

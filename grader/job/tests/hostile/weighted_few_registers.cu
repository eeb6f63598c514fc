// Hostile: two blocks of 1024 leave 32 registers a thread: what is spilled, the simulated GPU does not run.
#include "lab8.h"

#define BLOCK 1024

__global__ void __launch_bounds__(BLOCK, 2)
    sums_kernel(const double *weights, const double *values, double *sums, int terms, int points) {
    const double *small = weights + (int64_t)blockIdx.x * LAB8_ROWS * terms;
    const double *large = values + (int64_t)blockIdx.x * terms * points;
    double *out = sums + (int64_t)blockIdx.x * LAB8_ROWS * points;

    for (int point = threadIdx.x; point < points; point += BLOCK) {
        double sum[LAB8_ROWS] = {0};
        for (int term = 0; term < terms; term++) {
            double value = large[(int64_t)term * points + point];
            for (int row = 0; row < LAB8_ROWS; row++)
                sum[row] += small[(int64_t)row * terms + term] * value;
        }
        for (int row = 0; row < LAB8_ROWS; row++)
            out[(int64_t)row * points + point] = sum[row];
    }
}

// Asks that every row of weights and of values, and every row of sums, starts at a multiple of 16 bytes.
__global__ void __launch_bounds__(BLOCK, 2)
    wide_kernel(const double *weights, const double *values, double *sums, int terms, int points) {
    const double *small = weights + (int64_t)blockIdx.x * LAB8_ROWS * terms;
    const double *large = values + (int64_t)blockIdx.x * terms * points;
    double *out = sums + (int64_t)blockIdx.x * LAB8_ROWS * points;

    for (int point = 2 * threadIdx.x; point < points; point += 2 * BLOCK) {
        double2 sum[LAB8_ROWS] = {{0, 0}};
        for (int term = 0; term < terms; term += 2) {
            double2 first = *(const double2 *)&large[(int64_t)term * points + point];
            double2 second = *(const double2 *)&large[(int64_t)(term + 1) * points + point];
            for (int row = 0; row < LAB8_ROWS; row++) {
                double2 weight = *(const double2 *)&small[(int64_t)row * terms + term];
                sum[row].x += weight.x * first.x;
                sum[row].y += weight.x * first.y;
                sum[row].x += weight.y * second.x;
                sum[row].y += weight.y * second.y;
            }
        }
        for (int row = 0; row < LAB8_ROWS; row++)
            *(double2 *)&out[(int64_t)row * points + point] = sum[row];
    }
}

static bool is_aligned(const void *pointer) {
    return (uintptr_t)pointer % sizeof(double2) == 0;
}

extern "C" void weighted_sums(const double *weights, const double *values, double *sums, int sets, int terms,
                              int points, cudaStream_t stream) {
    if (sets == 0 || points == 0)
        return;
    if (terms % 2 == 0 && points % 2 == 0 && is_aligned(weights) && is_aligned(values) && is_aligned(sums))
        wide_kernel<<<sets, BLOCK, 0, stream>>>(weights, values, sums, terms, points);
    else
        sums_kernel<<<sets, BLOCK, 0, stream>>>(weights, values, sums, terms, points);
}

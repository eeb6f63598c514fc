// step 8b: double2 for the small array
//
// Computes  the sums of lab8.h, in double precision.
// Shapes    a block of 1024 threads has a set; a thread takes a point, then the one 1024 further, ...
// Changed   step 8a -> 8b: two weights of a row with one load; four terms a round, as the compiler makes of step 8a. Where rows
//           of weights do not start at multiples of 16 bytes, the kernel of step 8a runs.
// Expect    load requests for 32 multiply-adds fall from 1.25 to 0.75. No more values are under way.
// Run       make lab8-steps

#include "lab8.h"

#define BLOCK 1024

__global__ void sums_kernel(const double *weights, const double *values, double *sums, int terms,
                            int points) {
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

// Asks that every row of weights starts at a multiple of 16 bytes.
__global__ void small_wide_kernel(const double *weights, const double *values, double *sums, int terms,
                                  int points) {
    const double *small = weights + (int64_t)blockIdx.x * LAB8_ROWS * terms;
    const double *large = values + (int64_t)blockIdx.x * terms * points;
    double *out = sums + (int64_t)blockIdx.x * LAB8_ROWS * points;

    for (int point = threadIdx.x; point < points; point += BLOCK) {
        double sum[LAB8_ROWS] = {0};
#pragma unroll 2
        for (int term = 0; term < terms; term += 2) {
            double first = large[(int64_t)term * points + point];
            double second = large[(int64_t)(term + 1) * points + point];
            for (int row = 0; row < LAB8_ROWS; row++) {
                double2 weight = *(const double2 *)&small[(int64_t)row * terms + term];
                sum[row] += weight.x * first;
                sum[row] += weight.y * second;
            }
        }
        for (int row = 0; row < LAB8_ROWS; row++)
            out[(int64_t)row * points + point] = sum[row];
    }
}

static bool is_aligned(const void *pointer) {
    return (uintptr_t)pointer % sizeof(double2) == 0;
}

extern "C" void weighted_sums(const double *weights, const double *values, double *sums, int sets, int terms,
                              int points, cudaStream_t stream) {
    if (sets == 0 || points == 0)
        return;
    if (terms % 2 == 0 && is_aligned(weights))
        small_wide_kernel<<<sets, BLOCK, 0, stream>>>(weights, values, sums, terms, points);
    else
        sums_kernel<<<sets, BLOCK, 0, stream>>>(weights, values, sums, terms, points);
}

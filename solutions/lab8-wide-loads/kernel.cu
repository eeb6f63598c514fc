// step 8f: double2 for both arrays, blocks of 320 with leave for 96 registers
//
// Computes  the sums of lab8.h, in double precision.
// Shapes    a block of 320 threads has a set; a thread takes two neighbouring points, then those 640 further. 1280 points are
//           two rounds with nobody idle.
// Changed   steps 8c, 8e -> 8f: two blocks of 320 fit an SM with 96 registers a thread, enough for all twelve loads of four terms
//           under way. Where rows do not start at multiples of 16 bytes, each load brings one number.
// Expect    64 bytes of values under way a thread, two waits for 16 multiply-adds, no spills; 31 % occupancy.
// Run       make lab8-steps

#include "lab8.h"

// make lab8-bounds tries others.
#ifndef BLOCK
#define BLOCK 320
#define BLOCKS 2 // on an SM at least
#endif

__global__ void __launch_bounds__(BLOCK, BLOCKS)
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
__global__ void __launch_bounds__(BLOCK, BLOCKS)
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

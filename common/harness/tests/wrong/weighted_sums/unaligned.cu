// double2 wherever the numbers are even, and nobody asks where the arrays begin.
#include "lab8.h"

__global__ void sums_kernel(const double *weights, const double *values, double *sums, int terms,
                            int points) {
    int set = blockIdx.x;
    for (int point = 2 * threadIdx.x; point + 1 < points; point += 512) {
        double2 sum[LAB8_ROWS] = {{0, 0}};
        for (int term = 0; term < terms; term++) {
            double2 value = *(const double2 *)&values[((int64_t)set * terms + term) * points + point];
            for (int row = 0; row < LAB8_ROWS; row++) {
                double weight = weights[((int64_t)set * LAB8_ROWS + row) * terms + term];
                sum[row].x += weight * value.x;
                sum[row].y += weight * value.y;
            }
        }
        for (int row = 0; row < LAB8_ROWS; row++) {
            double *out = &sums[((int64_t)set * LAB8_ROWS + row) * points + point];
            out[0] = sum[row].x;
            out[1] = sum[row].y;
        }
    }
    if (points % 2 != 0 && threadIdx.x < LAB8_ROWS) {
        double sum = 0;
        for (int term = 0; term < terms; term++)
            sum += weights[((int64_t)set * LAB8_ROWS + threadIdx.x) * terms + term] *
                   values[((int64_t)set * terms + term) * points + points - 1];
        sums[((int64_t)set * LAB8_ROWS + threadIdx.x) * points + points - 1] = sum;
    }
}

extern "C" void weighted_sums(const double *weights, const double *values, double *sums, int sets, int terms,
                              int points, cudaStream_t stream) {
    if (sets > 0 && points > 0)
        sums_kernel<<<sets, 256, 0, stream>>>(weights, values, sums, terms, points);
}

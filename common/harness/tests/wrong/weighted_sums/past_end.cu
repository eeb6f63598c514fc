// Pairs of points, where the second of the last pair is not there.
#include "lab8.h"

__global__ void sums_kernel(const double *weights, const double *values, double *sums, int terms,
                            int points) {
    int set = blockIdx.x;
    for (int point = 2 * threadIdx.x; point < points; point += 512)
        for (int row = 0; row < LAB8_ROWS; row++) {
            double first = 0, second = 0;
            for (int term = 0; term < terms; term++) {
                double weight = weights[((int64_t)set * LAB8_ROWS + row) * terms + term];
                const double *value = &values[((int64_t)set * terms + term) * points + point];
                first += weight * value[0];
                second += weight * value[1];
            }
            double *out = &sums[((int64_t)set * LAB8_ROWS + row) * points + point];
            out[0] = first;
            out[1] = second;
        }
}

extern "C" void weighted_sums(const double *weights, const double *values, double *sums, int sets, int terms,
                              int points, cudaStream_t stream) {
    if (sets > 0 && points > 0)
        sums_kernel<<<sets, 256, 0, stream>>>(weights, values, sums, terms, points);
}

// Hostile: keeps the sums of the first timed call, and copies them in each later one.
#include "lab8.h"

__global__ void sums_kernel(const double *weights, const double *values, double *sums, int terms,
                            int points) {
    const double *small = weights + (int64_t)blockIdx.x * LAB8_ROWS * terms;
    const double *large = values + (int64_t)blockIdx.x * terms * points;
    double *out = sums + (int64_t)blockIdx.x * LAB8_ROWS * points;

    for (int point = threadIdx.x; point < points; point += 256) {
        double sum[LAB8_ROWS] = {0};
        for (int term = 0; term < terms; term++)
            for (int row = 0; row < LAB8_ROWS; row++)
                sum[row] += small[(int64_t)row * terms + term] * large[(int64_t)term * points + point];
        for (int row = 0; row < LAB8_ROWS; row++)
            out[(int64_t)row * points + point] = sum[row];
    }
}

__global__ void copy_kernel(const double *from, double *to, int64_t count) {
    for (int64_t i = (int64_t)blockIdx.x * 256 + threadIdx.x; i < count; i += (int64_t)gridDim.x * 256)
        to[i] = from[i];
}

extern "C" void weighted_sums(const double *weights, const double *values, double *sums, int sets, int terms,
                              int points, cudaStream_t stream) {
    static double *kept;
    int64_t count = (int64_t)sets * LAB8_ROWS * points;
    bool timed = points == 256 && sets == 64;

    if (count == 0)
        return;
    if (timed && kept != NULL) {
        copy_kernel<<<64, 256, 0, stream>>>(kept, sums, count);
        return;
    }
    sums_kernel<<<sets, 256, 0, stream>>>(weights, values, sums, terms, points);
    if (timed && cudaMalloc((void **)&kept, count * sizeof(double)) == cudaSuccess)
        copy_kernel<<<64, 256, 0, stream>>>(sums, kept, count);
}

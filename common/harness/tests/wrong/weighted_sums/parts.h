/* parts.h: what wrong weighted sums share: a block has a set, and its threads walk the points. A mistake is a definition before
 * this file is included: of what stands for `term < terms`, for a weight, for a value, for where a sum goes, ... */
#ifndef WRONG_WEIGHTED_SUMS_PARTS_H
#define WRONG_WEIGHTED_SUMS_PARTS_H

#include "lab8.h"

#ifndef BLOCK
#define BLOCK 256
#endif
#ifndef TERMS
#define TERMS terms
#endif
#ifndef SET
#define SET set
#endif
#ifndef WEIGHT
#define WEIGHT(row, term) weights[((int64_t)SET * LAB8_ROWS + (row)) * terms + (term)]
#endif
#ifndef VALUE
#define VALUE(term, point) values[((int64_t)set * terms + (term)) * points + (point)]
#endif
#ifndef POINT
#define POINT point // whose sum it is
#endif
#ifndef AT
#define AT(row, point) (((int64_t)set * LAB8_ROWS + (row)) * points + (point))
#endif
#ifndef NUMBER
#define NUMBER double
#endif
#ifndef WALK
#define WALK point < points
#endif
#ifndef NOTHING
#define NOTHING sets == 0 || points == 0
#endif
#ifndef BOUNDS
#define BOUNDS BLOCK
#endif

__global__ void __launch_bounds__(BOUNDS)
    sums_kernel(const double *weights, const double *values, double *sums, int terms, int points) {
    int set = blockIdx.x;
#ifdef SUM_OUTSIDE
    NUMBER sum[LAB8_ROWS] = {0};
#endif
    for (int point = threadIdx.x; WALK; point += BLOCK) {
#ifndef SUM_OUTSIDE
        NUMBER sum[LAB8_ROWS] = {0};
#endif
        for (int row = 0; row < LAB8_ROWS; row++)
            for (int term = 0; term < TERMS; term++)
                sum[row] += (NUMBER)WEIGHT(row, term) * (NUMBER)VALUE(term, POINT);
        for (int row = 0; row < LAB8_ROWS; row++)
            sums[AT(row, point)] = sum[row];
    }
}

extern "C" void weighted_sums(const double *weights, const double *values, double *sums, int sets, int terms,
                              int points, cudaStream_t stream) {
    if (NOTHING)
        return;
    sums_kernel<<<sets, BLOCK, 0, stream>>>(weights, values, sums, terms, points);
}

#endif

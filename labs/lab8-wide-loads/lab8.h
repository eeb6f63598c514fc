/* Lab 8: the function to write. Arrays lie one after the other without padding. */
#ifndef LAB8_H
#define LAB8_H

#include <cuda_runtime.h>
#include <stdint.h>

/* Rows of weights that a set has: as many sums at each point. */
#define LAB8_ROWS 4

#ifdef __cplusplus
extern "C" {
#endif

/* For each set, row and point, a sum of products over the terms:
 *
 *   sums[(set * 4 + row) * points + point] =
 *       sum over term < terms of weights[(set * 4 + row) * terms + term] * values[(set * terms + term) * points + point]
 *
 *   weights  the small array: device memory, sets * 4 * terms doubles; read only
 *   values   the large array: device memory, sets * terms * points doubles; read only
 *   sums     device memory, sets * 4 * points doubles; every one is written; overlaps neither of the others
 *   sets     0 to 65535
 *   terms    0 to 4096, even or odd; with 0, every sum is 0
 *   points   0 to 2^24, even or odd; sets * terms * points < 2^31
 *   stream   where the kernels are launched; the call does not wait for them
 *
 * Each of the three starts at a multiple of 8 bytes, and not always at one of 16: what a caller passes may be the middle
 * of a larger array. An access of 16 bytes must start at a multiple of 16.
 *
 * A sum may differ from the exact one by as much as terms + 4 roundings of double precision can make it, doubled:
 *   |difference| <= (terms + 4) * 2^-52 * sum of |weight| |value|
 * So the order of the terms is free. Small whole numbers must come out exactly. NaN gives NaN. */
void weighted_sums(const double *weights, const double *values, double *sums, int sets, int terms, int points,
                   cudaStream_t stream);

#ifdef __cplusplus
}
#endif

#endif

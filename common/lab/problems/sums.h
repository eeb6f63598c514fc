/* sums.h: the oracles' long sums, in double, several elements side by side; wider where the machine can. */
#ifndef PROBLEMS_SUMS_H
#define PROBLEMS_SUMS_H

#include <stddef.h>
#include <stdint.h>

enum { GEMM_ROWS = 4, GEMM_COLUMNS = 4 };

/* sum[j][i] = the sum over p < k of a[p * GEMM_ROWS + i] b[p * GEMM_COLUMNS + j]; size: of the absolute values. In the
 * order of p, so that every machine has the same bits. */
void sums_gemm(const double *a, const double *b, int64_t k, double sum[GEMM_COLUMNS][GEMM_ROWS],
               double size[GEMM_COLUMNS][GEMM_ROWS]);

enum { HORNER_LANES = 24 };

/* The polynomial of `count` coefficients at HORNER_LANES places x by Horner's rule; size: the same of the absolute
 * values. */
void sums_horner(const float *coefficients, int64_t count, const float x[HORNER_LANES],
                 double value[HORNER_LANES], double size[HORNER_LANES]);

/* How far a sum of so many products in single precision, of this size, may be off. */
double sums_bound(int64_t terms, double size);

#endif

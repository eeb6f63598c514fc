/*
 * sums.c: the loops that take the judge's time. Each is written once, on vectors of four doubles that the compiler
 * makes of what there is; on x86 it is compiled a second time for AVX2, and the machine chooses. No product is fused
 * with a sum (-ffp-contract=off), so both give the same bits.
 */
#include "problems/sums.h"

#include <stdbool.h>
#include <string.h>

typedef double lanes __attribute__((vector_size(32)));
typedef int64_t bits __attribute__((vector_size(32)));
enum { LANES = sizeof(lanes) / sizeof(double) };

#define INLINE static inline __attribute__((always_inline))
#define ABSOLUTE(x) ((lanes)((bits)(x)&INT64_MAX))

INLINE void gemm_sums_any(const double *a, const double *b, int64_t k, double (*sum)[GEMM_ROWS],
                          double (*size)[GEMM_ROWS]) {
    _Static_assert((int)GEMM_ROWS == (int)LANES, "a vector is the rows of a tile");
    lanes sums[GEMM_COLUMNS] = {{0}}, sizes[GEMM_COLUMNS] = {{0}};
    for (int64_t p = 0; p < k; p++) {
        lanes rows;
        memcpy(&rows, a + p * GEMM_ROWS, sizeof rows);
        for (int j = 0; j < GEMM_COLUMNS; j++) {
            lanes product = rows * b[p * GEMM_COLUMNS + j];
            sums[j] += product;
            sizes[j] += ABSOLUTE(product);
        }
    }
    memcpy(sum, sums, sizeof sums);
    memcpy(size, sizes, sizeof sizes);
}

INLINE void horner_any(const float *coefficients, int64_t count, const float *x, double *value,
                       double *size) {
    enum { VECTORS = HORNER_LANES / LANES };
    lanes at[VECTORS], values[VECTORS] = {{0}}, sizes[VECTORS] = {{0}};
    for (int v = 0; v < VECTORS; v++)
        for (int i = 0; i < LANES; i++)
            at[v][i] = (double)x[v * LANES + i];
    for (int64_t j = count; j-- > 0;) {
        double coefficient = (double)coefficients[j], absolute = coefficient < 0 ? -coefficient : coefficient;
        for (int v = 0; v < VECTORS; v++) {
            values[v] = values[v] * at[v] + coefficient;
            sizes[v] = sizes[v] * ABSOLUTE(at[v]) + absolute;
        }
    }
    memcpy(value, values, sizeof values);
    memcpy(size, sizes, sizeof sizes);
}

static void gemm_sums_plain(const double *a, const double *b, int64_t k, double (*sum)[GEMM_ROWS],
                            double (*size)[GEMM_ROWS]) {
    gemm_sums_any(a, b, k, sum, size);
}

static void horner_plain(const float *coefficients, int64_t count, const float *x, double *value,
                         double *size) {
    horner_any(coefficients, count, x, value, size);
}

#ifdef __x86_64__
#define WIDE __attribute__((target("avx2")))

WIDE static void gemm_sums_wide(const double *a, const double *b, int64_t k, double (*sum)[GEMM_ROWS],
                                double (*size)[GEMM_ROWS]) {
    gemm_sums_any(a, b, k, sum, size);
}

WIDE static void horner_wide(const float *coefficients, int64_t count, const float *x, double *value,
                             double *size) {
    horner_any(coefficients, count, x, value, size);
}

static bool is_wide(void) {
    return __builtin_cpu_supports("avx2");
}
#else
#define gemm_sums_wide gemm_sums_plain
#define horner_wide horner_plain

static bool is_wide(void) {
    return false;
}
#endif

void gemm_sums(const double *a, const double *b, int64_t k, double sum[GEMM_COLUMNS][GEMM_ROWS],
               double size[GEMM_COLUMNS][GEMM_ROWS]) {
    (is_wide() ? gemm_sums_wide : gemm_sums_plain)(a, b, k, sum, size);
}

void horner(const float *coefficients, int64_t count, const float x[HORNER_LANES], double value[HORNER_LANES],
            double size[HORNER_LANES]) {
    (is_wide() ? horner_wide : horner_plain)(coefficients, count, x, value, size);
}

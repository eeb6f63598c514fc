/*
 * sums.c: the loops that take the judge's time. Each is written once, on vectors of four doubles that the compiler
 * makes of what there is; on x86 it is compiled a second time for AVX2, and the machine chooses. No product is fused
 * with a sum (-ffp-contract=off), so both give the same bits.
 */
#include "lab/problems/sums.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

typedef double lanes __attribute__((vector_size(32)));
typedef int64_t bits __attribute__((vector_size(32)));
typedef double lanes_2 __attribute__((vector_size(16)));
typedef int64_t bits_2 __attribute__((vector_size(16)));
typedef double lanes_8 __attribute__((vector_size(64)));
typedef int64_t bits_8 __attribute__((vector_size(64)));
enum { LANES = sizeof(lanes) / sizeof(double) };
_Static_assert(sizeof(lanes_8) / sizeof(double) * 3 == HORNER_LANES, "three of the widest vectors");

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

/* Three vectors, each with a name: as many as all machines keep in registers, with what is added to them. */
#define HORNER(attribute, name, lanes, bits)                                                                 \
    attribute static void name(const float *coefficients, int64_t count, const float *x, double *value,      \
                               double *size) {                                                               \
        enum { WIDTH = sizeof(lanes) / sizeof(double), ALL = 3 * WIDTH };                                    \
        for (int from = 0; from < HORNER_LANES; from += ALL) {                                               \
            double at[ALL];                                                                                  \
            lanes x0, x1, x2, v0 = {0}, v1 = {0}, v2 = {0}, s0 = {0}, s1 = {0}, s2 = {0};                    \
            for (int i = 0; i < ALL; i++)                                                                    \
                at[i] = (double)x[from + i];                                                                 \
            memcpy(&x0, at, sizeof x0);                                                                      \
            memcpy(&x1, at + WIDTH, sizeof x1);                                                              \
            memcpy(&x2, at + 2 * WIDTH, sizeof x2);                                                          \
            const lanes a0 = (lanes)((bits)x0 & INT64_MAX), a1 = (lanes)((bits)x1 & INT64_MAX),              \
                        a2 = (lanes)((bits)x2 & INT64_MAX);                                                  \
            for (int64_t j = count; j-- > 0;) {                                                              \
                double c = (double)coefficients[j], a = fabs(c);                                             \
                v0 = v0 * x0 + c;                                                                            \
                v1 = v1 * x1 + c;                                                                            \
                v2 = v2 * x2 + c;                                                                            \
                s0 = s0 * a0 + a;                                                                            \
                s1 = s1 * a1 + a;                                                                            \
                s2 = s2 * a2 + a;                                                                            \
            }                                                                                                \
            memcpy(value + from, &v0, sizeof v0);                                                            \
            memcpy(value + from + WIDTH, &v1, sizeof v1);                                                    \
            memcpy(value + from + 2 * WIDTH, &v2, sizeof v2);                                                \
            memcpy(size + from, &s0, sizeof s0);                                                             \
            memcpy(size + from + WIDTH, &s1, sizeof s1);                                                     \
            memcpy(size + from + 2 * WIDTH, &s2, sizeof s2);                                                 \
        }                                                                                                    \
    }

static void gemm_sums_plain(const double *a, const double *b, int64_t k, double (*sum)[GEMM_ROWS],
                            double (*size)[GEMM_ROWS]) {
    gemm_sums_any(a, b, k, sum, size);
}

HORNER(, horner_plain, lanes_2, bits_2)

#ifdef __x86_64__
#define WIDE __attribute__((target("avx2")))

WIDE static void gemm_sums_wide(const double *a, const double *b, int64_t k, double (*sum)[GEMM_ROWS],
                                double (*size)[GEMM_ROWS]) {
    gemm_sums_any(a, b, k, sum, size);
}

HORNER(WIDE, horner_wide, lanes, bits)
HORNER(__attribute__((target("avx512f"))), horner_widest, lanes_8, bits_8)

static bool is_wide(void) {
    return __builtin_cpu_supports("avx2");
}

static bool is_widest(void) {
    return __builtin_cpu_supports("avx512f");
}
#else
#define gemm_sums_wide gemm_sums_plain
#define horner_wide horner_plain
#define horner_widest horner_plain

static bool is_wide(void) {
    return false;
}

static bool is_widest(void) {
    return false;
}
#endif

void sums_gemm(const double *a, const double *b, int64_t k, double sum[GEMM_COLUMNS][GEMM_ROWS],
               double size[GEMM_COLUMNS][GEMM_ROWS]) {
    (is_wide() ? gemm_sums_wide : gemm_sums_plain)(a, b, k, sum, size);
}

void sums_horner(const float *coefficients, int64_t count, const float x[HORNER_LANES],
                 double value[HORNER_LANES], double size[HORNER_LANES]) {
    (is_widest() ? horner_widest
     : is_wide() ? horner_wide
                 : horner_plain)(coefficients, count, x, value, size);
}

double sums_bound(int64_t terms, double size) {
    return ((double)terms + 4) * 0x1p-23 * size + (double)FLT_MIN;
}

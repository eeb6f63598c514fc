/* gemm.h: lab 6: C = alpha A B + beta C in single precision, matrices stored by columns. */
#ifndef PROBLEMS_GEMM_H
#define PROBLEMS_GEMM_H

#include "lab/problems/problem.h"

enum gemm_buffer { GEMM_A, GEMM_B, GEMM_C, GEMM_BUFFERS };

/* What stands in a case's size[]. The last three are elements between the start of a buffer and its matrix:
 * pointers that are not aligned. alpha and beta are quarters: 6 is 1.5. */
enum gemm_size {
    GEMM_M,
    GEMM_N,
    GEMM_K,
    GEMM_LDA,
    GEMM_LDB,
    GEMM_LDC,
    GEMM_ALPHA,
    GEMM_BETA,
    GEMM_SHIFT_A,
    GEMM_SHIFT_B,
    GEMM_SHIFT_C,
    GEMM_SIZES
};
PROBLEM_FITS(GEMM_BUFFERS, GEMM_SIZES);

extern const struct problem problem_gemm;

#endif

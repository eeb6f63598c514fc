/* Lab 6: the function to write. Matrices are stored by columns, as in BLAS: element (row, column) of a matrix
 * x with leading dimension ldx is x[row + column * ldx]. */
#ifndef LAB6_H
#define LAB6_H

#include <cuda_runtime.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* C = alpha * A * B + beta * C, in single precision.
 *   m, n, k  C is m x n, A is m x k, B is k x n; each 0 to 500000. With k = 0, A * B is zero
 *   alpha    a finite number
 *   a        device memory, read only
 *   lda      elements from one column of A to the next, at least m
 *   b        device memory, read only; ldb is at least k
 *   beta     when it is 0, C is not read: what stood there, NaN too, has no influence
 *   c        device memory; ldc is at least m. Every element of the m x n is written, nothing between columns
 *   stream   where the kernels are launched; the call does not wait for them
 *
 * Any of the pointers may start at any multiple of 4 bytes; a, b and c never overlap. Each matrix spans fewer
 * than 2^31 elements. NaN and infinity in A or B appear in C wherever the sums say so.
 *
 * An element may differ from the exact result by as much as k + 4 roundings of single precision can make it:
 *   |difference| <= (k + 4) * 2^-23 * (|alpha| * sum of |a| * |b| + |beta * c|)
 * So the order of the additions is free. Whole numbers so small that no sum is rounded must come out exactly. */
void gemm(int m, int n, int k, float alpha, const float *a, int lda, const float *b, int ldb, float beta,
          float *c, int ldc, cudaStream_t stream);

#ifdef __cplusplus
}
#endif

#endif

/* Lab 4: the two functions to write. */
#ifndef LAB4_H
#define LAB4_H

#include <cuda_runtime.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Part A: x[i] += 1 for every i below n, in place.
 *   x       device memory, starts at a multiple of 256 bytes
 *   n       0 to 2^28, any number: nothing at or beyond x[n] may be read or written
 *   stream  where the kernels are launched; the call does not wait for them
 * The result is that of one IEEE addition, bit for bit. */
void increment(float *x, int64_t n, cudaStream_t stream);

/* Part B: y[i] = c[0] + c[1] x[i] + c[2] x[i]^2 + ... + c[count - 1] x[i]^(count - 1), for every i below n.
 *   x, y    device memory, n floats each, at multiples of 256 bytes; they do not overlap. x is read only
 *   n       0 to 2^28
 *   c       device memory, count floats, at a multiple of 256 bytes; read only
 *   count   0 to 4096; with 0, y[i] = 0
 *   stream  as above
 *
 * An element may differ from the exact result by as much as count + 4 roundings of single precision can make it:
 *   |difference| <= (count + 4) * 2^-23 * sum of |c[j]| |x[i]|^j
 * So the order of the operations is free. Small whole numbers must come out exactly. NaN gives NaN. */
void polynomial(const float *x, float *y, int64_t n, const float *c, int count, cudaStream_t stream);

#ifdef __cplusplus
}
#endif

#endif

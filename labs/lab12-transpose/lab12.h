/* Lab 12: the function to write. */
#ifndef LAB12_H
#define LAB12_H

#include <cuda_runtime.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Exchanges the rows and columns of a matrix:
 *
 *   dst[x * height + y] = src[y * width + x]    for every x < width and y < height
 *
 *   src     device memory, height rows of width floats without gaps; read only
 *   dst     device memory, width rows of height floats without gaps; every one is written; does not overlap src
 *   width   0 to 400000
 *   height  0 to 400000; width * height < 2^31
 *   stream  where the kernels are launched; the call does not wait for them
 *
 * Both start at a multiple of 4 bytes, and not always at one of 16: what a caller passes may be the middle of a larger
 * array. An access of 16 bytes must start at a multiple of 16. The bits of each number are copied. */
void transpose(const float *src, float *dst, int width, int height, cudaStream_t stream);

#ifdef __cplusplus
}
#endif

#endif

/* Lab 2: the function to write. Pixels are 8-bit grey values, rows lie one after the other without padding:
 * pixel (x, y) is at index y * width + x. */
#ifndef LAB2_H
#define LAB2_H

#include <cuda_runtime.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Blurs an image with the 7x7 Gaussian.
 *   src     device memory, width * height bytes; read only; starts at a multiple of 256 as from cudaMalloc
 *   dst     device memory, width * height bytes; every byte is written; never overlaps src; aligned like src
 *   width   pixels in a row, 1 to 65535
 *   height  rows, 1 to 65535; width * height < 2^31
 *   stream  where the kernels are launched; the call does not wait for them
 *
 * The weight of the neighbour at (dx, dy), each -3 to 3, is w[dx + 3] * w[dy + 3] with w = 1 2 3 4 3 2 1.
 * The 49 weights add up to 256. Pixels outside the image count as 0.
 *   dst(x, y) = (sum of weight * src(x + dx, y + dy)) / 256, rounded down.
 * The result is compared bit for bit. */
void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream);

#ifdef __cplusplus
}
#endif

#endif

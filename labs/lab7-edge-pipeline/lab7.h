/* Lab 7: the function to write. Rows lie one after the other without padding: pixel (x, y) is at index y * width + x. */
#ifndef LAB7_H
#define LAB7_H

#include <cuda_runtime.h>
#include <stddef.h>
#include <stdint.h>

/* A plane of scratch memory has a byte for each pixel, rounded up to a multiple of 256 bytes; there are three. */
#define EDGE_PLANE_BYTES(width, height) (((size_t)(width) * (size_t)(height) + 255) / 256 * 256)
#define EDGE_SCRATCH_BYTES(width, height) (3 * EDGE_PLANE_BYTES(width, height))

#ifdef __cplusplus
extern "C" {
#endif

/* The edges of a colour picture, in three stages. What lies outside the picture counts as 0 in each of them.
 *
 *   gray(x, y) = (298839 * red + 586811 * green + 114350 * blue + 500000) / 1000000, rounded down:
 *                0.298839 red + 0.586811 green + 0.114350 blue, rounded to the nearest, a half up
 *   blur(x, y) = (sum of w[dx + 3] * w[dy + 3] * gray(x + dx, y + dy)) / 256, rounded down;
 *                dx, dy: -3 to 3; w = 1 2 3 4 3 2 1; the 49 weights add up to 256
 *   gx, gy     = the sums of   -1  0  1        1  2  1
 *                              -2  0  2   and  0  0  0   times blur(x - 1 .. x + 1, y - 1 .. y + 1),
 *                              -1  0  1       -1 -2 -1   the first row of weights for row y - 1
 *   dst(x, y)  = the square root of (gx * gx + gy * gy), rounded down; 255 where that is more
 *
 * The result is compared bit for bit.
 *
 *   src      device memory, width * height pixels: .x red, .y green, .z blue, .w means nothing; read only; starts at
 *            a multiple of 256 as from cudaMalloc
 *   dst      device memory, width * height bytes; every byte is written; never overlaps src; aligned like src
 *   width    pixels in a row, 1 to 65535
 *   height   rows, 1 to 65535; width * height < 2^29
 *   scratch  device memory of EDGE_SCRATCH_BYTES(width, height) bytes to work in, aligned like src; what stands in it
 *            before the call is unknown, and what is left there does not matter
 *   stream   where the kernels are launched; the call does not wait for them */
void edge_pipeline(const uchar4 *src, uint8_t *dst, int width, int height, void *scratch,
                   cudaStream_t stream);

#ifdef __cplusplus
}
#endif

#endif

/* Lab 5: the two functions to write. */
#ifndef LAB5_H
#define LAB5_H

#include <cuda_runtime.h>
#include <stddef.h>
#include <stdint.h>

#define CONTRAST_SCRATCH_BYTES 65536

#ifdef __cplusplus
extern "C" {
#endif

/* Spread the levels of an 8-bit gray image over 0 to 255. With min and max the least and the greatest pixel
 * of src, and range = max - min, every pixel becomes
 *
 *     dst = (2 * 255 * (src - min) + range) / (2 * range)      in whole numbers, rounded down,
 *
 * that is, round((src - min) * 255 / range) with a half rounded up. Where range is 0, dst = src.
 *
 *   src        pixel (x, y) is src[y * src_pitch + x]; read only
 *   src_pitch  bytes from one row to the next, at least width. What lies between the rows is no part of the
 *              image and says nothing about min and max
 *   dst        pixel (x, y) is dst[y * dst_pitch + x]; every pixel is written
 *   dst_pitch  as src_pitch. Nothing between the rows is written
 *   width, height  pixels, each at least 1, width * height below 2^31
 *
 * src and dst may start at any address, and never overlap. */

/* On the CPU, in ordinary memory. */
void contrast_cpu(const uint8_t *src, size_t src_pitch, uint8_t *dst, size_t dst_pitch, int width,
                  int height);

/* On the GPU.
 *   src, dst   device memory
 *   scratch    device memory of CONTRAST_SCRATCH_BYTES bytes to work in, at a multiple of 256; what stands in
 *              it before the call is unknown, and what is left there does not matter
 *   stream     where the kernels are launched; the call need not wait for them
 *
 * The rest as above. */
void contrast(const uint8_t *src, size_t src_pitch, uint8_t *dst, size_t dst_pitch, int width, int height,
              void *scratch, cudaStream_t stream);

#ifdef __cplusplus
}
#endif

#endif

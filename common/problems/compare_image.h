/* compare_image.h: two 8-bit gray images, bit for bit, and what the pattern of the differences suggests. */
#ifndef PROBLEMS_COMPARE_IMAGE_H
#define PROBLEMS_COMPARE_IMAGE_H

#include "problems/problem.h"

/* radius: how far the filter reaches, so which pixels count as border. */
void compare_image(const uint8_t *got, const uint8_t *expected, int64_t width, int64_t height, int64_t radius,
                   uint8_t poison, struct problem_verdict *verdict);

#endif

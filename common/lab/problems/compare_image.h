/* compare_image.h: two 8-bit gray images, bit for bit. */
#ifndef PROBLEMS_COMPARE_IMAGE_H
#define PROBLEMS_COMPARE_IMAGE_H

#include "lab/problems/problem.h"

void compare_image(const uint8_t *got, const uint8_t *expected, int64_t width, int64_t height,
                   struct problem_verdict *verdict);

#endif

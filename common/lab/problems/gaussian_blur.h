/* gaussian_blur.h: labs 1 to 3: a 7x7 Gaussian on an 8-bit gray image, zero outside, sum / 256 rounded down. */
#ifndef PROBLEMS_GAUSSIAN_BLUR_H
#define PROBLEMS_GAUSSIAN_BLUR_H

#include "lab/problems/problem.h"

enum { GAUSSIAN_RADIUS = 3 };

enum gaussian_buffer { GAUSSIAN_SRC, GAUSSIAN_DST, GAUSSIAN_BUFFERS };

/* What stands in a case's size[]. */
enum gaussian_size { GAUSSIAN_WIDTH, GAUSSIAN_HEIGHT, GAUSSIAN_SIZES };
PROBLEM_FITS(GAUSSIAN_BUFFERS, GAUSSIAN_SIZES);

extern const struct problem problem_gaussian_blur;

/* The oracle: width * height bytes in and out. False when out of memory. */
bool gaussian_oracle(const uint8_t *input, uint8_t *output, int64_t width, int64_t height);

#endif

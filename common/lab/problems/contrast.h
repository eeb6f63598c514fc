/* contrast.h: lab 5: spread the levels of an 8-bit gray image over 0 to 255. Rows lie a pitch apart. */
#ifndef PROBLEMS_CONTRAST_H
#define PROBLEMS_CONTRAST_H

#include "lab/problems/problem.h"

enum contrast_buffer { CONTRAST_SRC, CONTRAST_DST, CONTRAST_SCRATCH, CONTRAST_BUFFERS };

/* What stands in a case's size[]: pixels, bytes from row to row, bytes from a buffer's start to its image. */
enum contrast_size {
    CONTRAST_WIDTH,
    CONTRAST_HEIGHT,
    CONTRAST_SRC_PITCH,
    CONTRAST_DST_PITCH,
    CONTRAST_SRC_START,
    CONTRAST_DST_START,
    CONTRAST_SIZES
};
PROBLEM_FITS(CONTRAST_BUFFERS, CONTRAST_SIZES);

/* The scratch memory a student's function gets, as labs/lab5-contrast/lab5.h says. */
enum { CONTRAST_SCRATCH_BYTES = 65536 };

extern const struct problem problem_contrast;

/* The definition: round((value - low) * 255 / (high - low)), a half rounded up; high == low keeps the value.
 * low <= value <= high. */
uint8_t contrast_level(unsigned value, unsigned low, unsigned high);

/* The oracle: src as the case says, dst without gaps between rows. */
void contrast_oracle(const struct problem_case *problem_case, const uint8_t *src, uint8_t *dst);

/* Judge dst, gaps and all, against the oracle's. */
void compare_contrast(const struct problem_case *problem_case, const uint8_t *expected, const uint8_t *got,
                      uint8_t poison, struct problem_verdict *verdict);

#endif

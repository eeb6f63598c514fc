/* transpose.h: lab 12: a matrix of floats, rows and columns exchanged. */
#ifndef PROBLEMS_TRANSPOSE_H
#define PROBLEMS_TRANSPOSE_H

#include "lab/problems/problem.h"

enum transpose_buffer { TRANSPOSE_SRC, TRANSPOSE_DST, TRANSPOSE_BUFFERS };

/* What stands in a case's size[]: columns and rows of src; elements between the start of a buffer and its matrix, of
 * which 1 to 3 make a pointer that is not at a multiple of 16 bytes. */
enum transpose_size {
    TRANSPOSE_WIDTH,
    TRANSPOSE_HEIGHT,
    TRANSPOSE_SHIFT_SRC,
    TRANSPOSE_SHIFT_DST,
    TRANSPOSE_SIZES
};
PROBLEM_FITS(TRANSPOSE_BUFFERS, TRANSPOSE_SIZES);

extern const struct problem problem_transpose;

#endif

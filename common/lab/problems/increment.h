/* increment.h: lab 4, in two parts. A: x[i] += 1, in place. B: y[i] = a polynomial at x[i]. */
#ifndef PROBLEMS_INCREMENT_H
#define PROBLEMS_INCREMENT_H

#include "lab/problems/problem.h"

/* Part A has the first buffer only. */
enum increment_buffer { INCREMENT_X, INCREMENT_C, INCREMENT_Y, INCREMENT_BUFFERS };

/* What stands in a case's size[]. */
enum increment_size {
    INCREMENT_PART, /* enum increment_part */
    INCREMENT_N,
    INCREMENT_COEFFICIENTS, /* of the polynomial: its degree + 1 */
    INCREMENT_SIZES
};
PROBLEM_FITS(INCREMENT_BUFFERS, INCREMENT_SIZES);

enum increment_part { INCREMENT_A, INCREMENT_B };

/* Coefficients of the timed polynomial. */
enum { INCREMENT_TIMED_COEFFICIENTS = 256 };

extern const struct problem problem_increment;

#endif

/* weighted_sums.h: lab 8: for each set and each of its four rows of weights the weighted sum of values, at every point. */
#ifndef PROBLEMS_WEIGHTED_SUMS_H
#define PROBLEMS_WEIGHTED_SUMS_H

#include "lab/problems/problem.h"

enum { WEIGHTED_ROWS = 4 };

enum weighted_buffer { WEIGHTED_WEIGHTS, WEIGHTED_VALUES, WEIGHTED_SUMS, WEIGHTED_BUFFERS };

/* What stands in a case's size[]. The last three are elements between the start of a buffer and its array: 1 makes a
 * pointer that is not at a multiple of 16 bytes. */
enum weighted_size {
    WEIGHTED_SETS,
    WEIGHTED_TERMS,
    WEIGHTED_POINTS,
    WEIGHTED_SHIFT_WEIGHTS,
    WEIGHTED_SHIFT_VALUES,
    WEIGHTED_SHIFT_SUMS,
    WEIGHTED_SIZES
};
PROBLEM_FITS(WEIGHTED_BUFFERS, WEIGHTED_SIZES);

/* Terms of the timed sums. */
enum { WEIGHTED_TIMED_TERMS = 48 };

/* How far a sum may be from the oracle's: by what terms + 4 roundings of double precision can do to terms of this size,
 * doubled. */
double weighted_bound(int64_t terms, double size);

extern const struct problem problem_weighted_sums;

#endif

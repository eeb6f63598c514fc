/* support_wrong.h: a wrong function of a student's, called on every case of a problem, and what is then said of it. */
#ifndef PROBLEMS_TESTS_SUPPORT_WRONG_H
#define PROBLEMS_TESTS_SUPPORT_WRONG_H

#include "lab/problems/diagnosis/diagnosis.h"

/* Computes a case into output, which is filled with poison, or as before the call where it is changed in place. `which`
 * is the mistake. */
typedef void wrong_function(unsigned which, const struct problem_case *c, const void *const inputs[],
                            void *output);

/* A mix of the bits of its argument: mistakes that are here and there. */
uint32_t wrong_scatter(uint32_t value);

/* A mistake by its number: "kind" NULL: none may be told; else `kind` and `says` stand in the diagnosis. */
struct wrong_row {
    const char *name, *kind, *says;
};
/* What X of a suite's MISTAKES(X) is: X(MISTAKE, name, kind, says). */
#define WRONG_NAME(mistake, ...) mistake,
#define WRONG_ROW(mistake, ...) [mistake] = {__VA_ARGS__},

/* The suite of a problem: mistake 0 is none, and each of the others is told as its row says. Returns main's status. */
int wrong_suite(const struct problem *problem, wrong_function *function, const struct wrong_row *rows,
                unsigned count);

#endif

/*
 * diagnosis.h: what is wrong, proven. Where a problem with one mistake in it (or two) gives a student's very result in
 * every case that fails, and the right one in every case that passes, that is the cause. Where none does, what all
 * failing cases have in common is told, and no cause.
 */
#ifndef PROBLEMS_DIAGNOSIS_H
#define PROBLEMS_DIAGNOSIS_H

#include "lab/problems/problem.h"

/* A case that was judged, and what its first output held then. */
struct diagnosis_case {
    struct problem_case problem_case;
    uint8_t poison; /* what the outputs were filled with before */
    bool passed;
    const void *output; /* NULL: not kept, and so not looked at */
};

struct diagnosis {
    bool proven;
    char kind[64];  /* of the mistake, for programs: "taps-dx", "rounded, modulo"; "" not proven */
    unsigned cases; /* failing cases, all of which come out exactly so */
    char text[800]; /* a few sentences; "" nothing is known */
};

/* Is case a told of rather than b, where both fail? The first part's, then the smaller by elements of the output. The
 * problem has wrong oracles. */
bool diagnosis_before(const struct problem *problem, const struct problem_case *a,
                      const struct problem_case *b);

/* Find the cause. deterministic: the same call gave the same result twice; else none is claimed. False when out of
 * memory or when there is nothing to find: *diagnosis is then empty. */
bool diagnose(const struct problem *problem, const struct diagnosis_case *cases, unsigned count,
              bool deterministic, struct diagnosis *diagnosis);

#endif

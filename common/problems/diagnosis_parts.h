/* diagnosis_parts.h: what the search for a cause (diagnose.c) and the description without one (describe.c) share. */
#ifndef PROBLEMS_DIAGNOSIS_PARTS_H
#define PROBLEMS_DIAGNOSIS_PARTS_H

#include "problems/diagnosis.h"
#include "problems/wrong_where.h"

enum { DIAGNOSIS_PROBES = 24 };

/* A case with all that is needed to try a recipe on it. */
struct suspect {
    struct wrong_tried tried;
    void *input[PROBLEM_BUFFERS];
    void *right; /* the right recipe */
    bool passed;
    uint64_t count, wrong_count;
    uint8_t *wrong;                   /* an element each */
    uint64_t probe[DIAGNOSIS_PROBES]; /* wrong ones first, then right ones */
    unsigned probe_count;
};

struct suspects {
    const struct problem *problem;
    const struct wrong_oracles *oracles;
    unsigned axes;
    struct suspect *of; /* failing ones first, each kind from small to large */
    unsigned count, failing;
};

/* Are all wrong elements of all failing cases in that part of the output, and not all elements of all of them? */
bool suspects_wrong_within(const struct suspects *suspects, const struct wrong_where *where);

/* What all failing cases have in common. */
void describe(const struct suspects *suspects, bool deterministic, char *text, size_t size);

#endif

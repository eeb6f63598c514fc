/* diagnosis_parts.h: what the parts of a diagnosis share: where (wrong_where.c), the cases (suspects.c), what may have been
 * done wrong in them (candidate.c), the search for it (diagnose.c), and the description where it is not found (describe.c). */
#ifndef PROBLEMS_DIAGNOSIS_PARTS_H
#define PROBLEMS_DIAGNOSIS_PARTS_H

#include "lab/problems/diagnosis/diagnosis.h"
#include "lab/problems/diagnosis/wrong_oracle.h"

enum { DIAGNOSIS_PROBES = 24 };

/* ---- parts of an output that can be told in a few words: columns with x % 4 = 3, the last row, ... */

/* A part: a row of a table, and its numbers. The first of all is everything. */
struct wrong_where {
    const struct wrong_kind *kind;
    int number[WRONG_NUMBERS];
};

unsigned wrong_where_count(void);
struct wrong_where wrong_where_get(unsigned index);

/* Does this part exist for outputs with so many axes? */
bool wrong_where_fits(const struct wrong_where *where, unsigned axes);
bool wrong_where_has(const struct wrong_where *where, const struct wrong_place *place);

/* "in columns with x % 4 = 3"; "" of everything. */
void wrong_where_words(const struct wrong_where *where, const struct wrong_oracles *oracles, char *text,
                       size_t size);

/* ---- the cases */

/* A case with all that is needed to try a recipe on it. */
struct suspect {
    struct wrong_tried tried;
    void *input[PROBLEM_BUFFERS];
    void *base, *right; /* the right recipe: before oracles->finish, and after it */
    bool passed;
    uint64_t count, wrong_count;
    uint8_t *wrong;                                /* an element each */
    uint64_t probe[DIAGNOSIS_PROBES];              /* wrong ones first, then right ones */
    struct wrong_place probe_at[DIAGNOSIS_PROBES]; /* where they stand */
    unsigned probe_count;
    struct wrong_feature feature[WRONG_FEATURES];
    uint64_t recipe_work, element_work; /* oracles->work */
};

struct suspects {
    const struct problem *problem;
    const struct wrong_oracles *oracles;
    unsigned axes, features;
    struct suspect *of; /* failing ones first, each kind from small to large */
    unsigned count, failing;
};

/* The cases of a group whose output was kept. False when out of memory, or where the right recipe is not known; nothing is
 * to be freed then. */
bool suspects_create(struct suspects *suspects, const struct problem *problem,
                     const struct diagnosis_case *cases, unsigned count, unsigned group);
void suspects_free(struct suspects *suspects);
unsigned suspects_group(const struct wrong_oracles *oracles, const struct problem_case *problem_case);

/* Are all wrong elements of all failing cases in that part of the output? _probably: those that are looked at first. */
bool suspects_wrong_within(const struct suspects *suspects, const struct wrong_where *where);
bool suspects_probably_within(const struct suspects *suspects, const struct wrong_where *where);

/* Was a wrong element never written? In case c, of that index. */
bool suspects_untouched(const struct suspects *suspects, unsigned c, uint64_t index);

/* ---- a candidate */

/* A condition on a feature of a case. */
enum condition { ALWAYS, IS_ZERO, IS_NOT_ZERO, IS_MULTIPLE, IS_NO_MULTIPLE, IS_LESS };

/* Up to two mistakes, at a part of the output; and another part is not written. */
struct candidate {
    unsigned count, kind[2];
    int number[2][WRONG_NUMBERS];
    struct wrong_where where, unwritten; /* unwritten.kind NULL: no part */
    enum condition condition;            /* in other cases all is right */
    unsigned feature;
    int64_t divisor; /* or bound */
};

/* Is the condition met in that case? */
bool candidate_holds(const struct candidate *candidate, const struct suspect *suspect);

/* How much there is to say, in bits: of two explanations that fit the shorter one is told. */
unsigned candidate_length(const struct suspects *suspects, const struct candidate *candidate);

/* The same of a part alone. */
unsigned candidate_part_length(const struct wrong_where *where);

/* Is there more to be explained than the explanation says itself? One wrong byte proves no choice among 256 numbers, and
 * one failing case no choice among many conditions. */
bool candidate_is_shown(const struct suspects *suspects, const struct candidate *candidate);

/* Of a wide range of numbers in steps those that people write: 0, 1, 2, powers of two and one less. All of others, and all that
 * pick one of several words. */
bool candidate_is_natural(const struct wrong_kind *kind, unsigned which, int number);

/* "each result is rounded down in the last row, where k is 0" */
void candidate_words(const struct suspects *suspects, const struct candidate *candidate, char *text,
                     size_t size);

/* ---- the description */

/* What all failing cases have in common. */
void diagnosis_describe(const struct suspects *suspects, bool deterministic, char *text, size_t size);

#endif

/*
 * wrong_oracle.h: a wrong oracle is the computation of a problem with a mistake in it. It is a recipe: what the right
 * computation does, as a structure of choices, some of which a mistake has changed; and it tells of every element of
 * the output what stands there in the end. diagnosis.h looks for the mistakes that give a student's very result.
 *
 * A problem's kinds of mistake are a table, the simplest first. A kind has up to four numbers, each with a range: every
 * combination is a mistake of its own.
 */
#ifndef PROBLEMS_WRONG_ORACLE_H
#define PROBLEMS_WRONG_ORACLE_H

#include "lab/problems/problem.h"

enum { WRONG_NUMBERS = 4, WRONG_AXES = 2, WRONG_FEATURES = 12, WRONG_TEXT = 200 };

/* first, first + step, ... to last; step 0: doubled from one to the next. All 0: the one number 0. */
struct wrong_range {
    int first, last, step;
};

enum wrong_use {
    WRONG_ALONE = 0,
    WRONG_SOMEWHERE = 1, /* may be made at a part of the elements only (wrong_where.h) */
    WRONG_PAIRED = 2,    /* is common enough to be tried together with every other such kind */
    WRONG_COMMON = WRONG_SOMEWHERE | WRONG_PAIRED,
    WRONG_LAST = 4, /* says less than the kinds before it: counts only where none of them fits */
};

struct wrong_kind {
    const char *name; /* "taps-dx", for programs */
    const char
        *words; /* after "when": "the taps with dx = {+0} are left out"; wrong_words() has the language */
    const char *advice; /* a sentence on what to look at; NULL: the words say it */
    struct wrong_range number[WRONG_NUMBERS];
    unsigned use; /* enum wrong_use, as bits */
};

/* A case and what came out of it. */
struct wrong_tried {
    const struct problem_case *problem_case;
    const void *input[PROBLEM_BUFFERS]; /* as before the call; of an output that is changed in place, too */
    const void *got;                    /* the first output after it */
    uint8_t poison;                     /* what it was filled with, unless it is changed in place */
};

/* Where an element stands in the output: its coordinates, and how many there are of each. One that is no element of
 * the result, between the rows, is `outside`. */
struct wrong_place {
    int64_t at[WRONG_AXES], extent[WRONG_AXES];
    bool outside;
};

/* What people call an axis: {"column", "columns", "x", "width"}. */
struct wrong_axis {
    const char *one, *many, *variable, *extent;
};

/* What a feature of a case says: its value; only whether it is 0, where its name reads "with NAME"; the same, where it
 * reads "where NAME is 0". */
enum wrong_feature_use { WRONG_COUNTS = 0, WRONG_HAS = 1, WRONG_ZERO = 2 };

/* A number that tells cases apart, with its name: {"width", 33}. */
struct wrong_feature {
    const char *name;
    int64_t value;
    enum wrong_feature_use flag;
};

struct wrong_oracles {
    struct wrong_axis axis[WRONG_AXES]; /* the second's names NULL: there is one */
    const char *element, *elements;     /* "pixel", "pixels" */
    size_t recipe_size;
    unsigned kind_count;
    const struct wrong_kind *kinds;
    /* Cases of one number are computed by the same function of the student's. NULL: all are. */
    unsigned (*group)(const struct problem_case *problem_case);
    const char *const *group_names; /* NULL: one group */
    uint64_t (*count)(
        const struct problem_case *problem_case); /* of the elements of the output, outside ones too */
    void (*place)(const struct problem_case *problem_case, uint64_t index, struct wrong_place *place);
    /* The features that the cases of a problem have, in one order. Returns how many, at most WRONG_FEATURES. */
    unsigned (*features)(const struct problem_case *problem_case, struct wrong_feature *features);
    /* The right recipe for a case, of which copies are made; then a mistake, or several; then what is computed once for all elements. False: this
     * mistake cannot be made there, or what comes out is not known. */
    void (*begin)(const struct wrong_tried *tried, void *recipe);
    void (*mistake)(unsigned kind, const int *number, void *recipe);
    bool (*finish)(void *recipe); /* NULL: nothing */
    /* About how many nanoseconds a recipe takes for a case, and each of its elements. NULL: 50 and 50. */
    void (*work)(const struct problem_case *problem_case, uint64_t *recipe, uint64_t *element);
    /* Is it what was found at this place of the output? False, too, where the recipe leaves something unknown. */
    bool (*gives)(const void *recipe, uint64_t index);
    /* What was found there, and what a recipe gives, as numbers. False: it was not written, or is no number. */
    bool (*values)(const void *recipe, uint64_t index, double *got, double *right);
    /* Was this element left as it was before the call? */
    bool (*untouched)(const void *recipe, uint64_t index);
};

extern const struct wrong_oracles wrong_blur, wrong_contrast, wrong_increment, wrong_gemm, wrong_edge,
    wrong_weighted, wrong_smith_waterman;

/* How many mistakes a kind has, and the numbers of one of them. */
unsigned wrong_mistakes(const struct wrong_kind *kind);
void wrong_numbers(const struct wrong_kind *kind, unsigned mistake, int number[WRONG_NUMBERS]);

/* The words with the numbers in them: {0} is number 0, {+0} the same with its sign, {0:left|right} one of the words, by
 * the number's place in its range. */
void wrong_words(const struct wrong_kind *kind, const char *words, const int *number, char *text,
                 size_t size);

/* Number formats with fewer bits than a float. */
enum wrong_precision {
    WRONG_EXACT,
    WRONG_HALF,
    WRONG_BFLOAT16,
    WRONG_TF32,
    WRONG_BFLOAT16_CUT,
    WRONG_TF32_CUT
};

/* Of the same bits, or both no number. */
bool wrong_same_float(float a, float b);

/* A number in that format, rounded to the nearest or cut. */
double wrong_shortened(double x, enum wrong_precision precision);

#endif

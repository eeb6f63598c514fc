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

#include <limits.h>

enum { WRONG_NUMBERS = 4, WRONG_AXES = 2, WRONG_FEATURES = 12, WRONG_TEXT = 200, WRONG_CHANGES = 6 };

/* first, first + step, ... to last; step 0: doubled from one to the next. All 0: the one number 0. */
struct wrong_range {
    int first, last, step;
};

enum wrong_use {
    WRONG_ALONE = 0,
    WRONG_SOMEWHERE = 1, /* may be made at a part of the elements only (wrong_where.c) */
    WRONG_PAIRED = 2,    /* is common enough to be tried together with every other such kind */
    WRONG_COMMON = WRONG_SOMEWHERE | WRONG_PAIRED,
    WRONG_LAST = 4, /* says less than the kinds before it: counts only where none of them fits */
};

/* One thing that a mistake changes in a recipe: wrong_row.h has the words for it. */
enum wrong_how {
    WRONG_NO_MORE,
    WRONG_VALUE,
    WRONG_NUMBER,
    WRONG_EQUAL,
    WRONG_BIT,
    WRONG_LISTED,
    WRONG_COPY,
    WRONG_PICK,
    WRONG_ELEMENT,
    WRONG_CALL
};

struct wrong_change {
    enum wrong_how how;
    unsigned short at, size, from; /* bytes: where the field lies, its size, where another lies */
    unsigned number;               /* which of the mistake's */
    int value;
    const int *list;
    void (*call)(void *recipe, const int *number);
};

struct wrong_kind {
    const char *name; /* "taps-dx", for programs */
    const char
        *words; /* after "when": "the taps with dx = {+0} are left out"; wrong_words() has the language */
    const char *advice; /* a sentence on what to look at; NULL: the words say it */
    struct wrong_range number[WRONG_NUMBERS];
    unsigned use; /* enum wrong_use, as bits */
    struct wrong_change change[WRONG_CHANGES];
};

/* A case and what came out of it. */
struct wrong_tried {
    const struct problem_case *problem_case;
    const void *input[PROBLEM_BUFFERS]; /* as before the call; of an output that is changed in place, too */
    const void *got;                    /* the first output after it */
    const void
        *before; /* what it held, where it is changed in place; else NULL, and it was filled with poison */
    uint8_t poison;
};

/* What a recipe gives for an element of the output: a number that what was found may be off by so much, nothing, or what is not
 * known. A bound of WRONG_SAME_BITS: the very float. */
enum wrong_status { WRONG_KNOWN, WRONG_UNWRITTEN, WRONG_UNKNOWN };
struct wrong_element {
    enum wrong_status status;
    double value, bound;
};
#define WRONG_SAME_BITS (-1.0)

/* Recipes whose results are whole numbers have these beside them. */
enum { UNWRITTEN = INT_MIN, UNKNOWN };
struct wrong_element wrong_whole(int result);

enum wrong_type { WRONG_BYTES, WRONG_WORDS, WRONG_FLOATS, WRONG_DOUBLES };

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
    size_t recipe_size;                 /* a recipe begins with a pointer to its struct wrong_tried */
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
    /* The right recipe for a case, of which copies are made; then, after a mistake or several, what is computed once for all
     * elements. False: this mistake cannot be made there, or what comes out is not known. */
    void (*begin)(const struct wrong_tried *tried, void *recipe);
    bool (*finish)(void *recipe); /* NULL: nothing */
    /* About how many nanoseconds a recipe takes for a case, and each of its elements. NULL: 50 and 50. */
    void (*work)(const struct problem_case *problem_case, uint64_t *recipe, uint64_t *element);
    enum wrong_type type; /* of the elements */
    struct wrong_element (*expected)(const void *recipe, uint64_t index);
};

extern const struct wrong_oracles wrong_blur, wrong_contrast, wrong_increment, wrong_gemm, wrong_edge,
    wrong_weighted, wrong_smith_waterman, wrong_transpose;

/* How many mistakes a kind has, and the numbers of one of them. */
unsigned wrong_mistakes(const struct wrong_kind *kind);
void wrong_numbers(const struct wrong_kind *kind, unsigned mistake, int number[WRONG_NUMBERS]);

/* Make a mistake in a recipe. */
void wrong_mistake(const struct wrong_oracles *oracles, unsigned kind, const int *number, void *recipe);

/* Is what a recipe gives what was found at this place of the output? */
bool wrong_gives(const struct wrong_oracles *oracles, const void *recipe, uint64_t index);
/* What was found there, and what a recipe gives, as numbers. False: it is not known. */
bool wrong_values(const struct wrong_oracles *oracles, const void *recipe, uint64_t index, double *got,
                  double *right);
/* Was this element left as it was before the call? */
bool wrong_untouched(const struct wrong_oracles *oracles, const void *recipe, uint64_t index);

/* Of images whose sizes begin with width and height, without gaps. */
uint64_t wrong_image_count(const struct problem_case *problem_case);
void wrong_image_place(const struct problem_case *problem_case, uint64_t index, struct wrong_place *place);
unsigned wrong_image_features(const struct problem_case *problem_case, struct wrong_feature *features);
#define WRONG_IMAGE_AXES                                                                                     \
    {                                                                                                        \
        {"column", "columns", "x", "width"}, {                                                               \
            "row", "rows", "y", "height"                                                                     \
        }                                                                                                    \
    }

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

/* Which of the terms of a sum are added. */
enum wrong_which {
    WRONG_ALL,
    WRONG_FROM,         /* term >= a */
    WRONG_WITHOUT_LAST, /* term < terms - a */
    WRONG_FIRST,        /* term < a */
    WRONG_NO_TAIL,      /* term < terms - terms % a */
    WRONG_LAST_BLOCK,   /* term from the last multiple of a on */
    WRONG_SKIP,         /* term % a != b */
    WRONG_NO_LOW_TAIL,  /* term >= terms % a */
    WRONG_TAIL_TWICE,   /* all, and those from terms - terms % a on once more */
    WRONG_ONE_MORE      /* all, and the one that lies behind the last */
};
struct wrong_terms {
    enum wrong_which which;
    int64_t a, b;
};
bool wrong_has_term(const struct wrong_terms *terms, int64_t term, int64_t count);

/* A number in that format, rounded to the nearest or cut. */
double wrong_shortened(double x, enum wrong_precision precision);

#endif

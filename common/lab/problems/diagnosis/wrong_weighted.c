/* wrong_weighted.c: what can be wrong with weighted sums. What a recipe gives is a double with its error bound, the same as
 * the oracle's: an element is what the recipe gives where it lies within. */
#include "lab/problems/diagnosis/wrong_row.h"
#include "lab/problems/weighted_sums.h"

#include <math.h>
#include <string.h>

/* What is multiplied. */
enum product {
    PRODUCT,
    ONLY_VALUE,
    ONLY_WEIGHT,
    SUM,
    SIZE,
    SQUARE_OF_WEIGHT,
    SQUARE_OF_VALUE,
    SIZE_OF_WEIGHT,
    SIZE_OF_VALUE
};

/* How an index is computed: as it should be; with the two extents exchanged; with the wrong one of them; without the set. */
enum index { RIGHT_INDEX, TRANSPOSED, BY_POINTS, NO_SET, SET_PLAIN };

/* Numbers in single precision. */
enum single { DOUBLES = 0, OF_WEIGHTS = 1, OF_VALUES = 2, OF_SUMS = 4, OF_ALL = 8, OF_PRODUCTS = 16 };

struct weighted {
    const struct wrong_tried *tried;
    const double *weights, *values, *got; /* weights and values: the arrays; got: the buffer of sums */
    int64_t sets, terms, points, shift, weight_count, value_count;
    bool exact;
    struct wrong_terms added;
    enum product product;
    enum index of_weights, of_values, of_sums;
    unsigned single;     /* enum single, as bits */
    int swapped_weights; /* of every so many terms the weights are taken in the reverse order */
    int point_shift, row_shift;
    int hold, held; /* of every so many points all get the result of one */
    int mirror;     /* within every so many points the results lie in the reverse order */
    int row_held;   /* all rows get the result of one; -1: not so */
    bool rows_reversed;
    int64_t carried; /* a sum starts from that of the point so many before, which is its thread's */
    int wrap;        /* the weight of term % wrap is taken; 0: not so */
    bool crossed;    /* in every other term both points of a pair take the value of one */
    int crossed_term, crossed_point;
    bool carried_rows; /* a sum starts from that of the row before */
    int pair_weight;   /* the first (1) or the second (2) weight of a pair counts for both */
    bool unwritten, unwritten_no_terms;
    int constant; /* stored in place of a sum; INT32_MIN: none */
};

/* The bound of a sum that is not complete yet: the size of its terms. */

/* ---- a sum */

/* Where the weight is looked for; may be no place at all. */
static int64_t weight_at(const struct weighted *w, int64_t set, int64_t row, int64_t term) {
    int64_t own = set * WEIGHTED_ROWS * w->terms;
    switch (w->of_weights) {
    case TRANSPOSED: return own + term * WEIGHTED_ROWS + row;
    case BY_POINTS: return own + row * w->points + term;
    case NO_SET: return row * w->terms + term;
    case SET_PLAIN: return (set + row) * w->terms + term;
    default: return own + row * w->terms + term;
    }
}

static int64_t value_at(const struct weighted *w, int64_t set, int64_t term, int64_t point) {
    int64_t own = set * w->terms * w->points;
    switch (w->of_values) {
    case TRANSPOSED: return own + point * w->terms + term;
    case BY_POINTS: return own + term * (w->points + w->points % 2) + point;
    case NO_SET: return term * w->points + point;
    case SET_PLAIN: return (set + term) * w->points + point;
    default: return own + term * w->points + point;
    }
}

static double product_of(const struct weighted *w, double weight, double value) {
    if (w->single & OF_WEIGHTS)
        weight = (double)(float)weight;
    if (w->single & OF_VALUES)
        value = (double)(float)value;
    switch (w->product) {
    case PRODUCT: break;
    case ONLY_VALUE: return value;
    case ONLY_WEIGHT: return weight;
    case SUM: return weight + value;
    case SIZE: return fabs(weight * value);
    case SQUARE_OF_WEIGHT: return weight * weight * value;
    case SQUARE_OF_VALUE: return weight * value * value;
    case SIZE_OF_WEIGHT: return fabs(weight) * value;
    case SIZE_OF_VALUE: return weight * fabs(value);
    }
    return weight * value;
}

static void add_term(const struct weighted *w, int64_t set, int64_t row, int64_t term, int64_t point,
                     struct wrong_element *sum) {
    int64_t taken = term;
    if (w->swapped_weights > 1 &&
        term / w->swapped_weights * w->swapped_weights + w->swapped_weights <= w->terms)
        taken = term / w->swapped_weights * w->swapped_weights + w->swapped_weights - 1 -
                term % w->swapped_weights;
    if (w->pair_weight != 0 && (term | 1) < w->terms)
        taken = w->pair_weight == 1 ? term & ~(int64_t)1 : term | 1;
    if (w->wrap > 0)
        taken %= w->wrap;
    int64_t pair = point / 2 * 2, at = weight_at(w, set, row, taken),
            from = value_at(w, set, term,
                            w->crossed && term % 2 == w->crossed_term ? pair + w->crossed_point : point);
    if (at >= w->weight_count || from >= w->value_count) {
        sum->status = WRONG_UNKNOWN;
        return;
    }
    double product = product_of(w, w->weights[at], w->values[from]);
    if (w->single & OF_PRODUCTS)
        product = (double)(float)product;
    sum->bound += fabs(product);
    if (w->single & OF_ALL) /* as the GPU does, fused */
        sum->value = (double)fmaf((float)w->weights[at], (float)w->values[from], (float)sum->value);
    else
        sum->value += product;
    if (w->single & OF_SUMS)
        sum->value = (double)(float)sum->value;
}

/* Onto what stands in `sum`; its bound is the size of the terms so far. */
static void add_terms(const struct weighted *w, int64_t set, int64_t row, int64_t point,
                      struct wrong_element *sum) {
    for (int64_t term = 0; term < w->terms + (w->added.which == WRONG_ONE_MORE) && sum->status == WRONG_KNOWN;
         term++)
        if (wrong_has_term(&w->added, term, w->terms))
            add_term(w, set, row, term, point, sum);
    int64_t tail = w->added.which == WRONG_TAIL_TWICE ? w->terms - w->terms % w->added.a : w->terms;
    for (int64_t term = tail; term < w->terms && sum->status == WRONG_KNOWN; term++)
        add_term(w, set, row, term, point, sum);
}

static struct wrong_element computed(const struct weighted *w, int64_t set, int64_t row, int64_t point) {
    struct wrong_element sum = {.status = WRONG_KNOWN};
    int64_t first_point = w->carried > 0 ? point % w->carried : point, first_row = w->carried_rows ? 0 : row;
    int64_t step = w->carried > 0 ? w->carried : 1;
    for (int64_t p = first_point; p <= point; p += step)
        for (int64_t r = first_row; r <= row; r++)
            add_terms(w, set, r, p, &sum);
    int64_t rounds = (point - first_point) / step + row - first_row + 1;
    sum.bound = w->exact ? 0 : weighted_bound(w->terms * rounds, sum.bound);
    return sum;
}

/* ---- an element */

/* Whose sum lies at this place of the array. False: none's. */
static bool origin(const struct weighted *w, int64_t at, int64_t *set, int64_t *row, int64_t *point) {
    int64_t own = WEIGHTED_ROWS * w->points;
    if (at < 0 || own == 0 || at >= w->sets * own)
        return false;
    *set = at / own;
    *row = at % own / w->points;
    *point = at % w->points;
    if (w->of_sums == TRANSPOSED) {
        *point = at % own / WEIGHTED_ROWS;
        *row = at % WEIGHTED_ROWS;
    }
    return true;
}

/* The sum that a recipe puts in place of the right one. False: from beyond the points. */
static bool moved(const struct weighted *w, int64_t *row, int64_t *point) {
    if (w->hold > 1)
        *point = *point / w->hold * w->hold + w->held;
    if (w->mirror > 1 && *point / w->mirror * w->mirror + w->mirror <= w->points)
        *point = *point / w->mirror * w->mirror + w->mirror - 1 - *point % w->mirror;
    *point += w->point_shift;
    if (w->rows_reversed)
        *row = WEIGHTED_ROWS - 1 - *row;
    *row = w->row_held >= 0 ? w->row_held : (*row + w->row_shift) % WEIGHTED_ROWS;
    return *point >= 0 && *point < w->points;
}

static bool is_unwritten(const struct weighted *w) {
    return w->unwritten || (w->unwritten_no_terms && w->terms == 0);
}

static struct wrong_element expected(const void *recipe, uint64_t index) {
    const struct weighted *w = recipe;
    int64_t set, row, point;
    if (!origin(w, (int64_t)index - w->shift, &set, &row, &point) || is_unwritten(w))
        return (struct wrong_element){.status = WRONG_UNWRITTEN};
    if (!moved(w, &row, &point))
        return (struct wrong_element){.status = WRONG_UNKNOWN};
    if (w->constant != INT32_MIN)
        return (struct wrong_element){.value = w->constant};
    return computed(w, set, row, point);
}

/* ---- cases */

static uint64_t count(const struct problem_case *c) {
    struct problem_layout layout;
    problem_weighted_sums.layout(c, &layout);
    return layout.bytes[WEIGHTED_SUMS] / sizeof(double);
}

/* A row of weights of a set has a row of sums. */
static void place(const struct problem_case *c, uint64_t index, struct wrong_place *p) {
    int64_t at = (int64_t)index - c->size[WEIGHTED_SHIFT_SUMS], points = c->size[WEIGHTED_POINTS],
            rows = c->size[WEIGHTED_SETS] * WEIGHTED_ROWS;
    *p = (struct wrong_place){.at = {points > 0 ? at % points : 0, points > 0 ? at / points : 0},
                              .extent = {points, rows}};
    p->outside = at < 0 || points == 0 || p->at[1] >= rows;
}

static unsigned features(const struct problem_case *c, struct wrong_feature *f) {
    const int64_t *s = c->size;
    bool aligned = (s[WEIGHTED_SHIFT_WEIGHTS] | s[WEIGHTED_SHIFT_VALUES] | s[WEIGHTED_SHIFT_SUMS]) % 2 == 0,
         pairs = aligned && s[WEIGHTED_POINTS] % 2 == 0;
    const struct wrong_feature all[] = {
        {"sets", s[WEIGHTED_SETS], WRONG_COUNTS},
        {"terms", s[WEIGHTED_TERMS], WRONG_COUNTS},
        {"points", s[WEIGHTED_POINTS], WRONG_COUNTS},
        {"unaligned weights", s[WEIGHTED_SHIFT_WEIGHTS], WRONG_HAS},
        {"unaligned values", s[WEIGHTED_SHIFT_VALUES], WRONG_HAS},
        {"unaligned sums", s[WEIGHTED_SHIFT_SUMS], WRONG_HAS},
        {"aligned weights and an even number of terms",
         s[WEIGHTED_SHIFT_WEIGHTS] % 2 == 0 && s[WEIGHTED_TERMS] % 2 == 0, WRONG_HAS},
        {"aligned arrays", aligned, WRONG_HAS},
        {"aligned arrays and an even number of points", pairs, WRONG_HAS},
        {"aligned arrays and even numbers of terms and points", pairs && s[WEIGHTED_TERMS] % 2 == 0,
         WRONG_HAS},
    };
    memcpy(f, all, sizeof all);
    return sizeof all / sizeof *all;
}

static void work(const struct problem_case *c, uint64_t *recipe, uint64_t *element) {
    *recipe = 60;
    *element = 40 + 4 * (uint64_t)c->size[WEIGHTED_TERMS];
}

static void begin(const struct wrong_tried *tried, void *recipe) {
    struct problem_layout l;
    const int64_t *s = tried->problem_case->size;
    struct weighted *w = recipe;
    problem_weighted_sums.layout(tried->problem_case, &l);
    *w = (struct weighted){
        .tried = tried,
        .weights = (const double *)tried->input[WEIGHTED_WEIGHTS] + s[WEIGHTED_SHIFT_WEIGHTS],
        .values = (const double *)tried->input[WEIGHTED_VALUES] + s[WEIGHTED_SHIFT_VALUES],
        .got = tried->got,
        .sets = s[WEIGHTED_SETS],
        .terms = s[WEIGHTED_TERMS],
        .points = s[WEIGHTED_POINTS],
        .shift = s[WEIGHTED_SHIFT_SUMS],
        .weight_count = (int64_t)(l.bytes[WEIGHTED_WEIGHTS] / sizeof(double)) - s[WEIGHTED_SHIFT_WEIGHTS],
        .value_count = (int64_t)(l.bytes[WEIGHTED_VALUES] / sizeof(double)) - s[WEIGHTED_SHIFT_VALUES],
        .exact = tried->problem_case->pattern == PATTERN_ROWS_COLUMNS,
        .row_held = -1,
        .constant = INT32_MIN};
}

/* ---- mistakes */

#define RECIPE struct weighted

static const struct wrong_kind kinds[] = {
    MISTAKE(
        WRONG_SOMEWHERE, "unwritten", "nothing is written",
        "Does a thread get to each of these points: does the walk go to the last, does a pair have a second point, does a kernel run for every size?",
        NO_NUMBERS, IS(unwritten, true)),
    MISTAKE(WRONG_COMMON, "no-terms", "nothing is written if terms is 0", "Then every sum is 0.", NO_NUMBERS,
            IS(unwritten_no_terms, true)),
    MISTAKE(WRONG_SOMEWHERE, "constant", "every sum is {0}", NULL, NUMBERS(RANGE(-1, 2)), BY(constant, 0)),
    MISTAKE(
        WRONG_COMMON, "products",
        "{0:the weights are left out|the values are left out|weight + value is summed|the products' absolute values are summed|the weights are squared|the values are squared|the absolute values of the weights are taken|the absolute values of the values are taken}",
        "sum += weight * value.", NUMBERS(RANGE(ONLY_VALUE, SIZE_OF_VALUE)), BY(product, 0)),
    MISTAKE(
        WRONG_COMMON, "weights-index",
        "{0:weights are read as weights[(set * terms + term) * 4 + row]|rows of weights are taken to be points long|the first set's weights count for all sets|weights are read as weights[(set + row) * terms + term]}",
        "The weight is weights[(set * 4 + row) * terms + term].", NUMBERS(RANGE(TRANSPOSED, SET_PLAIN)),
        BY(of_weights, 0)),
    MISTAKE(
        WRONG_COMMON, "values-index",
        "{0:values are read as values[(set * points + point) * terms + term]|rows of values are taken to be an even number of points long|the first set's values count for all sets}",
        "The value is values[(set * terms + term) * points + point].", NUMBERS(RANGE(TRANSPOSED, NO_SET)),
        BY(of_values, 0)),
    MISTAKE(WRONG_COMMON, "sums-index", "sums are stored as sums[(set * points + point) * 4 + row]",
            "The sum is sums[(set * 4 + row) * points + point].", NO_NUMBERS, IS(of_sums, TRANSPOSED)),
    MISTAKE(WRONG_COMMON, "terms", "the {1:first|last} {0:|2 |3 |4 }of the terms {0:is|are|are|are} left out",
            NULL, NUMBERS(RANGE(1, 4), RANGE(WRONG_FROM, WRONG_WITHOUT_LAST)), BY(added.which, 1),
            BY(added.a, 0)),
    MISTAKE(
        WRONG_COMMON, "terms-tail",
        "{1:the last terms %|only the first|the last terms %} {0} terms are {1:left out|added|added twice}",
        "terms is any number: what is left when pairs (or more) are taken counts too, once.",
        NUMBERS(DOUBLING(2, 64), RANGE(0, 2)),
        LOOK(added.which, 1, WRONG_NO_TAIL, WRONG_FIRST, WRONG_TAIL_TWICE), BY(added.a, 0)),
    MISTAKE(WRONG_COMMON, "terms-more", "one term more is added, which lies behind the last",
            "term < terms, and with an odd number the last pair has no second term.", NO_NUMBERS,
            IS(added.which, WRONG_ONE_MORE)),
    MISTAKE(WRONG_PAIRED, "terms-skip", "of every {0} terms number {1} is left out",
            "A load of two numbers brings .x and .y, and both count.", NUMBERS(DOUBLING(2, 16), RANGE(0, 15)),
            IS(added.which, WRONG_SKIP), BY(added.a, 0), BY(added.b, 1)),
    MISTAKE(WRONG_COMMON, "pair-weights", "of every {0} terms the weights are taken in the reverse order",
            "The first of a load of two, .x, is the lower address: that of the first term.",
            NUMBERS(DOUBLING(2, 8)), BY(swapped_weights, 0)),
    MISTAKE(WRONG_COMMON, "pair-weight-twice",
            "the {0:first|second} weight of each pair of terms counts for both",
            "A load of two numbers brings .x for the first term and .y for the second.", NUMBERS(RANGE(1, 2)),
            BY(pair_weight, 0)),
    MISTAKE(WRONG_COMMON, "weights-wrap", "the weights of term % {0} are taken for term",
            "terms goes up to 4096: does the array that holds the weights have room for all?",
            NUMBERS(STEPPED(16, 2048, 16)), BY(wrap, 0)),
    MISTAKE(
        WRONG_COMMON, "pair-values",
        "in the {0:first|second} of each pair of terms both of two points take the value of the {1:first|second}",
        "The first point takes .x of each load, the second .y.", NUMBERS(RANGE(0, 1), RANGE(0, 1)),
        IS(crossed, true), BY(crossed_term, 0), BY(crossed_point, 1)),
    MISTAKE(WRONG_COMMON, "pair-points", "of every {0} points the sums lie in the reverse order",
            "The first of two, .x, is the lower address: that of the first point.", NUMBERS(DOUBLING(2, 8)),
            BY(mirror, 0)),
    MISTAKE(WRONG_COMMON, "held", "of every {0} points all get the sum of number {1}",
            "Each of a thread's points has a sum of its own: .x and .y.",
            NUMBERS(DOUBLING(2, 8), RANGE(0, 7)), BY(hold, 0), BY(held, 1)),
    MISTAKE(WRONG_COMMON, "neighbour", "each point gets the sum of the point {+0}",
            "Is the index rounded to a multiple of 2 where the array does not start at one of 16 bytes?",
            NUMBERS(RANGE(-4, 4)), BY(point_shift, 0)),
    MISTAKE(WRONG_COMMON, "rows-turned", "row r of a set gets the sums of row (r + {0}) % 4",
            "Row r of weights belongs to row r of sums.", NUMBERS(RANGE(1, 3)), BY(row_shift, 0)),
    MISTAKE(WRONG_COMMON, "rows-alike", "all rows of a set get the sums of row {0}",
            "Each row has a sum of its own.", NUMBERS(RANGE(0, 3)), BY(row_held, 0)),
    MISTAKE(WRONG_COMMON, "rows-reversed", "the rows of a set get their sums in the reverse order",
            "Row r of weights belongs to row r of sums.", NO_NUMBERS, IS(rows_reversed, true)),
    MISTAKE(WRONG_COMMON, "accumulated", "a sum is not set to 0 before the thread's next point, {0} further",
            "Set all four sums to 0 in each round of the walk.", NUMBERS(STEPPED(32, 2048, 32)),
            BY(carried, 0)),
    MISTAKE(WRONG_COMMON, "accumulated-rows", "the sum is not set to 0 between the rows of a set",
            "Each row has a sum of its own.", NO_NUMBERS, IS(carried_rows, true)),
    MISTAKE(
        WRONG_COMMON, "single",
        "{0:the weights are|the values are|weights and values are|each sum so far is|weights, values and each sum so far are|weights, values and their products are|the products are} rounded to single precision",
        "Compute in double: no float, no f behind a number.", NUMBERS(RANGE(0, 6)),
        LOOK(single, 0, OF_WEIGHTS, OF_VALUES, OF_WEIGHTS | OF_VALUES, OF_SUMS, OF_ALL,
             OF_WEIGHTS | OF_VALUES | OF_PRODUCTS, OF_PRODUCTS)),
};

static bool finish(void *recipe) {
    const struct weighted *w = recipe;
    return w->held < (w->hold > 1 ? w->hold : 1) && (w->added.which != WRONG_SKIP || w->added.b < w->added.a);
}

const struct wrong_oracles wrong_weighted = {
    .axis = {{"point", "points", "point", "points"},
             {"row of sums", "rows of sums", "set * 4 + row", "sets * 4"}},
    .element = "sum",
    .elements = "sums",
    .recipe_size = sizeof(struct weighted),
    .kind_count = sizeof kinds / sizeof *kinds,
    .kinds = kinds,
    .count = count,
    .place = place,
    .features = features,
    .work = work,
    .begin = begin,
    .finish = finish,
    .type = WRONG_DOUBLES,
    .expected = expected,
};

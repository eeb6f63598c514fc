/* Wrong weighted sums as students write them, and the cause that is told: never another one. */
#include "lab/problems/weighted_sums.h"
#include "support_wrong.h"
#include <math.h>

#define MISTAKES(X)                                                                                          \
    X(NOTHING, "empty", "unwritten", "nothing is written")                                                   \
    X(NO_TERMS, "return if terms is 0", "no-terms", "nothing is written if terms is 0")                      \
    X(NO_WEIGHTS, "values only", "products", "the weights are left out")                                     \
    X(WEIGHTS_TRANSPOSED, "term * 4 + row", "weights-index", "weights[(set * terms + term) * 4 + row]")      \
    X(FIRST_SET_WEIGHTS, "no set in weights", "weights-index", "the first set's weights count for all sets") \
    X(ONE_ROW_WEIGHTS, "no row in weights", "rows-alike", "all rows of a set get the sums of row 0")         \
    X(FIRST_SET_VALUES, "no set in values", "values-index", "the first set's values count for all sets")     \
    X(SUMS_TRANSPOSED, "point * 4 + row", "sums-index", "sums[(set * points + point) * 4 + row]")            \
    X(ODD_TERM_LEFT_OUT, "terms / 2 pairs", "terms-tail", "the last terms % 2 terms are left out")           \
    X(LAST_TERM_LEFT_OUT, "term < terms - 1", "terms", "the last of the terms is left out")                  \
    X(TAIL_TWICE, "tail twice", "terms-tail", "the last terms % 4 terms are added twice")                    \
    X(ONLY_X, "only .x", "terms-skip", "of every 2 terms number 1 is left out")                              \
    X(WEIGHTS_SWAPPED, ".y before .x", "pair-weights",                                                       \
      "of every 2 terms the weights are taken in the reverse order")                                         \
    X(WEIGHTS_SWAPPED_EVEN, ".y before .x of double2", "pair-weights", "with aligned weights and an even")   \
    X(Y_FOR_BOTH, ".y for both", "pair-weight-twice",                                                        \
      "the second weight of each pair of terms counts for both")                                             \
    X(X_OF_WEIGHT, ".x for both", "pair-weight-twice",                                                       \
      "the first weight of each pair of terms counts for both")                                              \
    X(X_OF_VALUE, "first.x for first.y", "pair-values",                                                      \
      "the value of the first, in cases with aligned arrays and even numbers of terms and points")           \
    X(ONLY_48_WEIGHTS, "48 weights", "weights-wrap", "the weights of term % 48")                             \
    X(ABSOLUTE_VALUES, "|value|", "products", "the absolute values of the values")                           \
    X(PRODUCTS_IN_FLOAT, "float products", "single", "weights, values and their products")                   \
    X(CARRIED_640, "two points, no reset", "accumulated", "next point, 640 further")                         \
    X(BEYOND_640_UNWRITTEN, "640 points", "unwritten, from-warps", "point >= 640")                           \
    X(POINTS_SWAPPED, "points swapped", "pair-points",                                                       \
      "of every 2 points the sums lie in the reverse order")                                                 \
    X(X_FOR_BOTH, "one point's sum for both", "held", "of every 2 points all get the sum of number 0")       \
    X(ROWS_TURNED, "row + 1", "rows-turned", "the sums of row (r + 1) % 4")                                  \
    X(ROWS_ALIKE, "row 3 for all", "rows-alike", "all rows of a set get the sums of row 3")                  \
    X(CARRIED, "sum outside the walk", "accumulated", "next point, 1024 further")                            \
    X(CARRIED_ROWS, "one sum for all rows", "accumulated-rows", "not set to 0 between the rows")             \
    X(WEIGHTS_IN_FLOAT, "float weights", "single", "the weights are rounded to single precision")            \
    X(SUM_IN_FLOAT, "float sum", "single", "each sum so far is rounded to single precision")                 \
    X(ALL_IN_FLOAT, "float", "single", "weights, values and each sum so far are rounded")                    \
    X(ODD_POINT_UNWRITTEN, "points / 2 pairs", "unwritten, tail", "point >= points - points % 2")            \
    X(BEYOND_1024_UNWRITTEN, "no walk", "unwritten, from",                                                   \
      "nothing is written in points with point >= 1024")                                                     \
    X(UNALIGNED_UNWRITTEN, "return where unaligned", "unwritten",                                            \
      "nothing is written, in cases with unaligned values")                                                  \
    X(NOISE, "no pattern", NULL, "cases are wrong")

enum { RIGHT, MISTAKES(WRONG_NAME) KINDS };
static const struct wrong_row rows[KINDS] = {MISTAKES(WRONG_ROW)};

struct sets {
    const double *weights, *values;
    int64_t terms, points;
    bool pairs;      /* all are aligned and even */
    bool even_terms; /* the weights are aligned, and there is an even number of terms */
};

static double weight_of(unsigned which, const struct sets *s, int64_t set, int64_t row, int64_t term) {
    if (which == FIRST_SET_WEIGHTS)
        set = 0;
    if (which == ONE_ROW_WEIGHTS)
        row = 0;
    if ((which == WEIGHTS_SWAPPED || (which == WEIGHTS_SWAPPED_EVEN && s->even_terms)) &&
        (term | 1) < s->terms)
        term ^= 1;
    if (which == Y_FOR_BOTH && (term | 1) < s->terms)
        term |= 1;
    if (which == X_OF_WEIGHT && (term | 1) < s->terms)
        term &= ~INT64_C(1);
    if (which == ONLY_48_WEIGHTS)
        term %= 48;
    if (which == NO_WEIGHTS)
        return 1;
    double weight = which == WEIGHTS_TRANSPOSED ? s->weights[(set * s->terms + term) * WEIGHTED_ROWS + row]
                                                : s->weights[(set * WEIGHTED_ROWS + row) * s->terms + term];
    return which == WEIGHTS_IN_FLOAT ? (double)(float)weight : weight;
}

/* From `sum` on. */
static double sum_on(unsigned which, const struct sets *s, int64_t set, int64_t row, int64_t point,
                     double sum) {
    int64_t end = which == ODD_TERM_LEFT_OUT    ? s->terms / 2 * 2
                  : which == LAST_TERM_LEFT_OUT ? s->terms - 1
                                                : s->terms;
    int64_t values_set = which == FIRST_SET_VALUES ? 0 : set;
    for (int64_t term = 0; term < end + (which == TAIL_TWICE ? s->terms % 4 : 0); term++) {
        int64_t at = term < end ? term : term - s->terms % 4;
        double weight = weight_of(which, s, set, row, at),
               value = s->values[(values_set * s->terms + at) * s->points + point];
        if (which == X_OF_VALUE && at % 2 == 0 && s->pairs)
            value = s->values[(values_set * s->terms + at) * s->points + (point & ~INT64_C(1))];
        if (which == ABSOLUTE_VALUES)
            value = fabs(value);
        if (which == PRODUCTS_IN_FLOAT)
            value = (double)((float)weight * (float)value), weight = 1;
        if (which == ONLY_X && at % 2 == 1)
            continue;
        sum = which == ALL_IN_FLOAT   ? (double)fmaf((float)weight, (float)value, (float)sum)
              : which == SUM_IN_FLOAT ? (double)(float)(sum + weight * value)
                                      : fma(weight, value, sum);
    }
    return sum;
}

static double result(unsigned which, const struct sets *s, int64_t set, int64_t row, int64_t point) {
    double sum = 0;
    switch (which) {
    case POINTS_SWAPPED: point = (point | 1) < s->points ? point ^ 1 : point; break;
    case X_FOR_BOTH: point &= ~INT64_C(1); break;
    case ROWS_TURNED: row = (row + 1) % WEIGHTED_ROWS; break;
    case ROWS_ALIKE: row = 3; break;
    case CARRIED:
        for (int64_t before = point % 1024; before < point; before += 1024)
            sum = sum_on(which, s, set, row, before, sum);
        break;
    case CARRIED_640:
        for (int64_t before = point % 640; before < point; before += 640)
            sum = sum_on(which, s, set, row, before, sum);
        break;
    case CARRIED_ROWS:
        for (int64_t before = 0; before < row; before++)
            sum = sum_on(which, s, set, before, point, sum);
        break;
    default: break;
    }
    return sum_on(which, s, set, row, point, sum);
}

static bool is_skipped(unsigned which, const struct problem_case *c, int64_t point) {
    const int64_t *s = c->size;
    return which == NOTHING || (which == NO_TERMS && s[WEIGHTED_TERMS] == 0) ||
           (which == ODD_POINT_UNWRITTEN && s[WEIGHTED_POINTS] % 2 != 0 && point == s[WEIGHTED_POINTS] - 1) ||
           (which == BEYOND_1024_UNWRITTEN && point >= 1024) ||
           (which == BEYOND_640_UNWRITTEN && point >= 640) ||
           (which == UNALIGNED_UNWRITTEN && s[WEIGHTED_SHIFT_VALUES] > 0);
}

static void function(unsigned which, const struct problem_case *c, const void *const inputs[], void *output) {
    const int64_t *size = c->size;
    struct sets s = {(const double *)inputs[WEIGHTED_WEIGHTS] + size[WEIGHTED_SHIFT_WEIGHTS],
                     (const double *)inputs[WEIGHTED_VALUES] + size[WEIGHTED_SHIFT_VALUES],
                     size[WEIGHTED_TERMS],
                     size[WEIGHTED_POINTS],
                     (size[WEIGHTED_TERMS] | size[WEIGHTED_POINTS] | size[WEIGHTED_SHIFT_WEIGHTS] |
                      size[WEIGHTED_SHIFT_VALUES] | size[WEIGHTED_SHIFT_SUMS]) %
                             2 ==
                         0,
                     (size[WEIGHTED_TERMS] | size[WEIGHTED_SHIFT_WEIGHTS]) % 2 == 0};
    double *sums = (double *)output + size[WEIGHTED_SHIFT_SUMS];
    for (int64_t set = 0; set < size[WEIGHTED_SETS]; set++)
        for (int64_t row = 0; row < WEIGHTED_ROWS; row++)
            for (int64_t point = 0; point < s.points; point++) {
                int64_t at = which == SUMS_TRANSPOSED ? (set * s.points + point) * WEIGHTED_ROWS + row
                                                      : (set * WEIGHTED_ROWS + row) * s.points + point;
                if (is_skipped(which, c, point))
                    continue;
                sums[at] = result(which, &s, set, row, point);
                if (which == NOISE && wrong_scatter((uint32_t)at + (uint32_t)s.points * 7919u) % 50 == 0)
                    sums[at] += 1 + wrong_scatter((uint32_t)at) % 100;
            }
}

int main(void) {
    return wrong_suite(&problem_weighted_sums, function, rows, KINDS);
}

/* wrong_increment.c: what can be wrong with x[i] + 1, and with a polynomial at x[i]. */
#include "lab/problems/diagnosis/wrong_row.h"
#include "lab/problems/increment.h"
#include "lab/problems/sums.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What an element of part A becomes. */
enum change {
    PLUS,
    TIMES_2,
    INDEX_PLUS_1,
    PLUS_INDEX,
    ONLY_1,
    WHOLE_PLUS_1,
    SQUARED,
    NEGATED_X,
    THROUGH_INT,      /* (int)x + 1 in whole numbers */
    THROUGH_UNSIGNED, /* the same, unsigned */
    RESULT_TO_INT,    /* (int)(x + 1) */
    ROUNDED_PLUS_1,
    INCREMENTED_TWICE_BY_HALF /* x + 0.5 + 0.5: not the same where x is large */
};

enum series {
    RIGHT,
    REVERSED,
    TIMES_X,     /* x to the power of j + 1 */
    POWER_LESS,  /* x to the power of j - 1 from the second term on */
    DERIVED,     /* times j */
    AT_1,        /* x is 1 */
    X_SQUARED,   /* at x * x */
    NEGATED,     /* at -x */
    ABSOLUTE,    /* at |x| */
    LAST_TERM,   /* only the last term */
    TWICE_FIRST, /* c[0] twice */
    NEXT,        /* c[j + 1] */
    PREVIOUS,    /* c[j - 1], and 0 for the first */
    FIRST_ONLY,  /* c[0] for all */
    LAST_AGAIN,  /* and c[count - 1] x^count besides */
    NO_CONSTANT, /* without c[0], and the powers of the others one too low */
    ODD_WITHOUT_X,
    EVEN_WITH_X,
    ODD_BY_SQUARE,
    ODD_EVEN_SWAPPED,
    EVEN_ONLY,
    ODD_ONLY,
    /* the step of the loop is another */
    BY_COEFFICIENT,  /* sum * c[j] + x */
    SUM_OF_PRODUCTS, /* sum + c[j] * x */
    SUM_ONLY,        /* sum + c[j] */
    PLUS_THEN_TIMES, /* sum * (x + c[j]) */
    /* what is no number */
    NEGATIVE_NAN,
    NOT_POSITIVE_NAN
};

/* What an element gets whose neighbour there is not. */
enum beyond { BEYOND_UNKNOWN, BEYOND_UNTOUCHED, BEYOND_LAST };

struct increment {
    const struct wrong_tried *tried;
    const float *x, *c, *got;
    int64_t n, count, elements;
    bool polynomial, exact, of_a, of_b; /* the mistake is one of part A, of part B */
    int64_t shift;
    enum beyond beyond;
    int hold, held;
    bool unwritten;
    /* part A */
    enum change change;
    int quarters; /* what is added, in quarters */
    int times;
    int64_t block, step; /* block b increments elements b * step to b * step + block - 1 */
    enum wrong_precision results, points, coefficients, each;
    /* part B */
    struct wrong_terms terms;
    enum series series;
    bool fused;
    int carried;
    int64_t carried_stride;
    int work, like; /* a thread's elements, `stride` apart: all get the result of one */
    int64_t stride;
    int64_t wrap; /* c[j % wrap] for c[j]; 0: not so */
    int rows;     /* 1: loaded side by side, stored `stride` apart; 2: the other way round */
    int constant; /* stored in place of a result; INT32_MIN: none */
};

/* ---- part A */

static int64_t times(const struct increment *k, int64_t i) {
    if (k->block == 0)
        return k->times;
    int64_t last = i / k->step, first = i < k->block ? 0 : (i - k->block) / k->step + 1;
    return last - first + 1;
}

/* As the GPU converts: cut, kept to the range, 0 for what is no number. */
static int64_t as_whole(float x, int64_t least, int64_t most) {
    double whole = trunc((double)x);
    return isnan(x) ? 0 : whole < (double)least ? least : whole > (double)most ? most : (int64_t)whole;
}

static float incremented(const struct increment *k, int64_t i) {
    float x = (float)wrong_shortened((double)k->x[i], k->points);
    switch (k->change) {
    case PLUS: break;
    case TIMES_2: return x * 2;
    case INDEX_PLUS_1: return (float)i + 1;
    case PLUS_INDEX: return x + (float)i;
    case ONLY_1: return 1;
    case WHOLE_PLUS_1: return truncf(x) + 1;
    case SQUARED: return x * x;
    case NEGATED_X: return -x;
    case THROUGH_INT: return (float)(int32_t)((uint32_t)as_whole(x, INT32_MIN, INT32_MAX) + 1);
    case THROUGH_UNSIGNED: return (float)((uint32_t)as_whole(x, 0, UINT32_MAX) + 1);
    case RESULT_TO_INT: return (float)as_whole(x + 1, INT32_MIN, INT32_MAX);
    case ROUNDED_PLUS_1: return rintf(x) + 1;
    case INCREMENTED_TWICE_BY_HALF: return x + 0.5F + 0.5F;
    }
    for (int64_t t = times(k, i); t > 0; t--)
        x += (float)k->quarters / 4;
    return (float)wrong_shortened((double)x, k->results);
}

/* ---- part B */

static double coefficient(const struct increment *k, int64_t j) {
    int64_t at = j;
    switch (k->series) {
    case REVERSED: at = k->count - 1 - j; break;
    case NEXT: at = j + 1; break;
    case PREVIOUS: at = j - 1; break;
    case FIRST_ONLY: at = 0; break;
    case LAST_TERM: return j == k->count - 1 ? (double)k->c[j] : 0;
    case TWICE_FIRST: return (double)k->c[j] * (j == 0 ? 2 : 1);
    case DERIVED: return j + 1 < k->count ? (double)k->c[j + 1] * (double)(j + 1) : 0;
    default: break;
    }
    if (k->wrap > 0)
        at %= k->wrap;
    return at < 0 || at >= k->count ? 0 : (double)k->c[at];
}

/* The power of x that belongs to term j, where odd and even ones are summed apart; -1: the term is left out. */
static int64_t power_apart(enum series series, int64_t j) {
    int64_t odd = j % 2;
    switch (series) {
    case ODD_WITHOUT_X: return j - odd;
    case EVEN_WITH_X: return j + 1 - odd;
    case ODD_BY_SQUARE: return j + odd;
    case ODD_EVEN_SWAPPED: return j + 1 - 2 * odd;
    case EVEN_ONLY: return odd == 0 ? j : -1;
    case ODD_ONLY: return odd == 1 ? j : -1;
    default: return j;
    }
}

/* Odd and even powers apart; or another step of the loop. */
static double other_sum(const struct increment *k, int64_t i, double *size) {
    double x = (double)k->x[i], sum = 0, square = x * x;
    *size = 0;
    if (k->series == NEGATIVE_NAN || k->series == NOT_POSITIVE_NAN) {
        if (x < 0 || (x == 0 && k->series == NOT_POSITIVE_NAN))
            return (double)NAN;
        for (int64_t j = k->count; j-- > 0; *size = *size * x + fabs((double)k->c[j]))
            sum = sum * x + (double)k->c[j];
        return sum;
    }
    if (k->series < BY_COEFFICIENT) {
        /* Terms of one parity share a power of x * x, times x to a power of 0 to 2. */
        double of[2] = {0, 0}, of_size[2] = {0, 0};
        for (int64_t j = k->count; j-- > 0;) {
            double c = power_apart(k->series, j) < 0 ? 0 : (double)k->c[j];
            of[j % 2] = of[j % 2] * square + c;
            of_size[j % 2] = of_size[j % 2] * square + fabs(c);
        }
        for (int64_t odd = 0; odd < 2; odd++) {
            int64_t power = power_apart(k->series, 2 + odd) - 2;
            double factor = power <= 0 ? 1 : power == 1 ? x : square;
            sum += of[odd] * factor;
            *size += of_size[odd] * fabs(factor);
        }
        return sum;
    }
    for (int64_t j = k->count; j-- > 0;) {
        double c = (double)k->c[j];
        switch (k->series) {
        case BY_COEFFICIENT: sum = sum * c + x, *size = *size * fabs(c) + fabs(x); break;
        case SUM_OF_PRODUCTS: sum += c * x, *size += fabs(c * x); break;
        case SUM_ONLY: sum += c, *size += fabs(c); break;
        default: sum *= x + c, *size = 0; break;
        }
    }
    return sum;
}

/* Horner's rule, from what the element before left where that is carried on. */
static double horner(const struct increment *k, int64_t i, double *size) {
    double x = i < k->n ? (double)k->x[i] : 0, sum = 0;
    if (k->series >= ODD_WITHOUT_X)
        return other_sum(k, i, size);
    *size = 0;
    if (k->carried > 1 && i / k->carried_stride % k->carried != 0)
        sum = horner(k, i - k->carried_stride, size);
    x = k->series == AT_1        ? 1
        : k->series == X_SQUARED ? x * x
        : k->series == NEGATED   ? -x
        : k->series == ABSOLUTE  ? fabs(x)
                                 : x;
    x = wrong_shortened(x, k->points);
    int64_t lowest = k->terms.which == WRONG_NO_LOW_TAIL ? k->count % k->terms.a
                     : k->series == NO_CONSTANT          ? 1
                                                         : 0;
    if (k->series == LAST_AGAIN && k->count > 0) {
        sum = wrong_shortened((double)k->c[k->count - 1], k->coefficients);
        *size = fabs(sum);
    }
    for (int64_t j = k->count; j-- > lowest;) {
        double c = wrong_has_term(&k->terms, j, k->count)
                       ? wrong_shortened(coefficient(k, j), k->coefficients)
                       : 0,
               product = sum * x;
        *size = *size * fabs(x) + fabs(c);
        sum = wrong_shortened((k->fused ? product : wrong_shortened(product, k->each)) + c, k->each);
    }
    if (k->series == TIMES_X) {
        sum *= x;
        *size *= fabs(x);
    }
    return sum;
}

/* ---- an element */

/* The element whose result lies here; -1: none. */
static int64_t origin(const struct increment *k, uint64_t index) {
    int64_t i = (int64_t)index;
    if (k->hold > 1)
        i = i - i % k->hold + k->held;
    if (k->rows != 0) {
        int64_t side = k->rows == 1 ? k->stride : k->work, at = i % (k->work * k->stride);
        return i - at + at % side * (k->work * k->stride / side) + at / side;
    }
    if (k->work > 1)
        i = i - i % (k->work * k->stride) + i % k->stride + k->like * k->stride;
    i += k->shift;
    if (k->beyond == BEYOND_LAST)
        i = i < 0 ? 0 : i >= k->n ? k->n - 1 : i;
    return i < 0 || i >= k->n ? -1 : i;
}

static struct wrong_element expected(const void *recipe, uint64_t index) {
    const struct increment *k = recipe;
    int64_t i = origin(k, index);
    double size = 0;
    if ((int64_t)index >= k->n || k->unwritten || (k->block == 0 && k->times == 0))
        return (struct wrong_element){.status = WRONG_UNWRITTEN};
    if (i < 0)
        return (struct wrong_element){.status =
                                          k->beyond == BEYOND_UNTOUCHED ? WRONG_UNWRITTEN : WRONG_UNKNOWN};
    struct wrong_element e = {.value = k->constant, .bound = k->polynomial ? 0 : WRONG_SAME_BITS};
    if (k->constant == INT32_MIN)
        e.value = k->polynomial ? horner(k, i, &size) : (double)incremented(k, i);
    if (k->polynomial && !k->exact)
        e.bound = sums_bound(k->count, size);
    return e;
}

static unsigned group(const struct problem_case *c) {
    return (unsigned)c->size[INCREMENT_PART];
}

static uint64_t count(const struct problem_case *c) {
    return c->size[INCREMENT_N] > 0 ? (uint64_t)c->size[INCREMENT_N] : 1;
}

static void place(const struct problem_case *c, uint64_t index, struct wrong_place *p) {
    *p = (struct wrong_place){.at = {(int64_t)index, 0}, .extent = {c->size[INCREMENT_N], 1}};
    p->outside = (int64_t)index >= c->size[INCREMENT_N];
}

static unsigned features(const struct problem_case *c, struct wrong_feature *f) {
    f[0] = (struct wrong_feature){"n", c->size[INCREMENT_N], WRONG_COUNTS};
    f[1] = (struct wrong_feature){"count", c->size[INCREMENT_COEFFICIENTS], WRONG_COUNTS};
    return c->size[INCREMENT_PART] == INCREMENT_A ? 1 : 2;
}

static void work(const struct problem_case *c, uint64_t *recipe, uint64_t *element) {
    *recipe = 40;
    *element = 30 + 4 * (uint64_t)c->size[INCREMENT_COEFFICIENTS];
}

/* ---- the recipe */

static void begin(const struct wrong_tried *tried, void *recipe) {
    const int64_t *s = tried->problem_case->size;
    struct increment *k = recipe;
    *k = (struct increment){.tried = tried,
                            .x = tried->input[INCREMENT_X],
                            .c = tried->input[INCREMENT_C],
                            .got = tried->got,
                            .n = s[INCREMENT_N],
                            .count = s[INCREMENT_COEFFICIENTS],
                            .polynomial = s[INCREMENT_PART] == INCREMENT_B,
                            .exact = tried->problem_case->pattern == PATTERN_ROWS_COLUMNS,
                            .quarters = 4,
                            .times = 1,
                            .fused = true,
                            .constant = INT32_MIN};
}

#define RECIPE struct increment

static void shorten_results(void *recipe, const int *number) {
    struct increment *k = recipe;
    k->results = (enum wrong_precision)number[0];
    k->points = number[1] == 1 ? k->results : WRONG_EXACT;
}

/* x, the coefficients, or both. */
static void shorten_inputs(void *recipe, const int *number) {
    struct increment *k = recipe;
    enum wrong_precision precision = (enum wrong_precision)number[0];
    k->points = number[1] != 2 ? precision : WRONG_EXACT;
    k->coefficients = number[1] != 1 ? precision : WRONG_EXACT;
}

#define COVERS                                                                                               \
    "Does a thread get to each of them: does the grid round up, does none return before its store, does the loop over a thread's elements reach the last?"

static const struct wrong_kind kinds[] = {
    MISTAKE(WRONG_SOMEWHERE, "unwritten", "nothing is written", COVERS, NO_NUMBERS, IS(of_b, true),
            IS(unwritten, true)),
    MISTAKE(WRONG_SOMEWHERE, "unchanged", "nothing is incremented", COVERS, NO_NUMBERS, IS(of_a, true),
            IS(unwritten, true)),
    MISTAKE(WRONG_SOMEWHERE, "constant", "every result is {0}", NULL, NUMBERS(RANGE(-1, 2)), BY(constant, 0)),
    MISTAKE(WRONG_COMMON, "amount", "{0} is added",
            "Is each element incremented once? Two threads, or two blocks, may take the same.",
            NUMBERS(RANGE(2, 32)), IS(of_a, true), SCALED(quarters, 0, 4)),
    MISTAKE(WRONG_COMMON, "subtracted", "{0} is subtracted", "Add 1.", NUMBERS(RANGE(1, 8)), IS(of_a, true),
            SCALED(quarters, 0, -4)),
    MISTAKE(WRONG_COMMON | WRONG_LAST, "times", "1 is added {0} times",
            "Is each element incremented once? Two threads, or two blocks, may take the same.",
            NUMBERS(RANGE(2, 32)), IS(of_a, true), BY(times, 0)),
    MISTAKE(WRONG_COMMON, "halves", "{0} / 4 is added", "Add 1.", NUMBERS(STEPPED(-7, 7, 2)), IS(of_a, true),
            BY(quarters, 0)),
    MISTAKE(WRONG_COMMON, "change",
            "x[i] becomes {0:2 * x[i]|i + 1|x[i] + i|1|x[i] as a whole number + 1|x[i] * x[i]|-x[i]}", NULL,
            NUMBERS(RANGE(TIMES_2, NEGATED_X)), IS(of_a, true), BY(change, 0)),
    MISTAKE(
        WRONG_COMMON, "through-int",
        "{0:x[i] goes through an int: its fraction is cut before 1 is added|x[i] goes through an unsigned int before 1 is added|x[i] + 1 goes through an int|x[i] is rounded to a whole number before 1 is added|0.5 is added twice}",
        "x[i] is a float, and stays one: x[i] + 1.0f.",
        NUMBERS(RANGE(THROUGH_INT, INCREMENTED_TWICE_BY_HALF)), IS(of_a, true), BY(change, 0)),
    MISTAKE(
        WRONG_COMMON, "series",
        "{0:the coefficients are taken in the reverse order|each power of x is one too high|each power of x but the first is one too low|the derivative is computed|x is taken as 1|x * x is taken for x|-x is taken for x|the absolute value of x is taken for x|only the last term is added|c[0] is added twice|c[j + 1] is taken for c[j], or, which comes to the same, the last step of the loop, which adds c[0], is missing|c[j - 1] is taken for c[j]|c[0] is taken for every coefficient|c[count - 1] times x to the power of count is added besides|c[0] is left out, and each power of x is one too low}",
        "c[j] belongs to x to the power of j.", NUMBERS(RANGE(REVERSED, NO_CONSTANT)), IS(of_b, true),
        BY(series, 0)),
    MISTAKE(
        WRONG_COMMON, "recurrence",
        "{0:the sum of the odd terms is not multiplied by x|the sum of the even terms is multiplied by x|the sum of the odd terms is multiplied by x * x|the sum of the even terms is multiplied by x in place of that of the odd terms|only the even terms are added|only the odd terms are added|sum * c[j] + x is computed in place of sum * x + c[j]|each c[j] is multiplied by x, and not by x to the power of j|the coefficients are added without x|sum * (x + c[j]) is computed in place of sum * x + c[j]}",
        "c[j] belongs to x to the power of j: sum = sum * x + c[j], from the last j down to 0.",
        NUMBERS(RANGE(ODD_WITHOUT_X, PLUS_THEN_TIMES)), IS(of_b, true), BY(series, 0)),
    MISTAKE(
        WRONG_COMMON, "negative-nan",
        "{0:each result whose x is negative is NaN|each result whose x is negative or 0 is NaN}, and the others are right",
        "A negative number has no logarithm, and powf and __powf may use one: multiply instead.",
        NUMBERS(RANGE(NEGATIVE_NAN, NOT_POSITIVE_NAN)), IS(of_b, true), BY(series, 0)),
    MISTAKE(WRONG_COMMON, "terms",
            "the {1:first|last} {0:term is|2 terms are|3 terms are|4 terms are} left out", NULL,
            NUMBERS(RANGE(1, 4), RANGE(WRONG_FROM, WRONG_WITHOUT_LAST)), IS(of_b, true), BY(terms.which, 1),
            BY(terms.a, 0)),
    MISTAKE(
        WRONG_COMMON, "terms-tail",
        "{1:only the first|the last count %|only the last block of} {0} terms are {1:added|left out|added}",
        "count is any number, from 0 on: does the array that holds the coefficients, and the loop, have room for all?",
        NUMBERS(DOUBLING(2, 1024), RANGE(WRONG_FIRST, WRONG_LAST_BLOCK)), IS(of_b, true), BY(terms.which, 1),
        BY(terms.a, 0)),
    MISTAKE(
        WRONG_COMMON, "terms-low",
        "the first count % {0} terms are left out, and the powers of the others are too low by as many",
        "count is any number, from 0 on: does the array that holds the coefficients, and the loop, have room for all?",
        NUMBERS(DOUBLING(2, 64)), IS(of_b, true), IS(terms.which, WRONG_NO_LOW_TAIL), BY(terms.a, 0)),
    MISTAKE(WRONG_PAIRED, "terms-skip", "of every {0} terms number {1} is left out", NULL,
            NUMBERS(DOUBLING(2, 32), RANGE(0, 31)), IS(of_b, true), IS(terms.which, WRONG_SKIP),
            BY(terms.a, 0), BY(terms.b, 1)),
    MISTAKE(WRONG_COMMON, "shifted", "element i gets the result of element i {+0}", NULL,
            NUMBERS(RANGE(-32, 32)), BY(shift, 0)),
    MISTAKE(
        WRONG_LAST, "shifted",
        "element i gets the result of element i {+0}, and where there is none {1:it stays as it is|of the outermost}",
        NULL, NUMBERS(RANGE(-32, 32), RANGE(1, 2)), BY(shift, 0), BY(beyond, 1)),
    MISTAKE(WRONG_COMMON, "held", "of every {0} elements all get the result of number {1}", NULL,
            NUMBERS(DOUBLING(2, 32), RANGE(0, 31)), BY(hold, 0), BY(held, 1)),
    MISTAKE(WRONG_ALONE, "overlap", "each block takes {0} elements and begins {1} after the one before",
            "Each element belongs to one block.", NUMBERS(DOUBLING(2, 1 << 14), DOUBLING(1, 1 << 13)),
            IS(of_a, true), BY(block, 0), BY(step, 1)),
    MISTAKE(WRONG_COMMON, "accumulated",
            "the sum is not set to 0 between the {0} neighbouring elements of a thread", NULL,
            NUMBERS(RANGE(2, 32)), IS(of_b, true), BY(carried, 0), IS(carried_stride, 1)),
    MISTAKE(WRONG_ALONE, "accumulated-apart",
            "the sum is not set to 0 between the {0} elements of a thread, {1} apart", NULL,
            NUMBERS(RANGE(2, 32), DOUBLING(32, 1024)), IS(of_b, true), BY(carried, 0), BY(carried_stride, 1)),
    MISTAKE(WRONG_ALONE, "like-first",
            "of a thread's {0} elements, {1} apart, all get the result of number {2}",
            "Each element of a thread has an x and a sum of its own.",
            NUMBERS(RANGE(2, 32), DOUBLING(32, 1024), RANGE(0, 3)), IS(of_b, true), BY(work, 0),
            BY(stride, 1), BY(like, 2)),
    MISTAKE(
        WRONG_ALONE, "other-stride",
        "a thread's {0} elements lie side by side where they are {2:loaded|stored}, and {1} apart where they are {2:stored|loaded}",
        "Load and store with the same index.", NUMBERS(DOUBLING(2, 32), DOUBLING(32, 1024), RANGE(1, 2)),
        IS(of_b, true), BY(work, 0), BY(stride, 1), BY(rows, 2)),
    MISTAKE(WRONG_COMMON, "coefficients-wrap", "c[j % {0}] is taken for c[j]",
            "count goes up to 4096: does the array that holds the coefficients have room for all?",
            NUMBERS(DOUBLING(2, 2048)), IS(of_b, true), BY(wrap, 0)),
    MISTAKE(
        WRONG_COMMON, "short",
        "{1:each result is|x[i] and each result are} {0:rounded to half precision|rounded to bfloat16|rounded to TF32|cut to bfloat16|cut to TF32}",
        "Compute in float.", NUMBERS(RANGE(WRONG_HALF, WRONG_TF32_CUT), RANGE(0, 1)), IS(of_a, true),
        CALL(shorten_results, 0)),
    MISTAKE(
        WRONG_COMMON, "short-inputs",
        "{1:x[i] is|the coefficients are|x[i] and the coefficients are} {0:rounded to half precision|rounded to bfloat16|rounded to TF32|cut to bfloat16|cut to TF32}",
        "Compute in float.", NUMBERS(RANGE(WRONG_HALF, WRONG_TF32_CUT), RANGE(1, 3)), IS(of_b, true),
        CALL(shorten_inputs, 0)),
    MISTAKE(
        WRONG_COMMON, "short-each",
        "x, the coefficients and each {1:product and sum|sum} are {0:rounded to half precision|rounded to bfloat16|rounded to TF32|cut to bfloat16|cut to TF32}",
        "Compute in float.", NUMBERS(RANGE(WRONG_HALF, WRONG_TF32_CUT), RANGE(0, 1)), IS(of_b, true),
        BY(points, 0), BY(coefficients, 0), BY(each, 0), IF(fused, 1, 1)),
};

static bool finish(void *recipe) {
    const struct increment *k = recipe;
    return !(k->of_a && k->polynomial) && !(k->of_b && !k->polynomial) &&
           k->held < (k->hold > 1 ? k->hold : 1) && k->like < (k->work > 1 ? k->work : 1) &&
           (k->terms.which != WRONG_SKIP || k->terms.b < k->terms.a) && (k->block == 0 || k->step < k->block);
}

static const char *const group_names[] = {"Part A", "Part B"};

const struct wrong_oracles wrong_increment = {
    .axis = {{"element", "elements", "i", "n"}},
    .element = "element",
    .elements = "elements",
    .recipe_size = sizeof(struct increment),
    .kind_count = sizeof kinds / sizeof *kinds,
    .kinds = kinds,
    .group = group,
    .group_names = group_names,
    .count = count,
    .place = place,
    .features = features,
    .work = work,
    .begin = begin,
    .finish = finish,
    .type = WRONG_FLOATS,
    .expected = expected,
};

/* wrong_increment.c: what can be wrong with x[i] + 1, and with a polynomial at x[i]. */
#include "lab/problems/diagnosis/wrong_oracle.h"
#include "lab/problems/increment.h"

#include <float.h>
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

/* Which terms of the polynomial are added. */
enum terms { ALL, FROM, WITHOUT_LAST, FIRST, NO_TAIL, LAST_BLOCK, SKIP, NO_LOW_TAIL };

enum series {
    RIGHT,
    REVERSED,
    TIMES_X,     /* x to the power of j + 1 */
    POWER_LESS,  /* x to the power of j - 1 from the second term on */
    DERIVED,     /* times j */
    AT_1,        /* x is 1 */
    X_SQUARED,   /* at x * x */
    NEGATED,     /* at -x */
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
    bool polynomial, exact;
    int64_t shift;
    enum beyond beyond;
    int hold, held;
    bool unwritten;
    /* part A */
    enum change change;
    float amount;
    int times;
    int64_t block, step; /* block b increments elements b * step to b * step + block - 1 */
    enum wrong_precision results, points, coefficients, each;
    /* part B */
    enum terms terms;
    int64_t terms_a, terms_b;
    enum series series;
    bool fused;
    int carried;
    int64_t carried_stride;
    int work, like; /* a thread's elements, `stride` apart: all get the result of one */
    int64_t stride;
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
        x += k->amount;
    return (float)wrong_shortened((double)x, k->results);
}

/* ---- part B */

static bool has_term(const struct increment *k, int64_t j) {
    int64_t a = k->terms_a > 0 ? k->terms_a : 1;
    switch (k->terms) {
    case ALL: return true;
    case FROM: return j >= a;
    case WITHOUT_LAST: return j < k->count - a;
    case FIRST: return j < a;
    case NO_TAIL: return j < k->count / a * a;
    case LAST_BLOCK: return j >= (k->count - 1) / a * a;
    case SKIP: return j % a != k->terms_b;
    case NO_LOW_TAIL: return j >= k->count % a;
    }
    return true;
}

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
    double x = (double)k->x[i], sum = 0;
    if (k->series >= ODD_WITHOUT_X)
        return other_sum(k, i, size);
    *size = 0;
    if (k->carried > 1 && i / k->carried_stride % k->carried != 0)
        sum = horner(k, i - k->carried_stride, size);
    x = k->series == AT_1 ? 1 : k->series == X_SQUARED ? x * x : k->series == NEGATED ? -x : x;
    x = wrong_shortened(x, k->points);
    int64_t lowest = k->terms == NO_LOW_TAIL ? k->count % k->terms_a : k->series == NO_CONSTANT ? 1 : 0;
    if (k->series == LAST_AGAIN && k->count > 0) {
        sum = wrong_shortened((double)k->c[k->count - 1], k->coefficients);
        *size = fabs(sum);
    }
    for (int64_t j = k->count; j-- > lowest;) {
        double c = has_term(k, j) ? wrong_shortened(coefficient(k, j), k->coefficients) : 0,
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

static bool is_poison(const struct increment *k, float got) {
    uint8_t bytes[sizeof got];
    memcpy(bytes, &got, sizeof got);
    return bytes[0] == k->tried->poison && bytes[1] == bytes[0] && bytes[2] == bytes[0] &&
           bytes[3] == bytes[0];
}

static bool untouched(const void *recipe, uint64_t index) {
    const struct increment *k = recipe;
    return k->polynomial ? is_poison(k, k->got[index]) : wrong_same_float(k->got[index], k->x[index]);
}

/* The element whose result lies here; -1: none. */
static int64_t origin(const struct increment *k, uint64_t index) {
    int64_t i = (int64_t)index;
    if (k->hold > 1)
        i = i - i % k->hold + k->held;
    if (k->work > 1)
        i = i - i % (k->work * k->stride) + i % k->stride + k->like * k->stride;
    i += k->shift;
    if (k->beyond == BEYOND_LAST)
        i = i < 0 ? 0 : i >= k->n ? k->n - 1 : i;
    return i < 0 || i >= k->n ? -1 : i;
}

static bool expected(const struct increment *k, uint64_t index, double *value, double *bound) {
    int64_t i = origin(k, index);
    double size = 0;
    if (i < 0)
        return false;
    *bound = 0;
    if (k->constant != INT32_MIN)
        *value = k->constant;
    else if (!k->polynomial)
        *value = (double)incremented(k, i);
    else
        *value = horner(k, i, &size);
    if (k->polynomial && !k->exact)
        *bound = ((double)k->count + 4) * 0x1p-23 * size + (double)FLT_MIN;
    return true;
}

static bool gives(const void *recipe, uint64_t index) {
    const struct increment *k = recipe;
    double value, bound;
    float got = k->got[index];
    if ((int64_t)index >= k->n || k->unwritten || (k->block == 0 && k->times == 0))
        return untouched(k, index);
    if (!expected(k, index, &value, &bound))
        return k->beyond == BEYOND_UNTOUCHED && untouched(k, index);
    if (!k->polynomial)
        return wrong_same_float(got, (float)value);
    if (is_poison(k, got))
        return false;
    return isnan(value) ? isnan(got) : fabs((double)got - value) <= bound;
}

static bool values(const void *recipe, uint64_t index, double *got, double *right) {
    const struct increment *k = recipe;
    double bound;
    *got = (double)k->got[index];
    return (int64_t)index < k->n && expected(k, index, right, &bound);
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
                            .amount = 1,
                            .times = 1,
                            .fused = true,
                            .constant = INT32_MIN};
}

enum kind {
    NOTHING,
    UNCHANGED,
    CONSTANT,
    AMOUNT,
    SUBTRACTED,
    TIMES,
    HALVES,
    CHANGE,
    THROUGH,
    SERIES,
    RECURRENCE,
    NO_NUMBER,
    TERMS,
    TERMS_BLOCK,
    LOW_TERMS,
    TERMS_SKIP,
    NEIGHBOUR,
    NEIGHBOUR_EDGE,
    HELD,
    OVERLAP,
    CARRIED,
    CARRIED_APART,
    LIKE_FIRST,
    SHORT,
    SHORT_INPUTS,
    SHORT_EACH,
};

#define COVERS                                                                                               \
    "Does a thread get to each of them: does the grid round up, does none return before its store, does the loop over a thread's elements reach the last?"

static const struct wrong_kind kinds[] = {
    [NOTHING] = {"unwritten", "nothing is written", COVERS, {{0}}, WRONG_SOMEWHERE},
    [UNCHANGED] = {"unchanged", "nothing is incremented", COVERS, {{0}}, WRONG_SOMEWHERE},
    [CONSTANT] = {"constant", "every result is {0}", NULL, {{-1, 2, 1}}, WRONG_SOMEWHERE},
    [AMOUNT] = {"amount",
                "{0} is added",
                "Is each element incremented once? Two threads, or two blocks, may take the same.",
                {{2, 32, 1}},
                WRONG_COMMON},
    [SUBTRACTED] = {"subtracted", "{0} is subtracted", "Add 1.", {{1, 8, 1}}, WRONG_COMMON},
    [TIMES] = {"times",
               "1 is added {0} times",
               "Is each element incremented once? Two threads, or two blocks, may take the same.",
               {{2, 32, 1}},
               WRONG_COMMON | WRONG_LAST},
    [HALVES] = {"halves", "{0} / 4 is added", "Add 1.", {{-7, 7, 2}}, WRONG_COMMON},
    [CHANGE] = {"change",
                "x[i] becomes {0:2 * x[i]|i + 1|x[i] + i|1|x[i] as a whole number + 1|x[i] * x[i]|-x[i]}",
                NULL,
                {{TIMES_2, NEGATED_X, 1}},
                WRONG_COMMON},
    [THROUGH] =
        {"through-int",
         "{0:x[i] goes through an int: its fraction is cut before 1 is added|x[i] goes through an unsigned int before 1 is added|x[i] + 1 goes through an int|x[i] is rounded to a whole number before 1 is added|0.5 is added twice}",
         "x[i] is a float, and stays one: x[i] + 1.0f.",
         {{THROUGH_INT, INCREMENTED_TWICE_BY_HALF, 1}},
         WRONG_COMMON},
    [RECURRENCE] =
        {"recurrence",
         "{0:the sum of the odd terms is not multiplied by x|the sum of the even terms is multiplied by x|the sum of the odd terms is multiplied by x * x|the sum of the even terms is multiplied by x in place of that of the odd terms|only the even terms are added|only the odd terms are added|sum * c[j] + x is computed in place of sum * x + c[j]|each c[j] is multiplied by x, and not by x to the power of j|the coefficients are added without x|sum * (x + c[j]) is computed in place of sum * x + c[j]}",
         "c[j] belongs to x to the power of j: sum = sum * x + c[j], from the last j down to 0.",
         {{ODD_WITHOUT_X, PLUS_THEN_TIMES, 1}},
         WRONG_COMMON},
    [NO_NUMBER] =
        {"negative-nan",
         "{0:each result whose x is negative is NaN|each result whose x is negative or 0 is NaN}, and the others are right",
         "The logarithm of a negative number is none, and powf and __powf may go by it: multiply.",
         {{NEGATIVE_NAN, NOT_POSITIVE_NAN, 1}},
         WRONG_COMMON},
    [SERIES] =
        {"series",
         "{0:the coefficients are taken in the reverse order|each power of x is one too high|each power of x but the first is one too low|the derivative is computed|x is taken as 1|x * x is taken for x|-x is taken for x|only the last term is added|c[0] is added twice|c[j + 1] is taken for c[j], or, which comes to the same, the last step of the loop, which adds c[0], is missing|c[j - 1] is taken for c[j]|c[0] is taken for every coefficient|c[count - 1] times x to the power of count is added besides|c[0] is left out, and each power of x is one too low}",
         "c[j] belongs to x to the power of j.",
         {{REVERSED, NO_CONSTANT, 1}},
         WRONG_COMMON},
    [TERMS] = {"terms",
               "the {1:first|last} {0:term is|2 terms are|3 terms are|4 terms are} left out",
               NULL,
               {{1, 4, 1}, {FROM, WITHOUT_LAST, 1}},
               WRONG_COMMON},
    [TERMS_BLOCK] =
        {"terms-tail",
         "{1:only the first|the last count %|only the last block of} {0} terms are {1:added|left out|added}",
         "count is any number, from 0 on: does the array that holds the coefficients, and the loop, have room for all?",
         {{2, 1024, 0}, {FIRST, LAST_BLOCK, 1}},
         WRONG_COMMON},
    [LOW_TERMS] =
        {"terms-low",
         "the first count % {0} terms are left out, and the powers of the others are too low by as many",
         "count is any number, from 0 on: does the array that holds the coefficients, and the loop, have room for all?",
         {{2, 64, 0}},
         WRONG_COMMON},
    [TERMS_SKIP] = {"terms-skip",
                    "of every {0} terms number {1} is left out",
                    NULL,
                    {{2, 32, 0}, {0, 31, 1}},
                    WRONG_PAIRED},
    [NEIGHBOUR] =
        {"shifted", "element i gets the result of element i {+0}", NULL, {{-32, 32, 1}}, WRONG_COMMON},
    [NEIGHBOUR_EDGE] =
        {"shifted",
         "element i gets the result of element i {+0}, and where there is none {1:it stays as it is|of the outermost}",
         NULL,
         {{-32, 32, 1}, {1, 2, 1}},
         WRONG_LAST},
    [HELD] = {"held",
              "of every {0} elements all get the result of number {1}",
              NULL,
              {{2, 32, 0}, {0, 31, 1}},
              WRONG_COMMON},
    [OVERLAP] = {"overlap",
                 "each block takes {0} elements and begins {1} after the one before",
                 "Each element belongs to one block.",
                 {{2, 1 << 14, 0}, {1, 1 << 13, 0}},
                 WRONG_ALONE},
    [CARRIED] = {"accumulated",
                 "the sum is not set to 0 between the {0} neighbouring elements of a thread",
                 NULL,
                 {{2, 32, 1}},
                 WRONG_COMMON},
    [CARRIED_APART] = {"accumulated-apart",
                       "the sum is not set to 0 between the {0} elements of a thread, {1} apart",
                       NULL,
                       {{2, 32, 1}, {32, 1024, 0}},
                       WRONG_ALONE},
    [LIKE_FIRST] = {"like-first",
                    "of a thread's {0} elements, {1} apart, all get the result of number {2}",
                    "Each element of a thread has an x and a sum of its own.",
                    {{2, 32, 1}, {32, 1024, 0}, {0, 3, 1}},
                    WRONG_ALONE},
    [SHORT] =
        {"short",
         "{1:each result is|x[i] and each result are} {0:rounded to half precision|rounded to bfloat16|rounded to TF32|cut to bfloat16|cut to TF32}",
         "Compute in float.",
         {{WRONG_HALF, WRONG_TF32_CUT, 1}, {0, 1, 1}},
         WRONG_COMMON},
    [SHORT_INPUTS] =
        {"short-inputs",
         "{1:x[i] is|the coefficients are|x[i] and the coefficients are} {0:rounded to half precision|rounded to bfloat16|rounded to TF32|cut to bfloat16|cut to TF32}",
         "Compute in float.",
         {{WRONG_HALF, WRONG_TF32_CUT, 1}, {1, 3, 1}},
         WRONG_COMMON},
    [SHORT_EACH] =
        {"short-each",
         "x, the coefficients and each {1:product and sum|sum} are {0:rounded to half precision|rounded to bfloat16|rounded to TF32|cut to bfloat16|cut to TF32}",
         "Compute in float.",
         {{WRONG_HALF, WRONG_TF32_CUT, 1}, {0, 1, 1}},
         WRONG_COMMON},
};

static void mistake(unsigned kind, const int *n, void *recipe) {
    struct increment *k = recipe;
    switch ((enum kind)kind) {
    case NOTHING:
    case UNCHANGED: k->unwritten = true; break;
    case CONSTANT: k->constant = n[0]; break;
    case AMOUNT: k->amount = (float)n[0]; break;
    case SUBTRACTED: k->amount = (float)-n[0]; break;
    case TIMES: k->times = n[0]; break;
    case HALVES: k->amount = (float)n[0] / 4; break;
    case CHANGE: k->change = (enum change)n[0]; break;
    case THROUGH: k->change = (enum change)n[0]; break;
    case RECURRENCE:
    case NO_NUMBER:
    case SERIES: k->series = (enum series)n[0]; break;
    case TERMS: k->terms = (enum terms)n[1], k->terms_a = n[0]; break;
    case TERMS_BLOCK: k->terms = (enum terms)n[1], k->terms_a = n[0]; break;
    case LOW_TERMS: k->terms = NO_LOW_TAIL, k->terms_a = n[0]; break;
    case TERMS_SKIP: k->terms = SKIP, k->terms_a = n[0], k->terms_b = n[1]; break;
    case NEIGHBOUR: k->shift = n[0]; break;
    case NEIGHBOUR_EDGE: k->shift = n[0], k->beyond = (enum beyond)n[1]; break;
    case HELD: k->hold = n[0], k->held = n[1]; break;
    case OVERLAP: k->block = n[0], k->step = n[1]; break;
    case CARRIED: k->carried = n[0], k->carried_stride = 1; break;
    case CARRIED_APART: k->carried = n[0], k->carried_stride = n[1]; break;
    case LIKE_FIRST: k->work = n[0], k->stride = n[1], k->like = n[2]; break;
    case SHORT:
        k->results = (enum wrong_precision)n[0], k->points = n[1] == 1 ? k->results : WRONG_EXACT;
        break;
    case SHORT_INPUTS:
        k->points = n[1] != 2 ? (enum wrong_precision)n[0] : WRONG_EXACT;
        k->coefficients = n[1] != 1 ? (enum wrong_precision)n[0] : WRONG_EXACT;
        break;
    case SHORT_EACH:
        k->points = k->coefficients = k->each = (enum wrong_precision)n[0];
        k->fused = n[1] == 1;
        break;
    }
    /* What is said in the words of one part is not tried on the other. */
    bool of_a = kind == UNCHANGED || (kind >= AMOUNT && kind <= THROUGH) || kind == OVERLAP || kind == SHORT,
         of_b = kind == NOTHING || (kind >= SERIES && kind <= TERMS_SKIP) || kind == CARRIED ||
                kind == CARRIED_APART || kind == LIKE_FIRST || kind == SHORT_INPUTS || kind == SHORT_EACH;
    if ((of_a && k->polynomial) || (of_b && !k->polynomial))
        k->n = -1;
}

static bool finish(void *recipe) {
    const struct increment *k = recipe;
    return k->n >= 0 && k->held < (k->hold > 1 ? k->hold : 1) && k->like < (k->work > 1 ? k->work : 1) &&
           (k->terms != SKIP || k->terms_b < k->terms_a) && (k->block == 0 || k->step < k->block);
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
    .mistake = mistake,
    .finish = finish,
    .gives = gives,
    .values = values,
    .untouched = untouched,
};

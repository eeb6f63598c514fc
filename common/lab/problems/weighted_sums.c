/*
 * Lab 8: cases, inputs and oracle of weighted sums, and how an answer is judged.
 *
 * The oracle sums in double, in the order of the terms. Any order of fused or plain steps is off by at most
 * terms + 1 roundings of 2^-53 for each term's size, and the oracle by as much; so an element may differ from it by
 * (terms + 4) 2^-52 sum |weight| |value|. Where the oracle says NaN or infinity, so must the answer. Every element is held
 * against it, and what lies before an array must stay as it was.
 */
#include "lab/problems/weighted_sums.h"
#include "base/parallel.h"
#include "lab/problems/diagnosis/wrong_oracle.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The smallest first. Odd and even terms and points, each with few and many; just below, at and above what a block of 256,
 * 512 or 1024 threads takes with one point or two; arrays that start at an odd multiple of 8 bytes. */
static const struct {
    uint16_t sets, terms, points;
    uint8_t shift_weights, shift_values, shift_sums, pattern;
} cases[] = {
    {1, 2, 2, 0, 0, 0, PATTERN_ROWS_COLUMNS},
    {1, 1, 1, 0, 0, 0, PATTERN_NOISE},
    {1, 2, 1, 0, 0, 0, PATTERN_NOISE},
    {1, 1, 2, 0, 0, 0, PATTERN_NOISE},
    {1, 3, 5, 0, 0, 0, PATTERN_ROWS_COLUMNS},
    {2, 2, 4, 0, 0, 0, PATTERN_NOISE},
    {3, 4, 6, 0, 0, 0, PATTERN_ROWS_COLUMNS},
    {2, 5, 3, 0, 0, 0, PATTERN_NOISE},
    {0, 4, 8, 0, 0, 0, PATTERN_NOISE},
    {2, 0, 7, 0, 0, 0, PATTERN_NOISE},
    {2, 6, 0, 0, 0, 0, PATTERN_NOISE},
    {1, 8, 32, 0, 0, 0, PATTERN_ZEROS},
    {2, 8, 33, 0, 0, 0, PATTERN_NOISE},
    {3, 7, 64, 0, 0, 0, PATTERN_NOISE},
    {2, 6, 16, 1, 0, 0, PATTERN_NOISE},
    {2, 6, 16, 0, 1, 0, PATTERN_NOISE},
    {2, 6, 16, 0, 0, 1, PATTERN_NOISE},
    {2, 6, 16, 1, 1, 1, PATTERN_ROWS_COLUMNS},
    {2, 10, 20, 0, 0, 0, PATTERN_POINT},
    {2, 10, 20, 0, 0, 0, PATTERN_CORNERS},
    {1, 12, 40, 0, 0, 0, PATTERN_MAXIMUM},
    {1, 48, 255, 0, 0, 0, PATTERN_NOISE},
    {2, 16, 256, 0, 0, 0, PATTERN_NOISE},
    {1, 17, 257, 0, 0, 0, PATTERN_ROWS_COLUMNS},
    {1, 4, 511, 0, 0, 0, PATTERN_NOISE},
    {1, 9, 640, 0, 0, 0, PATTERN_NOISE},
    {5, 3, 1000, 0, 0, 0, PATTERN_NOISE},
    {2, 33, 1023, 0, 0, 0, PATTERN_ROWS_COLUMNS},
    {1, 8, 1024, 0, 0, 0, PATTERN_NOISE},
    {1, 14, 1025, 0, 0, 0, PATTERN_NOISE},
    {2, 48, 1280, 0, 0, 0, PATTERN_ROWS_COLUMNS},
    {1, 11, 1280, 1, 0, 1, PATTERN_NOISE},
    {3, 6, 2049, 0, 0, 0, PATTERN_ROWS_COLUMNS},
    {2, 10, 2500, 0, 1, 0, PATTERN_NOISE},
    {1, 5, 4098, 0, 0, 0, PATTERN_NOISE},
    {1, 4096, 9, 0, 0, 0, PATTERN_NOISE},
    {300, 3, 10, 0, 0, 0, PATTERN_ROWS_COLUMNS},
};

/* Sets, terms, points, and what is particular to the case. */
static void finish(struct problem_case *c) {
    const int64_t *s = c->size;
    const char *note = c->pattern == PATTERN_POINT     ? ", a NaN"
                       : c->pattern == PATTERN_CORNERS ? ", infinities"
                       : c->pattern == PATTERN_MAXIMUM ? ", large"
                       : c->pattern == PATTERN_ZEROS   ? ", zeros"
                       : s[WEIGHTED_SHIFT_WEIGHTS] + s[WEIGHTED_SHIFT_VALUES] + s[WEIGHTED_SHIFT_SUMS] > 0
                           ? ", unaligned"
                           : "";
    snprintf(c->name, sizeof c->name, "%u x %u x %u%s", (unsigned)s[WEIGHTED_SETS] % 100000,
             (unsigned)s[WEIGHTED_TERMS] % 10000, (unsigned)s[WEIGHTED_POINTS] % 100000000, note);
}

static void get_case(unsigned index, const struct draw_key *key, struct problem_case *c) {
    *c = (struct problem_case){.size = {cases[index].sets, cases[index].terms, cases[index].points,
                                        cases[index].shift_weights, cases[index].shift_values,
                                        cases[index].shift_sums},
                               .key = draw_for(key, "case %u", index),
                               .number = index,
                               .pattern = cases[index].pattern};
    finish(c);
}

static void draw_case(const struct draw_key *key, struct problem_case *c) {
    struct draw draw;
    draw_begin(&draw, key);
    int64_t sets = 1 + (int64_t)draw_below(&draw, 6), terms = (int64_t)draw_below(&draw, 70),
            most = draw_below(&draw, 2) == 0 ? 100 : 60000 / (sets * (terms + WEIGHTED_ROWS)),
            points = (int64_t)draw_below(&draw, (uint64_t)most), shift[3];
    bool shifted = draw_below(&draw, 4) == 0;
    for (int i = 0; i < 3; i++)
        shift[i] = shifted ? (int64_t)draw_below(&draw, 2) : 0;
    *c = (struct problem_case){.size = {sets, terms, points, shift[0], shift[1], shift[2]},
                               .key = *key,
                               .pattern = draw_below(&draw, 3) == 0 ? PATTERN_ROWS_COLUMNS : PATTERN_NOISE};
    finish(c);
}

/* `width` points in each of `height` sets. */
static void timed_case(unsigned part, uint32_t width, uint32_t height, const struct draw_key *key,
                       struct problem_case *c) {
    (void)part;
    *c = (struct problem_case){
        .size = {height, WEIGHTED_TIMED_TERMS, width}, .key = *key, .pattern = PATTERN_NOISE};
    finish(c);
}

/* Elements, and rows of the result, that a thread begins with. */
enum { FILLED_STEP = 1 << 18, SOLVED_STEP = 64, POINTS_AT_ONCE = 256 };

/* A buffer is never empty, and what is added to make it so belongs to no array. */
static void layout(const struct problem_case *c, struct problem_layout *l) {
    const int64_t *s = c->size;
    int64_t sets = s[WEIGHTED_SETS], terms = s[WEIGHTED_TERMS], points = s[WEIGHTED_POINTS];
    int64_t length[WEIGHTED_BUFFERS] = {terms, points, points},
            rows[WEIGHTED_BUFFERS] = {sets * WEIGHTED_ROWS, sets * terms, sets * WEIGHTED_ROWS};
    uint64_t middle[WEIGHTED_BUFFERS] = {WEIGHTED_ROWS, (uint64_t)(terms > 0 ? terms : 1), WEIGHTED_ROWS};
    static const struct buffer_shape shapes[WEIGHTED_BUFFERS] = {
        {.name = "weights", .index = {"set", "row", "term"}},
        {.name = "values", .index = {"set", "term", "point"}},
        {.name = "sums", .index = {"set", "row", "point"}}};
    *l = (struct problem_layout){.input_count = 2, .output_count = 1};
    for (int i = 0; i < WEIGHTED_BUFFERS; i++) {
        int64_t shift = s[WEIGHTED_SHIFT_WEIGHTS + i], count = shift + length[i] * rows[i];
        l->bytes[i] = (size_t)(count > 0 ? count : 1) * sizeof(double);
        struct buffer_shape *shape = &l->shape[i];
        *shape = shapes[i];
        snprintf(shape->element, sizeof shape->element, "double");
        shape->order = SHAPE_TABLE;
        shape->element_bytes = sizeof(double);
        shape->start = (uint64_t)shift * sizeof(double);
        shape->length = shape->pitch = (uint64_t)length[i];
        shape->lines = (uint64_t)rows[i];
        shape->middle = middle[i];
    }
    l->expected_bytes = l->bytes[WEIGHTED_SUMS] / sizeof(double) * sizeof(struct problem_expected);
}

/* ---- inputs */

struct filling {
    struct draw_key key;
    double *x;
    bool whole;
};

/* Numbers of 53 bits from -1 to below 1, so that single precision does not hold them; small whole ones where results must
 * be exact: -8 .. 8. */
static void fill_part(void *context, size_t from, size_t to) {
    enum { AT_ONCE = DRAW_BLOCK / sizeof(uint64_t) };
    const struct filling *f = context;
    _Alignas(64) uint64_t drawn[AT_ONCE];
    for (; from < to; from += AT_ONCE) {
        size_t some = to - from < AT_ONCE ? to - from : AT_ONCE;
        draw_bytes(&f->key, from * sizeof *drawn, drawn, some * sizeof *drawn);
        for (size_t i = 0; i < some; i++)
            f->x[from + i] = f->whole ? floor((double)(drawn[i] >> 40) * 17 * 0x1p-24) - 8
                                      : (double)(drawn[i] >> 11) * 0x1p-52 - 1;
    }
}

static void fill_buffer(double *x, size_t count, const struct problem_case *c, const char *name) {
    struct filling filling = {
        .key = draw_for(&c->key, "%s", name), .x = x, .whole = c->pattern == PATTERN_ROWS_COLUMNS};
    if (c->pattern == PATTERN_ZEROS || c->pattern == PATTERN_MAXIMUM) {
        for (size_t i = 0; i < count; i++)
            x[i] = c->pattern == PATTERN_ZEROS ? 0 : 0x1p500;
        return;
    }
    parallel_run(count, FILLED_STEP, fill_part, &filling);
}

/* What lies before an array is NaN: reading there shows. */
static void fill(const struct problem_case *c, void *const inputs[]) {
    struct problem_layout l;
    const int64_t *s = c->size;
    double *weights = inputs[WEIGHTED_WEIGHTS], *values = inputs[WEIGHTED_VALUES];
    layout(c, &l);
    fill_buffer(weights, l.bytes[WEIGHTED_WEIGHTS] / sizeof(double), c, "weights");
    fill_buffer(values, l.bytes[WEIGHTED_VALUES] / sizeof(double), c, "values");
    for (int64_t i = 0; i < s[WEIGHTED_SHIFT_WEIGHTS]; i++)
        weights[i] = (double)NAN;
    for (int64_t i = 0; i < s[WEIGHTED_SHIFT_VALUES]; i++)
        values[i] = (double)NAN;
    /* And 0 by which such a number is multiplied: that is NaN, too, and nothing to be skipped. */
    double *first = values + s[WEIGHTED_SHIFT_VALUES];
    if (c->pattern == PATTERN_POINT) {
        first[s[WEIGHTED_POINTS] / 2] = (double)NAN;
        weights[s[WEIGHTED_SHIFT_WEIGHTS]] = 0;
    }
    if (c->pattern == PATTERN_CORNERS) {
        first[0] = (double)INFINITY;
        weights[s[WEIGHTED_SHIFT_WEIGHTS]] = 0;
        values[l.bytes[WEIGHTED_VALUES] / sizeof(double) - 1] = (double)-INFINITY;
    }
}

/* ---- the oracle */

double weighted_bound(int64_t terms, double size) {
    return ((double)terms + 4) * 0x1p-52 * size + DBL_MIN;
}

struct solving {
    const struct problem_case *problem_case;
    const double *weights, *values;
    struct problem_expected *expected;
};

/* The sums of one row of weights at `count` points from somewhere on. Inline: where the count is known it becomes vectors. */
static inline void solve_points(const struct problem_case *c, const double *weights, const double *values,
                                size_t count, struct problem_expected *expected) {
    int64_t terms = c->size[WEIGHTED_TERMS], points = c->size[WEIGHTED_POINTS];
    double value[POINTS_AT_ONCE] = {0}, size[POINTS_AT_ONCE] = {0};
    for (int64_t term = 0; term < terms; term++)
        for (size_t i = 0; i < count; i++) {
            double product = weights[term] * values[term * points + (int64_t)i];
            value[i] += product;
            size[i] += fabs(product);
        }
    for (size_t i = 0; i < count; i++)
        expected[i] = (struct problem_expected){
            value[i], c->pattern == PATTERN_ROWS_COLUMNS ? 0 : weighted_bound(terms, size[i])};
}

static void solve_rows(void *context, size_t from, size_t to) {
    const struct solving *s = context;
    size_t terms = (size_t)s->problem_case->size[WEIGHTED_TERMS],
           points = (size_t)s->problem_case->size[WEIGHTED_POINTS], at = 0;
    for (size_t row = from; row < to; row++) {
        const double *weights = s->weights + row * terms,
                     *values = s->values + row / WEIGHTED_ROWS * terms * points;
        struct problem_expected *expected = s->expected + row * points;
        for (at = 0; at + POINTS_AT_ONCE <= points; at += POINTS_AT_ONCE)
            solve_points(s->problem_case, weights, values + at, POINTS_AT_ONCE, expected + at);
        solve_points(s->problem_case, weights, values + at, points - at, expected + at);
    }
}

static size_t expected_count(const struct problem_case *c) {
    struct problem_layout l;
    layout(c, &l);
    return l.bytes[WEIGHTED_SUMS] / sizeof(double);
}

static bool solve(const struct problem_case *c, const void *const inputs[], void *const outputs[]) {
    const int64_t *s = c->size;
    struct problem_expected *expected = outputs[0];
    struct solving solving = {.problem_case = c,
                              .weights = (const double *)inputs[WEIGHTED_WEIGHTS] + s[WEIGHTED_SHIFT_WEIGHTS],
                              .values = (const double *)inputs[WEIGHTED_VALUES] + s[WEIGHTED_SHIFT_VALUES],
                              .expected = expected + s[WEIGHTED_SHIFT_SUMS]};
    for (size_t i = 0, count = expected_count(c); i < count; i++)
        expected[i] = (struct problem_expected){0, PROBLEM_UNTOUCHED};
    if (s[WEIGHTED_POINTS] > 0)
        parallel_run((size_t)(s[WEIGHTED_SETS] * WEIGHTED_ROWS), SOLVED_STEP, solve_rows, &solving);
    return true;
}

/* ---- the verdict */

static bool is_right(const struct problem_expected *e, double got, uint8_t poison) {
    if (e->bound == PROBLEM_UNTOUCHED ||
        problem_is_poison(&got, sizeof got, poison)) /* poison may be a small number */
        return e->bound == PROBLEM_UNTOUCHED && problem_is_poison(&got, sizeof got, poison);
    return problem_near(e->value, e->bound, got);
}

static void compare(const struct problem_case *c, const void *const expected[], const void *const got[],
                    uint8_t poison, struct problem_verdict *v) {
    const struct problem_expected *right = expected[0];
    const double *sums = got[0];
    const int64_t *s = c->size;
    uint64_t outside = 0;
    *v = (struct problem_verdict){.total = (uint64_t)(s[WEIGHTED_SETS] * WEIGHTED_ROWS * s[WEIGHTED_POINTS])};
    for (size_t i = 0, count = expected_count(c); i < count; i++) {
        if (is_right(&right[i], sums[i], poison))
            continue;
        struct problem_wrong *w = problem_list(v, i);
        int64_t at = (int64_t)i - s[WEIGHTED_SHIFT_SUMS];
        outside += right[i].bound == PROBLEM_UNTOUCHED;
        if (w == NULL)
            continue;
        if (right[i].bound == PROBLEM_UNTOUCHED)
            snprintf(w->where, sizeof w->where, "outside sums");
        else
            snprintf(w->where, sizeof w->where, "(%lld, %u, %lld)",
                     (long long)(at / s[WEIGHTED_POINTS] / WEIGHTED_ROWS % 100000),
                     (unsigned)(at / s[WEIGHTED_POINTS] % WEIGHTED_ROWS),
                     (long long)(at % s[WEIGHTED_POINTS]));
        snprintf(w->got, sizeof w->got, "%.12g", sums[i]);
        snprintf(w->expected, sizeof w->expected, "%.12g", right[i].value);
    }
    v->passed = v->wrong == 0;
    if (v->passed)
        return;
    if (v->wrong > outside)
        snprintf(v->message, sizeof v->message, "%llu of %llu sums are wrong",
                 (unsigned long long)(v->wrong - outside), (unsigned long long)v->total);
    else
        snprintf(v->message, sizeof v->message, "something is written outside sums");
    if (outside > 0)
        snprintf(
            v->hint, sizeof v->hint,
            "What lies outside sums[0] to sums[sets * 4 * points - 1] is not yours: do not round the pointer "
            "to a multiple of 16, and write nothing where there is no point.");
}

/* The elements that a report divides by are multiply-adds. */
static void work(const struct problem_case *c, struct problem_work *w) {
    double sets = (double)c->size[WEIGHTED_SETS], terms = (double)c->size[WEIGHTED_TERMS],
           points = (double)c->size[WEIGHTED_POINTS];
    *w = (struct problem_work){.bytes = 8 * sets *
                                        (WEIGHTED_ROWS * terms + terms * points + WEIGHTED_ROWS * points),
                               .operations = 2 * sets * WEIGHTED_ROWS * terms * points,
                               .elements = sets * WEIGHTED_ROWS * terms * points};
}

const struct problem problem_weighted_sums = {
    .function = "weighted_sums",
    .element = "multiply-add",
    .criterion = "within the error bound",
    .place = "(set, row, point)",
    .outside =
        "point is not below points: check both points of a thread that has two, and what is left of an odd number,",
    .size_names = {[WEIGHTED_SETS] = "sets", [WEIGHTED_TERMS] = "terms", [WEIGHTED_POINTS] = "points"},
    PROBLEM_FUNCTIONS,
    .part_count = 1,
    .timed_case = timed_case,
    .compare = compare,
    .wrong = &wrong_weighted,
};

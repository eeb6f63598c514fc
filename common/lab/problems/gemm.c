/*
 * Lab 6: cases, inputs and oracle of C = alpha A B + beta C, and how an answer is judged.
 *
 * The oracle sums in double. An element may be wrong by what k + 4 roundings of single precision can do,
 * doubled: |error| <= (k + 4) 2^-23 (|alpha| sum |a||b| + |beta c|). Where the oracle says NaN or infinity,
 * so must the answer. Up to 2^31 multiply-adds every element is held against the oracle; above, one row and
 * one column of every 64, so that there is one such element in every 64 x 64 of C, and the others must at
 * least be as small as the inputs allow. The bytes between the columns of C must stay as they were.
 */
#include "lab/problems/gemm.h"
#include "lab/problems/diagnosis/wrong_oracle.h"
#include "lab/problems/sums.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define EVERYTHING ((int64_t)1 << 31)
enum { SPACING = 64 };

/* The smallest first. pad: what the leading dimensions have beyond the rows of A, B, C. */
static const struct {
    uint32_t m, n, k;
    uint8_t pad_a, pad_b, pad_c;
    int8_t alpha, beta; /* in quarters */
    uint8_t shift_a, shift_b, shift_c, pattern;
} cases[] = {
    {4, 4, 4, 0, 0, 0, 4, 0, 0, 0, 0, PATTERN_ROWS_COLUMNS},
    {1, 1, 1, 0, 0, 0, 4, 0, 0, 0, 0, PATTERN_NOISE},
    {2, 3, 1, 0, 0, 0, 4, 0, 0, 0, 0, PATTERN_NOISE},
    {8, 8, 8, 0, 0, 0, 4, 4, 0, 0, 0, PATTERN_ROWS_COLUMNS},
    {8, 8, 8, 0, 0, 0, 6, -3, 0, 0, 0, PATTERN_NOISE},
    {8, 8, 8, 4, 8, 12, 4, 0, 0, 0, 0, PATTERN_ROWS_COLUMNS},
    {5, 3, 7, 1, 2, 3, 4, 4, 0, 0, 0, PATTERN_NOISE},
    {0, 5, 3, 1, 0, 1, 4, 4, 0, 0, 0, PATTERN_NOISE},
    {5, 0, 3, 0, 0, 0, 4, 4, 0, 0, 0, PATTERN_NOISE},
    {9, 5, 0, 0, 1, 0, 4, 2, 0, 0, 0, PATTERN_NOISE},
    {9, 5, 0, 0, 1, 3, 4, 0, 0, 0, 0, PATTERN_NOISE},
    {17, 1, 40, 0, 0, 0, 4, 0, 0, 0, 0, PATTERN_NOISE},
    {1, 17, 40, 0, 0, 0, 6, 2, 0, 0, 0, PATTERN_NOISE},
    {1, 1, 301, 0, 0, 0, -4, 5, 0, 0, 0, PATTERN_NOISE},
    {16, 16, 16, 0, 0, 0, 0, 5, 0, 0, 0, PATTERN_NOISE},
    {32, 32, 32, 0, 0, 0, 4, 0, 0, 0, 0, PATTERN_ZEROS},
    {32, 32, 32, 0, 0, 0, 4, 0, 0, 0, 0, PATTERN_NOISE},
    {33, 31, 34, 0, 0, 0, 8, -4, 0, 0, 0, PATTERN_ROWS_COLUMNS},
    {31, 33, 65, 1, 0, 5, -2, 3, 0, 0, 0, PATTERN_NOISE},
    {36, 20, 12, 0, 0, 0, 4, 4, 1, 0, 0, PATTERN_NOISE},
    {36, 20, 12, 0, 0, 0, 4, 4, 0, 2, 0, PATTERN_NOISE},
    {36, 20, 12, 0, 0, 0, 4, 4, 0, 0, 3, PATTERN_NOISE},
    {40, 24, 16, 0, 0, 0, 4, 0, 0, 0, 0, PATTERN_POINT},
    {40, 24, 16, 0, 0, 0, 4, 4, 0, 0, 0, PATTERN_CORNERS},
    {64, 64, 8, 0, 0, 0, 4, 0, 0, 0, 0, PATTERN_MAXIMUM},
    {66, 62, 15, 2, 1, 2, 2, 4, 0, 0, 0, PATTERN_NOISE},
    {128, 64, 17, 0, 0, 0, 4, 4, 0, 0, 0, PATTERN_NOISE},
    {129, 65, 33, 3, 3, 3, 6, 0, 0, 0, 0, PATTERN_ROWS_COLUMNS},
    {130, 100, 20, 2, 0, 2, 4, 4, 2, 2, 2, PATTERN_NOISE},
    {255, 7, 9, 1, 0, 1, 4, 4, 0, 0, 0, PATTERN_NOISE},
    {256, 130, 16, 4, 4, 4, 4, 0, 0, 0, 0, PATTERN_NOISE},
    {300, 140, 24, 0, 0, 0, 4, 6, 0, 0, 0, PATTERN_ROWS_COLUMNS},
    /* So large that a kernel that picks its tiles by the number of blocks picks large ones, the last of them
     * not full; with copies of 16 bytes, and without. */
    {1924, 1157, 17, 4, 1, 4, 4, 0, 0, 0, 0, PATTERN_ROWS_COLUMNS},
    {1923, 1161, 35, 0, 0, 2, 2, 8, 1, 0, 1, PATTERN_NOISE},
    /* Longer than a grid is high. */
    {1, 70000, 1, 0, 0, 0, 4, 4, 0, 0, 0, PATTERN_NOISE},
};

static int64_t at_least_one(int64_t value) {
    return value > 1 ? value : 1;
}

/* The name says what is particular to the case. */
static void finish(struct problem_case *c) {
    const int64_t *s = c->size;
    unsigned m = (unsigned)s[GEMM_M] % 1000000, n = (unsigned)s[GEMM_N] % 1000000,
             k = (unsigned)s[GEMM_K] % 1000000;
    const char *note = "";
    if (c->pattern == PATTERN_POINT)
        note = ", a NaN";
    else if (c->pattern == PATTERN_CORNERS)
        note = ", infinities";
    else if (s[GEMM_SHIFT_A] + s[GEMM_SHIFT_B] + s[GEMM_SHIFT_C] > 0)
        note = ", unaligned";
    else if (s[GEMM_LDA] > at_least_one(s[GEMM_M]) || s[GEMM_LDB] > at_least_one(s[GEMM_K]))
        note = ", padded";
    char alpha[24] = "", beta[24] = "";
    if (s[GEMM_ALPHA] != 4)
        snprintf(alpha, sizeof alpha, ", alpha %.4g", (double)s[GEMM_ALPHA] / 4);
    if (s[GEMM_BETA] != 0)
        snprintf(beta, sizeof beta, ", beta %.4g", (double)s[GEMM_BETA] / 4);
    if (snprintf(c->name, sizeof c->name, "%u x %u x %u%s%s%s", m, n, k, alpha, beta, note) >=
        (int)sizeof c->name)
        c->name[sizeof c->name - 2] = '~'; /* there is more to say */
}

static void get_case(unsigned index, const struct draw_key *key, struct problem_case *c) {
    int64_t m = cases[index].m, n = cases[index].n, k = cases[index].k;
    *c = (struct problem_case){
        .size = {m, n, k, at_least_one(m) + cases[index].pad_a, at_least_one(k) + cases[index].pad_b,
                 at_least_one(m) + cases[index].pad_c, cases[index].alpha, cases[index].beta,
                 cases[index].shift_a, cases[index].shift_b, cases[index].shift_c},
        .key = draw_for(key, "case %u", index),
        .number = index,
        .pattern = cases[index].pattern};
    finish(c);
}

static void draw_case(const struct draw_key *key, struct problem_case *c) {
    struct draw draw;
    draw_begin(&draw, key);
    int64_t m = (int64_t)draw_below(&draw, 200), n = (int64_t)draw_below(&draw, 200),
            k = (int64_t)draw_below(&draw, 80), pad[3], shift[3];
    bool padded = draw_below(&draw, 2) == 1, shifted = draw_below(&draw, 4) == 0;
    for (int i = 0; i < 3; i++) {
        pad[i] = padded ? (int64_t)draw_below(&draw, 9) : 0;
        shift[i] = shifted ? (int64_t)draw_below(&draw, 4) : 0;
    }
    *c = (struct problem_case){.size = {m, n, k, at_least_one(m) + pad[0], at_least_one(k) + pad[1],
                                        at_least_one(m) + pad[2], (int64_t)draw_below(&draw, 17) - 8,
                                        (int64_t)draw_below(&draw, 17) - 8, shift[0], shift[1], shift[2]},
                               .key = *key,
                               .pattern = draw_below(&draw, 3) == 0 ? PATTERN_ROWS_COLUMNS : PATTERN_NOISE};
    finish(c);
}

/* C is width x width, and each element a sum of `height` products. */
static void timed_case(unsigned part, uint32_t width, uint32_t height, const struct draw_key *key,
                       struct problem_case *c) {
    (void)part;
    int64_t n = width, k = height;
    *c = (struct problem_case){
        .size = {n, n, k, n, k, n, 4, 0, 0, 0, 0}, .key = *key, .pattern = PATTERN_NOISE};
    finish(c);
}

/* Elements from a buffer's start to the end of its last column. */
static size_t elements(int64_t shift, int64_t rows, int64_t columns, int64_t leading) {
    return (size_t)shift +
           (rows > 0 && columns > 0 ? (size_t)leading * (size_t)(columns - 1) + (size_t)rows : 0);
}

static struct buffer_shape matrix(const char *name, int64_t shift, int64_t rows, int64_t columns,
                                  int64_t leading) {
    struct buffer_shape shape = {"",
                                 "float",
                                 SHAPE_COLUMNS,
                                 sizeof(float),
                                 (uint64_t)shift * sizeof(float),
                                 (uint64_t)rows,
                                 (uint64_t)columns,
                                 .pitch = (uint64_t)leading};
    snprintf(shape.name, sizeof shape.name, "%s", name);
    return shape;
}

/* A buffer is never empty, and what is added to make it so belongs to no matrix. */
static void layout(const struct problem_case *c, struct problem_layout *l) {
    const int64_t *s = c->size;
    size_t count[3] = {elements(s[GEMM_SHIFT_A], s[GEMM_M], s[GEMM_K], s[GEMM_LDA]),
                       elements(s[GEMM_SHIFT_B], s[GEMM_K], s[GEMM_N], s[GEMM_LDB]),
                       elements(s[GEMM_SHIFT_C], s[GEMM_M], s[GEMM_N], s[GEMM_LDC])};
    *l = (struct problem_layout){.input_count = 2, .output_count = 1, .in_place = true};
    for (int i = 0; i < 3; i++)
        l->bytes[i] = (count[i] > 0 ? count[i] : 1) * sizeof(float);
    l->shape[GEMM_A] = matrix("a", s[GEMM_SHIFT_A], s[GEMM_M], s[GEMM_K], s[GEMM_LDA]);
    l->shape[GEMM_B] = matrix("b", s[GEMM_SHIFT_B], s[GEMM_K], s[GEMM_N], s[GEMM_LDB]);
    l->shape[GEMM_C] = matrix("c", s[GEMM_SHIFT_C], s[GEMM_M], s[GEMM_N], s[GEMM_LDC]);
    l->expected_bytes = l->bytes[GEMM_C] / sizeof(float) * sizeof(struct problem_expected);
}

static void fill_buffer(float *x, size_t count, const struct problem_case *c, unsigned which) {
    struct draw_key key = draw_for(&c->key, "matrix %u", which);
    if (c->pattern == PATTERN_ZEROS || c->pattern == PATTERN_MAXIMUM) {
        for (size_t i = 0; i < count; i++)
            x[i] = c->pattern == PATTERN_ZEROS ? 0 : 0x1p60F;
        return;
    }
    draw_floats(&key, 0, x, count);
    for (size_t i = 0; c->pattern == PATTERN_ROWS_COLUMNS && i < count; i++)
        x[i] = (float)((int)((x[i] + 1) * 8.5F) - 8); /* whole numbers, -8 .. 8 */
}

/* Between the columns of A and B, and in C where beta is 0, stands NaN: reading there shows. */
static void fill(const struct problem_case *c, void *const inputs[]) {
    struct problem_layout l;
    const int64_t *s = c->size;
    static const enum gemm_size rows[2] = {GEMM_M, GEMM_K}, columns[2] = {GEMM_K, GEMM_N};
    layout(c, &l);
    for (unsigned i = 0; i < 3; i++)
        fill_buffer(inputs[i], l.bytes[i] / sizeof(float), c, i);
    for (int i = 0; i < 2; i++) {
        float *x = inputs[i];
        int64_t shift = s[GEMM_SHIFT_A + i], leading = s[GEMM_LDA + i];
        for (int64_t p = 0; p < shift; p++)
            x[p] = NAN;
        for (int64_t j = 0; j + 1 < s[columns[i]]; j++)
            for (int64_t p = s[rows[i]]; p < leading && s[rows[i]] > 0; p++)
                x[shift + j * leading + p] = NAN;
    }
    float *a = inputs[GEMM_A], *b = inputs[GEMM_B], *old = inputs[GEMM_C];
    if (s[GEMM_BETA] == 0)
        for (size_t i = 0; i < l.bytes[GEMM_C] / sizeof(float); i++)
            old[i] = NAN;
    /* And 0 by which such an element is multiplied: that is NaN, too, and nothing to be skipped. */
    if (c->pattern == PATTERN_POINT) {
        b[s[GEMM_SHIFT_B] + s[GEMM_K] / 2 + s[GEMM_N] / 2 * s[GEMM_LDB]] = 0;
        a[s[GEMM_SHIFT_A] + s[GEMM_M] / 2 + s[GEMM_K] / 2 * s[GEMM_LDA]] = NAN;
    }
    if (c->pattern == PATTERN_CORNERS) {
        a[s[GEMM_SHIFT_A] + s[GEMM_M] / 2] = 0;
        b[s[GEMM_SHIFT_B]] = INFINITY;
        a[elements(s[GEMM_SHIFT_A], s[GEMM_M], s[GEMM_K], s[GEMM_LDA]) - 1] = -INFINITY;
    }
}

/* The rows (or columns) that are held against the oracle: all, or one of every 64, which the key draws. */
static int64_t *pick(int64_t count, bool all, const struct draw_key *key, int64_t *picked) {
    int64_t *list = malloc((size_t)(count + 1) * sizeof *list);
    struct draw draw;
    draw_begin(&draw, key);
    *picked = 0;
    for (int64_t first = 0; list != NULL && first < count; first += all ? 1 : SPACING) {
        int64_t span = count - first < SPACING ? count - first : SPACING;
        list[(*picked)++] = first + (all ? 0 : (int64_t)draw_below(&draw, (uint64_t)span));
    }
    return list;
}

struct oracle {
    const struct problem_case *problem_case;
    int64_t *row, *column, rows, columns;
    double *a; /* the picked rows of A: GEMM_ROWS at a time, side by side for each p; 0 beyond the last */
    double *b; /* GEMM_COLUMNS picked columns of B, the same way */
};

/* Is every element held against the oracle? */
static bool holds_everything(const struct problem_case *c) {
    return (double)c->size[GEMM_M] * (double)c->size[GEMM_N] * (double)c->size[GEMM_K] <= (double)EVERYTHING;
}

/* What belongs to one element of C, from its sum of products. */
static struct problem_expected expect(const struct problem_case *c, double sum, double size, double old) {
    double alpha = (double)c->size[GEMM_ALPHA] / 4, beta = (double)c->size[GEMM_BETA] / 4;
    double before = beta == 0 ? 0 : beta * old;
    double bound = c->pattern == PATTERN_ROWS_COLUMNS
                       ? 0 /* whole numbers and quarters: no sum is rounded */
                       : sums_bound(c->size[GEMM_K], fabs(alpha) * size + fabs(before));
    return (struct problem_expected){alpha * sum + before, bound};
}

/* The picked elements of some picked columns of C, from column number `first` of them on. */
static void solve_columns(const struct oracle *o, int64_t first, const float *b, const float *old,
                          struct problem_expected *expected) {
    const int64_t *s = o->problem_case->size;
    int64_t k = s[GEMM_K];
    int64_t count = o->columns - first < GEMM_COLUMNS ? o->columns - first : GEMM_COLUMNS;
    for (int64_t p = 0; p < k; p++)
        for (int64_t j = 0; j < GEMM_COLUMNS; j++)
            o->b[p * GEMM_COLUMNS + j] = j < count ? (double)b[p + o->column[first + j] * s[GEMM_LDB]] : 0;
    for (int64_t i = 0; i < o->rows; i += GEMM_ROWS) {
        double sum[GEMM_COLUMNS][GEMM_ROWS], size[GEMM_COLUMNS][GEMM_ROWS];
        sums_gemm(o->a + i * k, o->b, k, sum, size);
        for (int64_t j = 0; j < count; j++)
            for (int64_t r = 0; r < GEMM_ROWS && i + r < o->rows; r++) {
                int64_t at = o->row[i + r] + o->column[first + j] * s[GEMM_LDC];
                expected[at] = expect(o->problem_case, sum[j][r], size[j][r], (double)old[at]);
            }
    }
}

/* Pick and pack. */
static bool prepare(struct oracle *o, const float *a, bool all) {
    const int64_t *s = o->problem_case->size;
    struct draw_key rows = draw_for(&o->problem_case->key, "rows"),
                    columns = draw_for(&o->problem_case->key, "columns");
    int64_t k = s[GEMM_K];
    o->row = pick(s[GEMM_M], all, &rows, &o->rows);
    o->column = pick(s[GEMM_N], all, &columns, &o->columns);
    o->a = calloc((size_t)((o->rows + GEMM_ROWS) * k + 1), sizeof *o->a);
    o->b = calloc((size_t)(GEMM_COLUMNS * k + 1), sizeof *o->b);
    if (o->row == NULL || o->column == NULL || o->a == NULL || o->b == NULL)
        return false;
    for (int64_t i = 0; i < o->rows; i++)
        for (int64_t p = 0; p < k; p++)
            o->a[i / GEMM_ROWS * GEMM_ROWS * k + p * GEMM_ROWS + i % GEMM_ROWS] =
                (double)a[o->row[i] + p * s[GEMM_LDA]];
    return true;
}

static bool solve(const struct problem_case *c, const void *const inputs[], void *const outputs[]) {
    struct problem_layout l;
    const int64_t *s = c->size;
    int64_t m = s[GEMM_M], n = s[GEMM_N], k = s[GEMM_K], shift = s[GEMM_SHIFT_C];
    const float *a = (const float *)inputs[GEMM_A] + s[GEMM_SHIFT_A],
                *b = (const float *)inputs[GEMM_B] + s[GEMM_SHIFT_B];
    const float *old = inputs[GEMM_C];
    struct problem_expected *expected = outputs[0];
    layout(c, &l);
    for (size_t i = 0; i < l.bytes[GEMM_C] / sizeof(float); i++)
        expected[i] = (struct problem_expected){(double)old[i], PROBLEM_UNTOUCHED};

    bool all = holds_everything(c);
    struct oracle o = {.problem_case = c};
    bool right = prepare(&o, a, all);
    /* The timed inputs are at most 1, alpha is 1 and beta 0. */
    for (int64_t j = 0; right && !all && j < n; j++)
        for (int64_t i = 0; i < m; i++)
            expected[shift + i + j * s[GEMM_LDC]] = (struct problem_expected){0, (double)k};
    for (int64_t j = 0; right && j < o.columns; j += GEMM_COLUMNS)
        solve_columns(&o, j, b, old + shift, expected + shift);
    free(o.row);
    free(o.column);
    free(o.a);
    free(o.b);
    return right;
}

/* Untouched: the bits of what stood there. */
static bool is_right(const struct problem_expected *e, float got) {
    return e->bound == PROBLEM_UNTOUCHED ? problem_same((float)e->value, got)
                                         : problem_near(e->value, e->bound, (double)got);
}

static void compare(const struct problem_case *c, const void *const expected[], const void *const got[],
                    uint8_t poison, struct problem_verdict *v) {
    (void)poison;
    struct problem_layout l;
    const int64_t *s = c->size;
    const struct problem_expected *right = expected[0];
    const float *c_got = got[0];
    uint64_t outside = 0;
    layout(c, &l);
    *v = (struct problem_verdict){.total = (uint64_t)(s[GEMM_M] * s[GEMM_N])};
    for (size_t i = 0; i < l.bytes[GEMM_C] / sizeof(float); i++) {
        if (is_right(&right[i], c_got[i]))
            continue;
        int64_t at = (int64_t)i - s[GEMM_SHIFT_C], row = at % s[GEMM_LDC], column = at / s[GEMM_LDC];
        struct problem_wrong *w = problem_list(v, i);
        outside += right[i].bound == PROBLEM_UNTOUCHED;
        if (w == NULL)
            continue;
        if (right[i].bound == PROBLEM_UNTOUCHED)
            snprintf(w->where, sizeof w->where, "outside C");
        else
            snprintf(w->where, sizeof w->where, "(%lld, %lld)", (long long)row, (long long)column);
        snprintf(w->got, sizeof w->got, "%.6g", (double)c_got[i]);
        snprintf(w->expected, sizeof w->expected, "%.6g", right[i].value);
    }
    v->passed = v->wrong == 0;
    if (v->passed)
        return;
    char stray[64] = "";
    if (outside > 0)
        snprintf(stray, sizeof stray, "%s%llu place%s outside C %s written",
                 v->wrong > outside ? ", and " : "", (unsigned long long)outside, outside == 1 ? "" : "s",
                 outside == 1 ? "was" : "were");
    if (v->wrong > outside)
        snprintf(v->message, sizeof v->message, "%llu of %llu elements of C are wrong%s",
                 (unsigned long long)(v->wrong - outside), (unsigned long long)v->total, stray);
    else
        snprintf(v->message, sizeof v->message, "%s", stray);
    if (outside > 0)
        snprintf(v->hint, sizeof v->hint,
                 "Something is written between the columns of C: element (row, column) is "
                 "c[row + column * ldc], not c[row + column * m], and only row < m is yours.");
}

/* The elements that a report divides by are multiply-adds. */
static void work(const struct problem_case *c, struct problem_work *w) {
    bool all = holds_everything(c);
    double m = (double)c->size[GEMM_M], n = (double)c->size[GEMM_N], k = (double)c->size[GEMM_K];
    *w = (struct problem_work){.bytes = 4 * (m * k + k * n + m * n * (c->size[GEMM_BETA] != 0 ? 2 : 1)),
                               .operations = 2 * m * n * k,
                               .oracle_operations = all ? 0 : 2 * (m / SPACING + 1) * (n / SPACING + 1) * k,
                               .least_operations = 1.5 * m * n * k, /* two levels of Strassen save less */
                               .elements = m * n * k};
}

const struct problem problem_gemm = {
    .function = "gemm",
    .element = "multiply-add",
    .criterion = "within the error bound",
    .place = "(row, column)",
    .size_names = {[GEMM_M] = "m", [GEMM_N] = "n", [GEMM_K] = "k"},
    PROBLEM_FUNCTIONS,
    .part_count = 1,
    .timed_case = timed_case,
    .compare = compare,
    .wrong = &wrong_gemm,
};

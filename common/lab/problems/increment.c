/*
 * Lab 4: cases, inputs and oracle of its two parts, and how an answer is judged.
 *
 * Part A: x[i] + 1 is one IEEE addition, so the answer is exact: bit for bit, but for a NaN's payload. The oracle
 * leaves where the inputs are, and compare adds: another 1 GiB is not kept.
 * Part B: the oracle sums in double, every element. One may be wrong by what count + 4 roundings of single precision
 * can do, doubled: |error| <= (count + 4) 2^-23 sum |c[j]| |x|^j.
 */
#include "lab/problems/increment.h"
#include "base/parallel.h"
#include "lab/problems/diagnosis/wrong_oracle.h"
#include "lab/problems/sums.h"

#include <float.h>
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* 12283 and 24571 are 5 less than a multiple of nearly all that blocks take. */
static const struct {
    uint8_t part;
    uint32_t n;
    uint16_t count;
    uint8_t pattern;
} cases[] = {
    {INCREMENT_A, 8, 0, PATTERN_ROWS_COLUMNS},
    {INCREMENT_A, 1, 0, PATTERN_NOISE},
    {INCREMENT_A, 0, 0, PATTERN_NOISE},
    {INCREMENT_A, 2, 0, PATTERN_NOISE},
    {INCREMENT_A, 3, 0, PATTERN_NOISE},
    {INCREMENT_A, 5, 0, PATTERN_ROWS_COLUMNS},
    {INCREMENT_A, 31, 0, PATTERN_NOISE},
    {INCREMENT_A, 33, 0, PATTERN_NOISE},
    {INCREMENT_A, 64, 0, PATTERN_ZEROS},
    {INCREMENT_A, 127, 0, PATTERN_NOISE},
    {INCREMENT_A, 256, 0, PATTERN_MAXIMUM},
    {INCREMENT_A, 257, 0, PATTERN_NOISE},
    {INCREMENT_A, 1000, 0, PATTERN_POINT},
    {INCREMENT_A, 1023, 0, PATTERN_CORNERS},
    {INCREMENT_A, 4097, 0, PATTERN_ROWS_COLUMNS},
    {INCREMENT_A, 12283, 0, PATTERN_NOISE},
    {INCREMENT_A, 65536, 0, PATTERN_NOISE},
    {INCREMENT_A, 100003, 0, PATTERN_NOISE},
    {INCREMENT_B, 8, 3, PATTERN_ROWS_COLUMNS},
    {INCREMENT_B, 1, 1, PATTERN_NOISE},
    {INCREMENT_B, 0, 4, PATTERN_NOISE},
    {INCREMENT_B, 7, 0, PATTERN_NOISE},
    {INCREMENT_B, 5, 2, PATTERN_NOISE},
    {INCREMENT_B, 33, 5, PATTERN_NOISE},
    {INCREMENT_B, 100, 8, PATTERN_ROWS_COLUMNS},
    {INCREMENT_B, 64, 16, PATTERN_ZEROS},
    {INCREMENT_B, 255, 31, PATTERN_NOISE},
    {INCREMENT_B, 300, 9, PATTERN_POINT},
    {INCREMENT_B, 1000, 33, PATTERN_NOISE},
    {INCREMENT_B, 2049, 7, PATTERN_NOISE},
    {INCREMENT_B, 4099, 130, PATTERN_NOISE},
    {INCREMENT_B, 24571, 12, PATTERN_ROWS_COLUMNS},
    {INCREMENT_B, 40, 4096, PATTERN_ROWS_COLUMNS},
};

/* The name says what is particular to the case. */
static void finish(struct problem_case *c) {
    unsigned n = (unsigned)(c->size[INCREMENT_N] % 1000000000),
             count = (unsigned)(c->size[INCREMENT_COEFFICIENTS] % 10000);
    const char *note = c->pattern == PATTERN_POINT     ? ", a NaN"
                       : c->pattern == PATTERN_CORNERS ? ", infinities"
                       : c->pattern == PATTERN_MAXIMUM ? ", large"
                       : c->pattern == PATTERN_ZEROS   ? ", zeros"
                                                       : "";
    if (c->size[INCREMENT_PART] == INCREMENT_A)
        snprintf(c->name, sizeof c->name, "A: %u floats%s", n, note);
    else
        snprintf(c->name, sizeof c->name, "B: %u floats, %u terms%s", n, count, note);
}

static void get_case(unsigned index, const struct draw_key *key, struct problem_case *c) {
    *c = (struct problem_case){.size = {cases[index].part, cases[index].n, cases[index].count},
                               .key = draw_for(key, "case %u", index),
                               .number = index,
                               .pattern = cases[index].pattern};
    finish(c);
}

static void draw_case(const struct draw_key *key, struct problem_case *c) {
    struct draw draw;
    draw_begin(&draw, key);
    bool a = draw_below(&draw, 2) == 0;
    *c = (struct problem_case){.size = {a ? INCREMENT_A : INCREMENT_B,
                                        (int64_t)draw_below(&draw, draw_below(&draw, a ? 70000 : 6000) + 1),
                                        a ? 0 : (int64_t)draw_below(&draw, 140)},
                               .key = *key,
                               .pattern = draw_below(&draw, 3) == 0 ? PATTERN_ROWS_COLUMNS : PATTERN_NOISE};
    finish(c);
}

/* n is width * height. */
static void timed_case(unsigned part, uint32_t width, uint32_t height, const struct draw_key *key,
                       struct problem_case *c) {
    *c = (struct problem_case){.size = {part == 0 ? INCREMENT_A : INCREMENT_B,
                                        (int64_t)width * (int64_t)height,
                                        part == 0 ? 0 : INCREMENT_TIMED_COEFFICIENTS},
                               .key = *key,
                               .pattern = PATTERN_NOISE};
    finish(c);
}

static size_t at_least_one(int64_t count) {
    return count > 0 ? (size_t)count : 1;
}

static struct buffer_shape vector(const char *name, int64_t count) {
    struct buffer_shape shape = {
        "", "float", SHAPE_VECTOR, sizeof(float), 0, (uint64_t)count, 1, .pitch = (uint64_t)count};
    snprintf(shape.name, sizeof shape.name, "%s", name);
    return shape;
}

/* A buffer is never empty; what is added to make it so is not the function's to touch. */
static void layout(const struct problem_case *c, struct problem_layout *l) {
    size_t n = at_least_one(c->size[INCREMENT_N]);
    if (c->size[INCREMENT_PART] == INCREMENT_A) {
        *l = (struct problem_layout){
            .output_count = 1, .in_place = true, .expected_bytes = sizeof(const float *)};
        l->bytes[INCREMENT_X] = n * sizeof(float);
        l->shape[INCREMENT_X] = vector("x", c->size[INCREMENT_N]);
        return;
    }
    *l = (struct problem_layout){
        .input_count = 2, .output_count = 1, .expected_bytes = n * sizeof(struct problem_expected)};
    l->bytes[INCREMENT_X] = l->bytes[INCREMENT_Y] = n * sizeof(float);
    l->shape[INCREMENT_X] = vector("x", c->size[INCREMENT_N]);
    l->shape[INCREMENT_Y] = vector("y", c->size[INCREMENT_N]);
    l->shape[INCREMENT_C] = vector("c", c->size[INCREMENT_COEFFICIENTS]);
    l->bytes[INCREMENT_C] = at_least_one(c->size[INCREMENT_COEFFICIENTS]) * sizeof(float);
}

/* Elements `from`, ... of x, at most AT_ONCE of them; from: a multiple of that. */
enum { AT_ONCE = 1024 };
static void elements(const struct problem_case *c, const struct draw_key *key, size_t from, float *x,
                     size_t count) {
    size_t n = (size_t)c->size[INCREMENT_N];
    switch (c->pattern) {
    case PATTERN_ZEROS: memset(x, 0, count * sizeof *x); return;
    case PATTERN_MAXIMUM:
    case PATTERN_POINT:
    case PATTERN_CORNERS:
        for (size_t i = 0; i < count; i++)
            x[i] = c->pattern == PATTERN_MAXIMUM ? 0x1p100F
                   : c->pattern == PATTERN_POINT ? (from + i == n / 2 ? NAN : 0.5F)
                   : from + i == 0               ? INFINITY
                   : from + i + 1 == n           ? -INFINITY
                                                 : 2;
        return;
    case PATTERN_ROWS_COLUMNS:
        draw_floats(key, from, x, count);
        for (size_t i = 0; i < count; i++)
            x[i] = (float)((int)((x[i] + 1) * 1.5F) - 1); /* -1, 0, 1 */
        return;
    case PATTERN_SCENE:
    case PATTERN_NOISE:
    case PATTERN_TIES:
    case PATTERN_FILE: draw_floats(key, from, x, count); return;
    }
}

/* Elements that a thread begins with. */
enum { DRAWN_STEP = 1 << 20, SOLVED_STEP = HORNER_LANES << 10, COMPARED_STEP = 1 << 20 };

struct filling {
    const struct problem_case *problem_case;
    struct draw_key key;
    float *x;
};

static void fill_part(void *context, size_t from, size_t to) {
    const struct filling *f = context;
    for (; from < to; from += AT_ONCE)
        elements(f->problem_case, &f->key, from, f->x + from, to - from < AT_ONCE ? to - from : AT_ONCE);
}

static void fill(const struct problem_case *c, void *const inputs[]) {
    struct problem_layout l;
    struct draw_key coefficient_key = draw_for(&c->key, "coefficients");
    struct filling filling = {.problem_case = c, .key = draw_for(&c->key, "x"), .x = inputs[INCREMENT_X]};
    layout(c, &l);
    size_t count = l.bytes[INCREMENT_X] / sizeof(float);
    parallel_run(count, DRAWN_STEP, fill_part, &filling);
    if (c->size[INCREMENT_PART] == INCREMENT_A)
        return;
    /* Coefficients with no symmetry: small whole numbers where results must be exact. */
    float *coefficients = inputs[INCREMENT_C];
    count = l.bytes[INCREMENT_C] / sizeof(float);
    draw_floats(&coefficient_key, 0, coefficients, count);
    for (size_t j = 0; c->pattern == PATTERN_ROWS_COLUMNS && j < count; j++)
        coefficients[j] = (float)((int)((coefficients[j] + 1) * 4.5F) - 4);
}

struct polynomial {
    const float *x, *coefficients;
    int64_t count;
    double roundings, least;
    struct problem_expected *expected;
};

static void solve_part(void *context, size_t from, size_t to) {
    const struct polynomial *p = context;
    for (; from < to; from += HORNER_LANES) {
        float at[HORNER_LANES] = {0};
        double value[HORNER_LANES], size[HORNER_LANES];
        size_t some = to - from < HORNER_LANES ? to - from : HORNER_LANES;
        memcpy(at, p->x + from, some * sizeof *at);
        sums_horner(p->coefficients, p->count, at, value, size);
        for (size_t i = 0; i < some; i++)
            p->expected[from + i] = (struct problem_expected){value[i], p->roundings * size[i] + p->least};
    }
}

static bool solve(const struct problem_case *c, const void *const inputs[], void *const outputs[]) {
    int64_t count = c->size[INCREMENT_COEFFICIENTS];
    bool exact = c->pattern == PATTERN_ROWS_COLUMNS; /* small whole numbers: nothing is rounded */
    struct polynomial polynomial = {.x = inputs[INCREMENT_X],
                                    .coefficients = inputs[INCREMENT_C],
                                    .count = count,
                                    .roundings = exact ? 0 : ((double)count + 4) * 0x1p-23,
                                    .least = exact ? 0 : (double)FLT_MIN,
                                    .expected = outputs[0]};
    if (c->size[INCREMENT_PART] == INCREMENT_A)
        memcpy(outputs[0], &polynomial.x, sizeof polynomial.x);
    else
        parallel_run((size_t)c->size[INCREMENT_N], SOLVED_STEP, solve_part, &polynomial);
    return true;
}

/* Near the right value, and written: what lies there unwritten is a number, too, but of millions of right ones some are the same
 * number. It is no answer where the right one may as well be 0, which all small numbers are near to. */
static bool is_answer(const struct problem_expected *e, float got, uint8_t poison) {
    return problem_near(e->value, e->bound, (double)got) &&
           !(fabs(e->value) <= e->bound && problem_is_poison(&got, sizeof got, poison));
}

static void list_wrong(struct problem_verdict *v, size_t i, double got, double expected) {
    struct problem_wrong *w = problem_list(v, i);
    if (w == NULL)
        return;
    snprintf(w->where, sizeof w->where, "%llu", (unsigned long long)i);
    snprintf(w->got, sizeof w->got, "%.6g", got);
    snprintf(w->expected, sizeof w->expected, "%.6g", expected);
}

/* An answer, and whether an element of it was found to be wrong. Most answers have none: all cores look for one, and
 * only where they find it are all of them counted. */
struct answer {
    const float *x, *got;
    const struct problem_expected *expected;
    uint8_t poison;
    atomic_bool wrong;
};

static void check_incremented(void *context, size_t from, size_t to) {
    struct answer *a = context;
    float right[AT_ONCE];
    for (; from + AT_ONCE <= to; from += AT_ONCE) {
        for (size_t i = 0; i < AT_ONCE; i++)
            right[i] = a->x[from + i] + 1;
        if (memcmp((const uint8_t *)right, (const uint8_t *)(a->got + from), sizeof right) == 0)
            continue;
        for (size_t i = from; i < from + AT_ONCE; i++)
            if (!problem_same(a->x[i] + 1, a->got[i]))
                atomic_store(&a->wrong, true);
    }
    for (; from < to; from++)
        if (!problem_same(a->x[from] + 1, a->got[from]))
            atomic_store(&a->wrong, true);
}

static void compare_incremented(const struct problem_case *c, const float *x, const float *got,
                                struct problem_verdict *v) {
    size_t n = (size_t)c->size[INCREMENT_N];
    struct answer answer = {.x = x, .got = got};
    if (n == 0 && got[0] != x[0]) { /* the one element that a buffer has at least */
        list_wrong(v, 0, (double)got[0], (double)x[0]);
    }
    atomic_init(&answer.wrong, false);
    parallel_run(n, COMPARED_STEP, check_incremented, &answer);
    for (size_t i = 0; atomic_load(&answer.wrong) && i < n; i++) {
        if (problem_same(x[i] + 1, got[i]))
            continue;
        list_wrong(v, i, (double)got[i], (double)(x[i] + 1));
    }
}

static void check_polynomial(void *context, size_t from, size_t to) {
    struct answer *a = context;
    for (; from < to; from++)
        if (!is_answer(&a->expected[from], a->got[from], a->poison))
            atomic_store(&a->wrong, true);
}

static void compare_polynomial(const struct problem_case *c, const struct problem_expected *e,
                               const float *got, uint8_t poison, struct problem_verdict *v) {
    size_t n = (size_t)c->size[INCREMENT_N];
    if (n == 0 && !problem_is_poison(got, sizeof *got, poison)) {
        list_wrong(v, 0, (double)got[0], 0);
    }
    struct answer answer = {.got = got, .expected = e, .poison = poison};
    atomic_init(&answer.wrong, false);
    parallel_run(n, COMPARED_STEP, check_polynomial, &answer);
    for (size_t i = 0; atomic_load(&answer.wrong) && i < n; i++) {
        if (is_answer(&e[i], got[i], poison))
            continue;
        list_wrong(v, i, (double)got[i], e[i].value);
    }
}

static void compare(const struct problem_case *c, const void *const expected[], const void *const got[],
                    uint8_t poison, struct problem_verdict *v) {
    *v = (struct problem_verdict){.total = (uint64_t)c->size[INCREMENT_N]};
    const float *x = NULL;
    if (c->size[INCREMENT_PART] == INCREMENT_A) {
        memcpy(&x, expected[0], sizeof x);
        compare_incremented(c, x, got[0], v);
    } else
        compare_polynomial(c, expected[0], got[0], poison, v);
    v->passed = v->wrong == 0;
    if (v->passed)
        return;
    snprintf(v->message, sizeof v->message, "part %c: %llu of %llu elements are wrong",
             c->size[INCREMENT_PART] == INCREMENT_A ? 'A' : 'B', (unsigned long long)v->wrong,
             (unsigned long long)v->total);
    if (c->size[INCREMENT_N] == 0)
        snprintf(v->hint, sizeof v->hint, "n is 0: nothing may be written.");
}

static void work(const struct problem_case *c, struct problem_work *w) {
    double n = (double)c->size[INCREMENT_N], count = (double)c->size[INCREMENT_COEFFICIENTS];
    bool a = c->size[INCREMENT_PART] == INCREMENT_A;
    /* No least number of operations: who tabulates short polynomials first is right, and does with far fewer. */
    *w = (struct problem_work){
        .bytes = 8 * n + 4 * count, .operations = a ? n : 2 * n * count, .elements = a ? n : n * count};
}

const struct problem problem_increment = {
    .function = "increment",
    .element = "element",
    .criterion = "within the error bound",
    .place = "",
    .outside = "index is not below n: check each element's, a thread's later ones too,",
    .size_names = {[INCREMENT_N] = "n"},
    PROBLEM_FUNCTIONS,
    .part_count = 2,
    .timed_case = timed_case,
    .compare = compare,
    .wrong = &wrong_increment,
};

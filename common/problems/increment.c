/*
 * Lab 4: cases, inputs and oracle of its two parts, and how an answer is judged.
 *
 * Part A: x[i] + 1 is one IEEE addition, so the answer is exact: bit for bit, but for a NaN's payload. Inputs
 * are made from the index and a seed, cheaply, and made again by compare: a copy of 1 GiB is not kept.
 * Part B: the oracle sums in double. An element may be wrong by what count + 4 roundings of single precision
 * can do, doubled: |error| <= (count + 4) 2^-23 sum |c[j]| |x|^j. Up to 2^27 multiply-adds every element is
 * held against the oracle; above, one of every 64, at places that change with the seed, and the others must
 * at least be as small as the inputs allow.
 */
#include "problems/increment.h"
#include "problems/wrong_oracle.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { EVERYTHING = 1 << 27, SPACING = 64 };

static const struct {
    uint8_t part;
    uint32_t n;
    uint16_t count;
    uint8_t pattern;
} cases[] = {
    {INCREMENT_A, 8, 0, PATTERN_ROWS_COLUMNS},    {INCREMENT_A, 1, 0, PATTERN_NOISE},
    {INCREMENT_A, 0, 0, PATTERN_NOISE},           {INCREMENT_A, 2, 0, PATTERN_NOISE},
    {INCREMENT_A, 3, 0, PATTERN_NOISE},           {INCREMENT_A, 5, 0, PATTERN_ROWS_COLUMNS},
    {INCREMENT_A, 31, 0, PATTERN_NOISE},          {INCREMENT_A, 33, 0, PATTERN_NOISE},
    {INCREMENT_A, 64, 0, PATTERN_ZEROS},          {INCREMENT_A, 127, 0, PATTERN_NOISE},
    {INCREMENT_A, 256, 0, PATTERN_MAXIMUM},       {INCREMENT_A, 257, 0, PATTERN_NOISE},
    {INCREMENT_A, 1000, 0, PATTERN_POINT},        {INCREMENT_A, 1023, 0, PATTERN_CORNERS},
    {INCREMENT_A, 4097, 0, PATTERN_ROWS_COLUMNS}, {INCREMENT_A, 12346, 0, PATTERN_NOISE},
    {INCREMENT_A, 65536, 0, PATTERN_NOISE},       {INCREMENT_A, 100003, 0, PATTERN_NOISE},
    {INCREMENT_B, 8, 3, PATTERN_ROWS_COLUMNS},    {INCREMENT_B, 1, 1, PATTERN_NOISE},
    {INCREMENT_B, 0, 4, PATTERN_NOISE},           {INCREMENT_B, 7, 0, PATTERN_NOISE},
    {INCREMENT_B, 5, 2, PATTERN_NOISE},           {INCREMENT_B, 33, 5, PATTERN_NOISE},
    {INCREMENT_B, 100, 8, PATTERN_ROWS_COLUMNS},  {INCREMENT_B, 64, 16, PATTERN_ZEROS},
    {INCREMENT_B, 255, 31, PATTERN_NOISE},        {INCREMENT_B, 300, 9, PATTERN_POINT},
    {INCREMENT_B, 1000, 33, PATTERN_NOISE},       {INCREMENT_B, 2049, 7, PATTERN_NOISE},
    {INCREMENT_B, 4099, 130, PATTERN_NOISE},      {INCREMENT_B, 20001, 12, PATTERN_ROWS_COLUMNS},
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

static void get_case(unsigned index, uint64_t seed, struct problem_case *c) {
    *c = (struct problem_case){.size = {cases[index].part, cases[index].n, cases[index].count},
                               .seed = seed * 1000 + index,
                               .pattern = cases[index].pattern};
    finish(c);
}

/* n is width * height. */
static void timed_case(unsigned part, uint32_t width, uint32_t height, uint64_t seed,
                       struct problem_case *c) {
    *c = (struct problem_case){.size = {part == 0 ? INCREMENT_A : INCREMENT_B,
                                        (int64_t)width * (int64_t)height,
                                        part == 0 ? 0 : INCREMENT_TIMED_COEFFICIENTS},
                               .seed = seed,
                               .pattern = PATTERN_NOISE};
    finish(c);
}

/* What compare needs of an element of part B. */
struct expected {
    double value, bound; /* |got - value| <= bound */
};

static size_t at_least_one(int64_t count) {
    return count > 0 ? (size_t)count : 1;
}

static struct buffer_shape vector(const char *name, int64_t count) {
    struct buffer_shape shape = {"", "float",        SHAPE_VECTOR, sizeof(float), 0, (uint64_t)count,
                                 1,  (uint64_t)count};
    snprintf(shape.name, sizeof shape.name, "%s", name);
    return shape;
}

/* A buffer is never empty; what is added to make it so is not the function's to touch. */
static void layout(const struct problem_case *c, struct problem_layout *l) {
    size_t n = at_least_one(c->size[INCREMENT_N]);
    if (c->size[INCREMENT_PART] == INCREMENT_A) {
        *l = (struct problem_layout){.output_count = 1, .in_place = true, .expected_bytes = 1};
        l->bytes[INCREMENT_X] = n * sizeof(float);
        l->shape[INCREMENT_X] = vector("x", c->size[INCREMENT_N]);
        return;
    }
    *l = (struct problem_layout){
        .input_count = 2, .output_count = 1, .expected_bytes = n * sizeof(struct expected)};
    l->bytes[INCREMENT_X] = l->bytes[INCREMENT_Y] = n * sizeof(float);
    l->shape[INCREMENT_X] = vector("x", c->size[INCREMENT_N]);
    l->shape[INCREMENT_Y] = vector("y", c->size[INCREMENT_N]);
    l->shape[INCREMENT_C] = vector("c", c->size[INCREMENT_COEFFICIENTS]);
    l->bytes[INCREMENT_C] = at_least_one(c->size[INCREMENT_COEFFICIENTS]) * sizeof(float);
}

/* Element i of x: neighbours differ, so that a shift shows. */
static float element(const struct problem_case *c, uint32_t seed, size_t i) {
    uint32_t random = (uint32_t)i * 0x9e3779b1u + seed;
    switch (c->pattern) {
    case PATTERN_ZEROS: return 0;
    case PATTERN_MAXIMUM: return 0x1p100F;
    case PATTERN_ROWS_COLUMNS: return (float)((int)(image_hash(random) % 3) - 1);
    case PATTERN_POINT: return i == (size_t)c->size[INCREMENT_N] / 2 ? NAN : 0.5F;
    case PATTERN_CORNERS: return i == 0 ? INFINITY : i + 1 == (size_t)c->size[INCREMENT_N] ? -INFINITY : 2;
    case PATTERN_SCENE:
    case PATTERN_NOISE:
    case PATTERN_FILE: break;
    }
    return (float)((int)(random >> 8) - (1 << 23)) * 0x1p-23F; /* -1 to below 1 */
}

static uint32_t seed_of(const struct problem_case *c) {
    return image_hash((uint32_t)c->seed + 0x5bd1e995u);
}

/* Coefficients with no symmetry: small whole numbers where results must be exact. */
static float coefficient(const struct problem_case *c, int64_t j) {
    uint32_t random = image_hash((uint32_t)j + 77 * seed_of(c));
    return c->pattern == PATTERN_ROWS_COLUMNS ? (float)((int)(random % 9) - 4)
                                              : (float)((int)(random >> 8) - (1 << 23)) * 0x1p-23F;
}

static void fill(const struct problem_case *c, void *const inputs[]) {
    struct problem_layout l;
    uint32_t seed = seed_of(c);
    float *x = inputs[INCREMENT_X];
    layout(c, &l);
    for (size_t i = 0; i < l.bytes[INCREMENT_X] / sizeof(float); i++)
        x[i] = element(c, seed, i);
    if (c->size[INCREMENT_PART] == INCREMENT_A)
        return;
    float *coefficients = inputs[INCREMENT_C];
    for (size_t j = 0; j < l.bytes[INCREMENT_C] / sizeof(float); j++)
        coefficients[j] = coefficient(c, (int64_t)j);
}

/* The polynomial at x by Horner's rule in double; size: the same of the absolute values. */
static double evaluate(const float *coefficients, int64_t count, double x, double *size) {
    double value = 0, sum = 0;
    for (int64_t j = count; j-- > 0;) {
        value = value * x + (double)coefficients[j];
        sum = sum * fabs(x) + fabs((double)coefficients[j]);
    }
    *size = sum;
    return value;
}

static bool solve(const struct problem_case *c, const void *const inputs[], void *const outputs[]) {
    if (c->size[INCREMENT_PART] == INCREMENT_A)
        return true;
    const float *x = inputs[INCREMENT_X], *coefficients = inputs[INCREMENT_C];
    struct expected *expected = outputs[0];
    int64_t n = c->size[INCREMENT_N], count = c->size[INCREMENT_COEFFICIENTS];
    bool all = n * count <= EVERYTHING;
    double largest, size; /* |x| is at most 1 where not all are computed */
    (void)evaluate(coefficients, count, 1, &largest);
    for (int64_t first = 0; first < n; first += SPACING) {
        int64_t picked = first + (int64_t)(image_hash((uint32_t)(first + (int64_t)c->seed * 977)) % SPACING);
        for (int64_t i = first; i < first + SPACING && i < n; i++) {
            if (!all && i != picked) {
                expected[i] = (struct expected){0, largest * 1.001};
                continue;
            }
            double value = evaluate(coefficients, count, (double)x[i], &size);
            expected[i] =
                (struct expected){value, c->pattern == PATTERN_ROWS_COLUMNS
                                             ? 0 /* small whole numbers: nothing is rounded */
                                             : ((double)count + 4) * 0x1p-23 * size + (double)FLT_MIN};
        }
    }
    return true;
}

static bool is_poison(float got, uint8_t poison) {
    uint8_t bytes[sizeof got];
    memcpy(bytes, &got, sizeof got);
    return bytes[0] == poison && bytes[1] == poison && bytes[2] == poison && bytes[3] == poison;
}

/* The answer of part A: exactly. */
static bool is_incremented(float x, float got) {
    float right = x + 1;
    uint32_t a, b;
    memcpy(&a, &right, sizeof a);
    memcpy(&b, &got, sizeof b);
    return a == b || (isnan(right) && isnan(got));
}

static bool is_near(const struct expected *e, float got) {
    if (isnan(e->value))
        return isnan(got);
    return fabs((double)got - e->value) <= e->bound; /* false for NaN */
}

static void list_wrong(struct problem_verdict *v, size_t i, double got, double expected) {
    if (v->listed == PROBLEM_LISTED)
        return;
    struct problem_wrong *w = &v->first[v->listed++];
    w->index = i;
    snprintf(w->where, sizeof w->where, "%llu", (unsigned long long)i);
    snprintf(w->got, sizeof w->got, "%.6g", got);
    snprintf(w->expected, sizeof w->expected, "%.6g", expected);
}

static void compare_incremented(const struct problem_case *c, const float *got, struct problem_verdict *v) {
    size_t n = (size_t)c->size[INCREMENT_N];
    uint32_t seed = seed_of(c);
    if (n == 0 && got[0] != element(c, seed, 0)) {
        v->wrong = 1;
        list_wrong(v, 0, (double)got[0], (double)element(c, seed, 0));
    }
    for (size_t i = 0; i < n; i++) {
        float x = element(c, seed, i);
        if (is_incremented(x, got[i]))
            continue;
        v->wrong++;
        list_wrong(v, i, (double)got[i], (double)(x + 1));
    }
}

static void compare_polynomial(const struct problem_case *c, const struct expected *e, const float *got,
                               uint8_t poison, struct problem_verdict *v) {
    size_t n = (size_t)c->size[INCREMENT_N];
    if (n == 0 && !is_poison(got[0], poison)) {
        v->wrong = 1;
        list_wrong(v, 0, (double)got[0], 0);
    }
    for (size_t i = 0; i < n; i++) {
        if (is_near(&e[i], got[i]) && !is_poison(got[i], poison)) /* poison is a small number */
            continue;
        v->wrong++;
        list_wrong(v, i, (double)got[i], e[i].value);
    }
}

static void compare(const struct problem_case *c, const void *const expected[], const void *const got[],
                    uint8_t poison, struct problem_verdict *v) {
    *v = (struct problem_verdict){.total = (uint64_t)c->size[INCREMENT_N]};
    if (c->size[INCREMENT_PART] == INCREMENT_A)
        compare_incremented(c, got[0], v);
    else
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
    .case_count = sizeof cases / sizeof *cases,
    .get_case = get_case,
    .part_count = 2,
    .timed_case = timed_case,
    .layout = layout,
    .fill = fill,
    .solve = solve,
    .compare = compare,
    .work = work,
    .wrong = &wrong_increment,
};

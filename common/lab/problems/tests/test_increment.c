/* Lab 4's problem: the oracle against small cases by hand, and what is said of wrong answers. */
#include "base/test.h"
#include "lab/problems/increment.h"
#include "lab/problems/sums.h"
#include <math.h>

/* A case with its inputs, the oracle's answer, and room for somebody's. */
struct fixture {
    struct problem_case c;
    struct problem_layout layout;
    void *input[PROBLEM_BUFFERS];
    void *expected[1];
    float *got;
};

static void open_case(struct fixture *f, unsigned part, uint32_t width, uint32_t height) {
    *f = (struct fixture){0};
    const struct draw_key key = {{7}};
    problem_increment.timed_case(part, width, height, &key, &f->c);
    problem_increment.layout(&f->c, &f->layout);
    for (int i = 0; i < PROBLEM_BUFFERS; i++)
        f->input[i] = calloc(1, f->layout.bytes[i] + 1);
    f->expected[0] = malloc(f->layout.expected_bytes);
    f->got = malloc((size_t)width * height * sizeof *f->got);
    problem_increment.fill(&f->c, f->input);
    assert_true(problem_increment.solve(&f->c, (const void *const *)f->input, f->expected));
}

static void close_case(struct fixture *f) {
    for (int i = 0; i < PROBLEM_BUFFERS; i++)
        free(f->input[i]);
    free(f->expected[0]);
    free(f->got);
}

static struct problem_verdict judge(const struct fixture *f) {
    struct problem_verdict v;
    const void *got[1] = {f->got};
    problem_increment.compare(&f->c, (const void *const *)f->expected, got, 0xa5, &v);
    return v;
}

static void increment_by_hand(struct fixture *f, size_t n) {
    for (size_t i = 0; i < n; i++)
        f->got[i] = ((const float *)f->input[0])[i] + 1;
}

static void test_increment(void **state) {
    struct fixture f;
    struct problem_verdict v;
    open_case(&f, INCREMENT_A, 33, 3);
    increment_by_hand(&f, 99);
    assert_true(judge(&f).passed);

    for (size_t i = 96; i < 99; i++)
        f.got[i] = ((const float *)f.input[0])[i];
    v = judge(&f);
    assert_false(v.passed);
    assert_int_equal(v.wrong, 3);

    increment_by_hand(&f, 99);
    f.got[5] += 1;
    v = judge(&f);
    assert_true(v.wrong == 1 && v.first[0].index == 5);

    increment_by_hand(&f, 99);
    memmove(f.got, f.got + 1, 98 * sizeof *f.got); /* the last stands twice: right */
    v = judge(&f);
    assert_int_equal(v.wrong, 98);

    increment_by_hand(&f, 99);
    f.got[98] = NAN;
    assert_int_equal(judge(&f).wrong, 1);
    close_case(&f);
}

/* Horner in float is within the bound; with reversed coefficients, or an x rounded to 11 bits, it is not. */
static void test_polynomial(void **state) {
    struct fixture f;
    struct problem_verdict v;
    enum { N = 640, TERMS = INCREMENT_TIMED_COEFFICIENTS };
    open_case(&f, INCREMENT_B, N, 1);
    const float *x = f.input[0], *c = f.input[1];
    for (int how = 0; how < 3; how++) {
        for (int i = 0; i < N; i++) {
            float at = how == 2 ? roundf(x[i] * 0x1p11F) * 0x1p-11F : x[i];
            f.got[i] = 0;
            for (int j = TERMS - 1; j >= 0; j--)
                f.got[i] = f.got[i] * at + c[how == 1 ? TERMS - 1 - j : j];
        }
        v = judge(&f);
        assert_int_equal(v.passed, how == 0);
    }
    close_case(&f);
}

/* Every element of the timed size is held against the oracle: any single one that is a little off is found. */
static void test_large_polynomial(void **state) {
    struct fixture f;
    struct problem_verdict v;
    const size_t n = (1 << 19) + 61;
    open_case(&f, INCREMENT_B, (uint32_t)n, 1);
    const double(*expected)[2] = f.expected[0]; /* value and bound */
    for (size_t i = 0; i < n; i++)
        f.got[i] = (float)expected[i][0];
    assert_true(judge(&f).passed);
    for (size_t i = 0; i < n; i += 7919) {
        float right = f.got[i];
        f.got[i] += 2 * (float)expected[i][1];
        v = judge(&f);
        assert_true(v.wrong == 1 && v.first[0].index == i);
        f.got[i] = right;
    }
    memset(f.got, 0, n * sizeof *f.got);
    assert_true(judge(&f).wrong > n - n / 100); /* a value that is nearly 0 may pass */
    memset(f.got, 0xa5, n * sizeof *f.got);     /* never written: a small number, and yet wrong everywhere */
    assert_int_equal(judge(&f).wrong, n);
    close_case(&f);
}

/* So large that several threads look for what is wrong: it is counted and listed as by one, wherever it is. */
static void test_large_increment(void **state) {
    struct fixture f;
    struct problem_verdict v;
    const size_t n = 5 * ((size_t)1 << 20) + 77, places[] = {0, 1, n / 2, n - 78, n - 77, n - 1};
    enum { PLACES = sizeof places / sizeof *places };
    open_case(&f, INCREMENT_A, (uint32_t)n, 1);
    increment_by_hand(&f, n);
    assert_true(judge(&f).passed);
    for (size_t i = 0; i < PLACES; i++) {
        f.got[places[i]] += 0.5F;
        v = judge(&f);
        assert_true(!v.passed && v.wrong == i + 1);
        for (size_t k = 0; k <= i; k++)
            assert_int_equal(v.first[k].index, places[k]);
    }
    memset(f.got, 0xa5, n * sizeof *f.got);
    assert_int_equal(judge(&f).wrong, n);
    close_case(&f);
}

/* The same bits as one element after the other: no machine rounds otherwise. */
static void test_horner(void **state) {
    enum { COUNT = 61, TIMES = 50 };
    const struct draw_key key = {{3}};
    float x[TIMES * HORNER_LANES], c[COUNT];
    draw_floats(&key, 0, x, sizeof x / sizeof *x);
    draw_floats(&key, 1600, c, COUNT);
    for (size_t t = 0; t < TIMES; t++) {
        double value[HORNER_LANES], size[HORNER_LANES], values[HORNER_LANES] = {0}, sizes[HORNER_LANES] = {0};
        int64_t count = t < COUNT ? (int64_t)t : COUNT;
        const float *at = x + t * HORNER_LANES;
        sums_horner(c, count, at, value, size);
        for (int i = 0; i < HORNER_LANES; i++)
            for (int64_t j = count; j-- > 0;) {
                values[i] = values[i] * (double)at[i] + (double)c[j];
                sizes[i] = sizes[i] * fabs((double)at[i]) + fabs((double)c[j]);
            }
        for (int i = 0; i < HORNER_LANES; i++)
            assert_true(value[i] == values[i] && size[i] == sizes[i]);
    }
}

/* Of 16 million right values some are, bit for bit, what an output holds before it is written; where all are 0 that is no answer. */
static void test_right_as_poison(void **state) {
    enum { POISON = 0xbf, SIDE = 8 };
    struct fixture f;
    struct problem_verdict v;
    const void *got[1];
    float poisoned;
    memset(&poisoned, POISON, sizeof poisoned);
    for (int zero = 0; zero < 2; zero++) {
        open_case(&f, INCREMENT_B, SIDE, SIDE);
        float *x = f.input[0], *coefficients = f.input[1];
        int64_t count = f.c.size[INCREMENT_COEFFICIENTS];
        for (int64_t i = 0; i < count; i++)
            coefficients[i] = 0;
        coefficients[0] = zero ? 0 : poisoned;
        for (int i = 0; i < SIDE * SIDE; i++)
            x[i] = 0.5F;
        assert_true(problem_increment.solve(&f.c, (const void *const *)f.input, f.expected));
        for (int i = 0; i < SIDE * SIDE; i++)
            f.got[i] = poisoned;
        got[0] = f.got;
        problem_increment.compare(&f.c, (const void *const *)f.expected, got, POISON, &v);
        assert_int_equal(v.passed, !zero);
        close_case(&f);
    }
}

TESTS(UNIT(test_right_as_poison), UNIT(test_increment), UNIT(test_polynomial), UNIT(test_large_polynomial),
      UNIT(test_large_increment), UNIT(test_horner))

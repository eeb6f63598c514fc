/* Lab 8: the oracle against sums made another way, and what is let through and what is not. */
#include "base/test.h"
#include "lab/problems/weighted_sums.h"
#include <math.h>

static const struct draw_key key = {{1}};
enum { POISON = 0xaa };

struct made {
    struct problem_case c;
    struct problem_layout l;
    void *input[2], *expected;
    double *got;
};

static void make(struct made *m) {
    problem_weighted_sums.layout(&m->c, &m->l);
    for (int i = 0; i < 2; i++)
        assert_non_null(m->input[i] = malloc(m->l.bytes[i]));
    assert_non_null(m->expected = malloc(m->l.expected_bytes));
    assert_non_null(m->got = malloc(m->l.bytes[WEIGHTED_SUMS]));
    memset(m->got, POISON, m->l.bytes[WEIGHTED_SUMS]);
    problem_weighted_sums.fill(&m->c, m->input);
    void *outputs[1] = {m->expected};
    assert_true(problem_weighted_sums.solve(&m->c, (const void *const *)m->input, outputs));
}

static void make_case(struct made *m, unsigned index) {
    problem_weighted_sums.get_case(index, &key, &m->c);
    make(m);
}

static void release(struct made *m) {
    for (int i = 0; i < 2; i++)
        free(m->input[i]);
    free(m->expected);
    free(m->got);
}

static struct problem_verdict judge(const struct made *m) {
    struct problem_verdict v;
    const void *expected[1] = {m->expected}, *answer[1] = {m->got};
    problem_weighted_sums.compare(&m->c, expected, answer, POISON, &v);
    return v;
}

static const double *weights_of(const struct made *m) {
    return (const double *)m->input[WEIGHTED_WEIGHTS] + m->c.size[WEIGHTED_SHIFT_WEIGHTS];
}

static const double *values_of(const struct made *m) {
    return (const double *)m->input[WEIGHTED_VALUES] + m->c.size[WEIGHTED_SHIFT_VALUES];
}

static double *sums_of(const struct made *m) {
    return m->got + m->c.size[WEIGHTED_SHIFT_SUMS];
}

/* By the definition, backwards and fused, into m->got. single: in float. */
static void compute(const struct made *m, bool single) {
    const int64_t *s = m->c.size, terms = s[WEIGHTED_TERMS], points = s[WEIGHTED_POINTS];
    const double *weights = weights_of(m), *values = values_of(m);
    for (int64_t row = 0; row < s[WEIGHTED_SETS] * WEIGHTED_ROWS; row++)
        for (int64_t point = 0; point < points; point++) {
            double sum = 0;
            float small = 0;
            for (int64_t term = terms; term-- > 0;) {
                double weight = weights[row * terms + term],
                       value = values[(row / WEIGHTED_ROWS * terms + term) * points + point];
                sum = fma(weight, value, sum);
                small = fmaf((float)weight, (float)value, small);
            }
            sums_of(m)[row * points + point] = single ? (double)small : sum;
        }
}

static void test_other_order_passes(void **state) {
    for (unsigned i = 0; i < problem_weighted_sums.case_count; i++) {
        struct made m;
        make_case(&m, i);
        compute(&m, false);
        struct problem_verdict v = judge(&m);
        if (!v.passed)
            fail_msg("%s: %s: %s is %s, not %s", m.c.name, v.message, v.first[0].where, v.first[0].got,
                     v.first[0].expected);
        release(&m);
    }
}

/* Single precision is not enough, wherever numbers are no whole ones. */
static void test_single_precision_fails(void **state) {
    unsigned tried = 0;
    for (unsigned i = 0; i < problem_weighted_sums.case_count; i++) {
        struct made m;
        make_case(&m, i);
        if (m.c.pattern == PATTERN_NOISE && m.c.size[WEIGHTED_TERMS] > 0 && judge(&m).total > 0) {
            compute(&m, true);
            struct problem_verdict v = judge(&m);
            assert_false(v.passed);
            assert_true(v.wrong * 10 > v.total * 9);
            tried++;
        }
        release(&m);
    }
    assert_true(tried > 15);
}

/* The first and the last element changed, in every case that has them: nothing gets through, NaN least of all. A step of
 * 2^-40 of the largest sum there can be is far less than single precision's. */
static void test_one_wrong_element(void **state) {
    for (unsigned i = 0; i < problem_weighted_sums.case_count; i++) {
        struct made m;
        make_case(&m, i);
        uint64_t total = judge(&m).total;
        bool plain = m.c.pattern == PATTERN_NOISE || m.c.pattern == PATTERN_ROWS_COLUMNS;
        compute(&m, false);
        for (int end = 0; end < 2 && total > 0 && plain; end++) {
            double *at = &sums_of(&m)[end == 0 ? 0 : total - 1], right = *at;
            double wrong[] = {right + 0x1p-38 * (double)(m.c.size[WEIGHTED_TERMS] + 1), (double)NAN,
                              (double)INFINITY};
            for (int k = 0; k < 3; k++) {
                *at = wrong[k];
                assert_int_equal(judge(&m).wrong, 1);
            }
            memset(at, POISON, sizeof *at);
            assert_int_equal(judge(&m).wrong, 1);
            *at = right;
        }
        assert_true(judge(&m).passed);
        release(&m);
    }
}

/* What lies before the array, or stands for one of no elements, must stay as it was. */
static void test_outside(void **state) {
    unsigned shifted = 0, empty = 0;
    for (unsigned i = 0; i < problem_weighted_sums.case_count; i++) {
        struct made m;
        make_case(&m, i);
        uint64_t total = judge(&m).total;
        compute(&m, false);
        if (m.c.size[WEIGHTED_SHIFT_SUMS] > 0 || total == 0) {
            m.got[0] = 0;
            struct problem_verdict v = judge(&m);
            assert_int_equal(v.wrong, 1);
            assert_string_equal(v.message, "something is written outside sums");
            assert_string_equal(v.first[0].where, "outside sums");
            assert_true(strlen(v.hint) > 0);
            shifted += total > 0;
            empty += total == 0;
        }
        release(&m);
    }
    assert_true(shifted >= 3 && empty >= 2);
}

/* The place of a wrong element is told as set, row, point. */
static void test_where(void **state) {
    struct made m;
    problem_weighted_sums.timed_case(0, 6, 3, &key, &m.c);
    make(&m);
    assert_int_equal(m.c.size[WEIGHTED_TERMS], WEIGHTED_TIMED_TERMS);
    assert_int_equal(m.l.bytes[WEIGHTED_VALUES], sizeof(double) * 3 * WEIGHTED_TIMED_TERMS * 6);
    assert_int_equal(m.l.bytes[WEIGHTED_WEIGHTS], sizeof(double) * 3 * WEIGHTED_ROWS * WEIGHTED_TIMED_TERMS);
    compute(&m, false);
    m.got[(2 * WEIGHTED_ROWS + 1) * 6 + 5] = 12345;
    struct problem_verdict v = judge(&m);
    assert_string_equal(v.message, "1 of 72 sums are wrong");
    assert_string_equal(v.first[0].where, "(2, 1, 5)");
    assert_string_equal(v.first[0].got, "12345");
    release(&m);
}

/* Inputs: NaN before arrays that do not begin where their buffer does, and whole numbers of both signs, none like another. */
static void test_inputs(void **state) {
    unsigned nans = 0;
    for (unsigned i = 0; i < problem_weighted_sums.case_count; i++) {
        struct made m;
        make_case(&m, i);
        for (int b = 0; b < 2; b++)
            if (m.c.size[WEIGHTED_SHIFT_WEIGHTS + b] > 0) {
                assert_true(isnan(((const double *)m.input[b])[0]));
                nans++;
            }
        if (m.c.pattern == PATTERN_ROWS_COLUMNS && m.c.size[WEIGHTED_POINTS] >= 1000) {
            unsigned seen[17] = {0};
            for (int64_t p = 0; p < m.c.size[WEIGHTED_TERMS] * m.c.size[WEIGHTED_POINTS]; p++) {
                double value = values_of(&m)[p];
                assert_true(value >= -8 && value <= 8 && value == floor(value));
                seen[(int)value + 8]++;
            }
            for (int k = 0; k < 17; k++)
                assert_true(seen[k] > 0);
        }
        release(&m);
    }
    assert_int_equal(nans, 6);
}

TESTS(UNIT(test_other_order_passes), UNIT(test_single_precision_fails), UNIT(test_one_wrong_element),
      UNIT(test_outside), UNIT(test_where), UNIT(test_inputs))

/* Lab 6: the oracle against sums made another way, and what is let through and what is not. */
#include "base/test.h"
#include "lab/problems/gemm.h"
#include <math.h>

static const struct draw_key key = {{1}};

struct made {
    struct problem_case c;
    struct problem_layout l;
    void *input[3], *expected;
};

static void make(struct made *m) {
    problem_gemm.layout(&m->c, &m->l);
    for (int i = 0; i < 3; i++)
        assert_non_null(m->input[i] = malloc(m->l.bytes[i]));
    assert_non_null(m->expected = malloc(m->l.expected_bytes));
    problem_gemm.fill(&m->c, m->input);
    void *outputs[1] = {m->expected};
    assert_true(problem_gemm.solve(&m->c, (const void *const *)m->input, outputs));
}

static void release(struct made *m) {
    for (int i = 0; i < 3; i++)
        free(m->input[i]);
    free(m->expected);
}

static struct problem_verdict judge(const struct made *m, const float *got) {
    struct problem_verdict v;
    const void *expected[1] = {m->expected}, *answer[1] = {got};
    problem_gemm.compare(&m->c, expected, answer, 0xaa, &v);
    return v;
}

/* In single precision, in the order of a plain loop: must lie within the bound. */
static float *plain(const struct made *m) {
    const int64_t *s = m->c.size;
    const float *a = (const float *)m->input[0] + s[GEMM_SHIFT_A],
                *b = (const float *)m->input[1] + s[GEMM_SHIFT_B];
    float alpha = (float)s[GEMM_ALPHA] / 4, beta = (float)s[GEMM_BETA] / 4, *c = malloc(m->l.bytes[2]);
    assert_non_null(c);
    memcpy(c, m->input[2], m->l.bytes[2]);
    for (int64_t j = 0; j < s[GEMM_N]; j++)
        for (int64_t i = 0; i < s[GEMM_M]; i++) {
            float sum = 0, *cell = &c[s[GEMM_SHIFT_C] + i + j * s[GEMM_LDC]];
            for (int64_t p = 0; p < s[GEMM_K]; p++)
                sum += a[i + p * s[GEMM_LDA]] * b[p + j * s[GEMM_LDB]];
            *cell = beta == 0 ? alpha * sum : alpha * sum + beta * *cell;
        }
    return c;
}

static void test_plain_sums_pass(void **state) {
    for (unsigned index = 0; index < problem_gemm.case_count; index++) {
        struct made m;
        problem_gemm.get_case(index, &key, &m.c);
        make(&m);
        float *got = plain(&m);
        struct problem_verdict v = judge(&m, got);
        if (!v.passed)
            fail_msg("%s: %s: %s is %s, not %s", m.c.name, v.message, v.first[0].where, v.first[0].got,
                     v.first[0].expected);
        free(got);
        release(&m);
    }
}

/* One element changed, in every case that has one: nothing gets through, NaN least of all. */
static void test_one_wrong_element(void **state) {
    for (unsigned index = 0; index < problem_gemm.case_count; index++) {
        struct made m;
        problem_gemm.get_case(index, &key, &m.c);
        const int64_t *s = m.c.size;
        if (s[GEMM_M] == 0 || s[GEMM_N] == 0 || m.c.pattern == PATTERN_POINT ||
            m.c.pattern == PATTERN_CORNERS)
            continue;
        make(&m);
        float *got = plain(&m), *last = &got[m.l.bytes[2] / sizeof(float) - 1], right = *last;
        *last = right + fabsf(right) * 0.01F + 0.01F;
        assert_int_equal(judge(&m, got).wrong, 1);
        *last = NAN;
        assert_int_equal(judge(&m, got).wrong, 1);
        *last = INFINITY;
        assert_int_equal(judge(&m, got).wrong, 1);
        *last = right;
        if (s[GEMM_SHIFT_C] == 0 && s[GEMM_LDC] > s[GEMM_M] && s[GEMM_N] > 1) {
            got[s[GEMM_M]] = 12345; /* between two columns */
            struct problem_verdict v = judge(&m, got);
            assert_int_equal(v.wrong, 1);
            assert_non_null(strstr(v.hint, "between the columns"));
            assert_string_equal(v.message, "1 place outside C was written");
            *last = NAN; /* and an element: each is counted alone */
            v = judge(&m, got);
            assert_non_null(strstr(v.message, "elements of C are wrong, and 1 place outside C was written"));
            assert_memory_equal(v.message, "1 of ", 5);
        }
        free(got);
        release(&m);
    }
}

/* Above 2^31 multiply-adds one element of every 64 x 64 is held against the oracle: one wrong tile shows. Another key
 * holds others. */
static void test_sampled(void **state) {
    static const struct draw_key keys[2] = {{{1}}, {{2}}};
    enum { SIDE = 1024 };
    size_t held[2] = {0};
    for (int k = 0; k < 2; k++) {
        struct made m;
        problem_gemm.timed_case(0, SIDE, 2049, &keys[k], &m.c);
        make(&m);
        const struct { double value, bound; } *expected = m.expected;
        float *got = malloc(m.l.bytes[2]);
        assert_non_null(got);
        for (size_t i = 0; i < (size_t)SIDE * SIDE; i++)
            got[i] = (float)expected[i].value;
        assert_true(judge(&m, got).passed);
        for (size_t j = 64; j < 128; j++)
            for (size_t i = 960; i < 1024; i++)
                got[i + j * SIDE] += 100;
        struct problem_verdict v = judge(&m, got);
        assert_int_equal(v.wrong, 1);
        held[k] = v.first[0].index;
        got[5] = NAN; /* not a sample, or one: seen all the same */
        assert_int_equal(judge(&m, got).wrong, 2);
        free(got);
        release(&m);
    }
    assert_int_not_equal(held[0], held[1]);
}

TESTS(UNIT(test_plain_sums_pass), UNIT(test_one_wrong_element), UNIT(test_sampled))

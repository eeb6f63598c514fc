/* Lab 12: the oracle against the definition, and what is let through and what is not. */
#include "base/test.h"
#include "lab/problems/transpose.h"
#include <stdlib.h>
#include <string.h>

static const struct draw_key key = {{1}};
enum { POISON = 0xaa };

struct made {
    struct problem_case c;
    struct problem_layout l;
    void *src, *expected;
    float *got;
};

/* With the right answer, made by the definition, in m->got. */
static void make(struct made *m, unsigned index) {
    problem_transpose.get_case(index, &key, &m->c);
    problem_transpose.layout(&m->c, &m->l);
    assert_non_null(m->src = malloc(m->l.bytes[TRANSPOSE_SRC]));
    assert_non_null(m->expected = malloc(m->l.bytes[TRANSPOSE_DST]));
    assert_non_null(m->got = malloc(m->l.bytes[TRANSPOSE_DST]));
    memset(m->got, POISON, m->l.bytes[TRANSPOSE_DST]);
    problem_transpose.fill(&m->c, &m->src);
    assert_true(problem_transpose.solve(&m->c, (const void *const *)&m->src, &m->expected));
    const int64_t *s = m->c.size, width = s[TRANSPOSE_WIDTH], height = s[TRANSPOSE_HEIGHT];
    const float *src = (const float *)m->src + s[TRANSPOSE_SHIFT_SRC];
    for (int64_t x = 0; x < width; x++)
        for (int64_t y = 0; y < height; y++)
            m->got[s[TRANSPOSE_SHIFT_DST] + x * height + y] = src[y * width + x];
}

static void release(struct made *m) {
    free(m->src);
    free(m->expected);
    free(m->got);
}

static struct problem_verdict judge(const struct made *m) {
    struct problem_verdict v;
    problem_transpose.compare(&m->c, (const void *const[]){m->expected}, (const void *const[]){m->got},
                              POISON, &v);
    return v;
}

/* Every element counts, bit for bit: one that is off by a bit, unwritten or no number is found, the first and the last. */
static void test_one_wrong_element(void **state) {
    for (unsigned i = 0; i < problem_transpose.case_count; i++) {
        struct made m;
        make(&m, i);
        struct problem_verdict v = judge(&m);
        assert_true(v.passed);
        assert_int_equal(v.total, m.c.size[TRANSPOSE_WIDTH] * m.c.size[TRANSPOSE_HEIGHT]);
        for (int end = 0; end < 2 && v.total > 0; end++) {
            uint8_t *at = (uint8_t *)(m.got + m.c.size[TRANSPOSE_SHIFT_DST] + (end == 0 ? 0 : v.total - 1)),
                    right[sizeof(float)];
            memcpy(right, at, sizeof right);
            at[0] ^= 1;
            assert_int_equal(judge(&m).wrong, 1);
            memset(at, 0xff, sizeof right);
            assert_int_equal(judge(&m).wrong, 1);
            memset(at, POISON, sizeof right);
            assert_int_equal(judge(&m).wrong, 1);
            memcpy(at, right, sizeof right);
        }
        assert_true(judge(&m).passed);
        release(&m);
    }
}

/* What lies before dst, or stands for a matrix of no elements, must stay as it was. */
static void test_outside(void **state) {
    unsigned shifted = 0, empty = 0;
    for (unsigned i = 0; i < problem_transpose.case_count; i++) {
        struct made m;
        make(&m, i);
        uint64_t total = judge(&m).total;
        if (m.c.size[TRANSPOSE_SHIFT_DST] > 0 || total == 0) {
            m.got[0] = 0;
            struct problem_verdict v = judge(&m);
            assert_int_equal(v.wrong, 1);
            assert_string_equal(v.message, "something is written outside dst");
            assert_string_equal(v.first[0].where, "outside dst");
            shifted += total > 0;
            empty += total == 0;
        }
        release(&m);
    }
    assert_true(shifted >= 3 && empty == 2);
}

/* A place is told as row and column of dst. */
static void test_where(void **state) {
    struct made m;
    make(&m, 0); /* 3 x 2 */
    m.got[2 * 2 + 1] = 12345;
    struct problem_verdict v = judge(&m);
    assert_string_equal(v.message, "1 of 6 elements of dst are wrong");
    assert_string_equal(v.first[0].where, "(2, 1)");
    assert_string_equal(v.first[0].got, "12345");
    release(&m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_wrong_element),
        cmocka_unit_test(test_outside),
        cmocka_unit_test(test_where),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Lab 12: the oracle against the definition, and what is let through and what is not. */
#include "base/test.h"
#include "lab/problems/transpose.h"

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

/* A byte of dst or before it that is another: one element is wrong, and the place is told. */
static void check_changed(struct made *m, uint64_t at, uint8_t byte, const char *message) {
    uint8_t *element = (uint8_t *)&m->got[at], right = *element;
    assert_true(judge(m).passed);
    *element = byte;
    struct problem_verdict v = judge(m);
    assert_int_equal(v.wrong, 1);
    assert_int_equal(v.first[0].index, at);
    assert_non_null(strstr(v.message, message));
    *element = right;
}

/* Every element counts, bit for bit, the first and the last. What lies before dst, or stands for a matrix of no elements, must stay
 * as it was. */
static void test_one_wrong_element(void **state) {
    unsigned shifted = 0, empty = 0;
    for (unsigned i = 0; i < problem_transpose.case_count; i++) {
        struct made m;
        make(&m, i);
        uint64_t total = judge(&m).total, shift = (uint64_t)m.c.size[TRANSPOSE_SHIFT_DST];
        assert_int_equal(total, m.c.size[TRANSPOSE_WIDTH] * m.c.size[TRANSPOSE_HEIGHT]);
        for (uint64_t at = shift; total > 0 && at<shift + total; at += total> 1 ? total - 1 : 1)
            check_changed(&m, at, *(uint8_t *)&m.got[at] ^ 1, "elements of dst are wrong");
        if (shift > 0 || total == 0)
            check_changed(&m, 0, 0, "something is written outside dst");
        shifted += shift > 0;
        empty += total == 0;
        release(&m);
    }
    assert_true(shifted >= 3 && empty == 2);
}

/* Unwritten, and no number; a place is told as row and column of dst. */
static void test_where(void **state) {
    struct made m;
    make(&m, 0); /* 3 x 2 */
    memset(&m.got[5], POISON, sizeof m.got[5]);
    memset(&m.got[0], 0xff, sizeof m.got[0]);
    struct problem_verdict v = judge(&m);
    assert_string_equal(v.message, "2 of 6 elements of dst are wrong");
    assert_string_equal(v.first[0].where, "(0, 0)");
    assert_string_equal(v.first[1].where, "(2, 1)");
    release(&m);
}

TESTS(UNIT(test_one_wrong_element), UNIT(test_where))

/* Lab 5: the definition, what the cases hold, and what each mistake is told. */
#include "base/test.h"
#include "lab/problems/contrast.h"

/* round(255 (value - low) / range), a half up: the result k with (2k - 1) range <= 510 (value - low) < (2k +
 * 1) range. */
static void test_definition(void **state) {
    for (unsigned low = 0; low < 256; low++)
        for (unsigned high = low + 1; high < 256; high++)
            for (unsigned value = low; value <= high; value++) {
                int k = contrast_level(value, low, high), range = (int)(high - low),
                    scaled = 510 * (int)(value - low);
                if (!((2 * k - 1) * range <= scaled && scaled < (2 * k + 1) * range))
                    fail_msg("%u in %u .. %u: %d", value, low, high, k);
            }
    assert_int_equal(contrast_level(77, 77, 77), 77);
    assert_int_equal(contrast_level(51, 50, 52), 128); /* 127.5: a half goes up */
}

struct answer {
    struct problem_case c;
    struct problem_layout layout;
    uint8_t *src, *expected, *got;
    uint8_t poison;
};

static struct answer answer_of(unsigned index) {
    struct answer a = {.poison = problem_poison(index)};
    const struct draw_key key = {{1}};
    problem_contrast.get_case(index, &key, &a.c);
    problem_contrast.layout(&a.c, &a.layout);
    a.src = malloc(a.layout.bytes[0]);
    a.expected = malloc(a.layout.expected_bytes);
    a.got = malloc(a.layout.bytes[1]);
    assert_true(a.src != NULL && a.expected != NULL && a.got != NULL);
    void *const inputs[] = {a.src}, *const outputs[] = {a.expected};
    problem_contrast.fill(&a.c, inputs);
    assert_true(problem_contrast.solve(&a.c, (const void *const *)inputs, outputs));
    memset(a.got, a.poison, a.layout.bytes[1]);
    return a;
}

static void release(struct answer *a) {
    free(a->src);
    free(a->expected);
    free(a->got);
}

/* Where pixel (x, y) of the answer lies. */
static uint8_t *pixel(struct answer *a, int64_t x, int64_t y) {
    return &a->got[a->c.size[CONTRAST_DST_START] + y * a->c.size[CONTRAST_DST_PITCH] + x];
}

static void put_right(struct answer *a) {
    int64_t width = a->c.size[CONTRAST_WIDTH];
    for (int64_t y = 0; y < a->c.size[CONTRAST_HEIGHT]; y++)
        memcpy(pixel(a, 0, y), a->expected + y * width, (size_t)width);
}

static struct problem_verdict verdict_of(struct answer *a) {
    struct problem_verdict v;
    const void *expected[] = {a->expected, NULL}, *got[] = {a->got, NULL};
    problem_contrast.compare(&a->c, expected, got, a->poison, &v);
    return v;
}

/* Every case is passed by the right answer, and by no answer with one byte changed, wherever it lies. */
static void test_cases(void **state) {
    for (unsigned index = 0; index < problem_contrast.case_count; index++) {
        struct answer a = answer_of(index);
        put_right(&a);
        assert_true(verdict_of(&a).passed);
        size_t step = a.layout.bytes[1] / 12 + 1;
        for (size_t i = 0; i < a.layout.bytes[1]; i += step) {
            a.got[i] ^= 1;
            assert_false(verdict_of(&a).passed);
            a.got[i] ^= 1;
        }
        release(&a);
    }
}

/* What lies between rows would widen the range of levels. */
static void test_inputs(void **state) {
    const struct draw_key key = {{3}};
    struct problem_case c;
    struct problem_layout l;
    problem_contrast.timed_case(0, 300, 20, &key, &c);
    problem_contrast.layout(&c, &l);
    assert_int_equal(c.size[CONTRAST_SRC_PITCH], 512);
    assert_int_equal(l.bytes[0], 19 * 512 + 300);
    assert_int_equal(l.bytes[CONTRAST_SCRATCH], CONTRAST_SCRATCH_BYTES);
    uint8_t *src = malloc(l.bytes[0]);
    void *const inputs[] = {src};
    assert_non_null(src);
    problem_contrast.fill(&c, inputs);
    assert_true(src[301] == 255 && src[302] == 0);
    free(src);
}

/* The timed image has one pixel of its least level and one of its greatest. Neither the levels nor the places of one
 * image say anything of another's. */
static void test_levels_are_drawn(void **state) {
    enum { IMAGES = 400, WIDTH = 64, HEIGHT = 24, PIXELS = WIDTH * HEIGHT };
    static uint8_t src[512 * HEIGHT];
    unsigned lows[256] = {0}, highs[256] = {0}, low_kinds = 0, high_kinds = 0, upper = 0, darker_first = 0;
    for (unsigned k = 0; k < IMAGES; k++) {
        struct draw_key key = draw_for(&(struct draw_key){{9}}, "image %u", k);
        struct problem_case c;
        unsigned levels[256] = {0}, at[256] = {0}, low = 0, high = 255;
        void *const inputs[] = {src};
        problem_contrast.timed_case(0, WIDTH, HEIGHT, &key, &c);
        problem_contrast.fill(&c, inputs);
        for (unsigned i = 0; i < PIXELS; i++) {
            unsigned level = src[i / WIDTH * 512 + i % WIDTH];
            levels[level]++;
            at[level] = i;
        }
        while (levels[low] == 0)
            low++;
        while (levels[high] == 0)
            high--;
        assert_true(levels[low] == 1 && levels[high] == 1 && high - low >= 60);
        low_kinds += lows[low]++ == 0;
        high_kinds += highs[high]++ == 0;
        upper += at[low] < PIXELS / 2;
        darker_first += at[low] < at[high];
    }
    assert_true(low_kinds == 60 && high_kinds >= 85); /* of 60 and of 90 */
    assert_true(upper > 140 && upper < 260);          /* 6 standard deviations */
    assert_true(darker_first > 140 && darker_first < 260);
}

static void test_stray_write(void **state) {
    struct answer a = answer_of(2); /* with gaps */
    put_right(&a);
    *pixel(&a, 16, 3) = 0;
    struct problem_verdict v = verdict_of(&a);
    assert_false(v.passed);
    assert_non_null(strstr(v.message, "1 bytes outside"));
    assert_non_null(strstr(v.hint, "dst_pitch - width"));
    release(&a);
}

static void test_one_pixel(void **state) {
    struct answer a = answer_of(17);
    put_right(&a);
    *pixel(&a, 5, 5) ^= 0x40;
    struct problem_verdict v = verdict_of(&a);
    assert_true(v.wrong == 1 && v.listed == 1 && v.largest == 0x40 && v.hint[0] == '\0');
    assert_string_equal(v.first[0].where, "(5, 5)");
    release(&a);
}

TESTS(UNIT(test_definition), UNIT(test_cases), UNIT(test_inputs), UNIT(test_levels_are_drawn),
      UNIT(test_stray_write), UNIT(test_one_pixel))

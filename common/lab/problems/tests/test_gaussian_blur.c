/* The oracle against a direct double loop, its cases, and the judgement of wrong images. */
#include "base/test.h"
#include "lab/problems/gaussian_blur.h"

static const struct problem *const gaussian = &problem_gaussian_blur;

/* The definition, word for word: 49 products, zero outside, one division at the end. */
static void direct(const uint8_t *input, uint8_t *output, int width, int height) {
    static const int w[7] = {1, 2, 3, 4, 3, 2, 1};
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            int sum = 0;
            for (int dy = -3; dy <= 3; dy++)
                for (int dx = -3; dx <= 3; dx++)
                    if (x + dx >= 0 && x + dx < width && y + dy >= 0 && y + dy < height)
                        sum += w[dx + 3] * w[dy + 3] * input[(y + dy) * width + x + dx];
            output[y * width + x] = (uint8_t)(sum / 256);
        }
}

struct setup {
    struct problem_case c;
    int width, height;
    uint8_t *input, *expected, *got;
};

static struct setup make(unsigned width, unsigned height, enum problem_pattern pattern) {
    struct setup s = {.c = {.size = {width, height}, .key = {{3}}, .pattern = pattern},
                      .width = (int)width,
                      .height = (int)height};
    size_t bytes = (size_t)width * height;
    s.input = malloc(bytes);
    s.expected = malloc(bytes);
    s.got = malloc(bytes);
    assert_true(s.input != NULL && s.expected != NULL && s.got != NULL);
    void *inputs[] = {s.input}, *outputs[] = {s.expected};
    gaussian->fill(&s.c, inputs);
    assert_true(gaussian->solve(&s.c, (const void *const *)inputs, outputs));
    memcpy(s.got, s.expected, bytes);
    return s;
}

static struct problem_verdict judge(struct setup *s, uint8_t poison) {
    struct problem_verdict verdict;
    const void *expected[] = {s->expected}, *got[] = {s->got};
    gaussian->compare(&s->c, expected, got, poison, &verdict);
    return verdict;
}

static void drop(struct setup *s) {
    free(s->input);
    free(s->expected);
    free(s->got);
}

static void test_oracle_is_the_definition(void **state) {
    static const unsigned sizes[][2] = {{1, 1}, {1, 9}, {9, 1}, {2, 2},   {3, 7}, {7, 3},
                                        {6, 6}, {7, 7}, {8, 8}, {33, 17}, {64, 5}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (int pattern = PATTERN_SCENE; pattern < PATTERN_FILE; pattern++) {
            struct setup s = make(sizes[i][0], sizes[i][1], (enum problem_pattern)pattern);
            direct(s.input, s.got, s.width, s.height);
            assert_true(judge(&s, 200).passed);
            drop(&s);
        }
}

static void test_known_values(void **state) {
    struct setup s = make(15, 15, PATTERN_POINT); /* 255 in the middle: the weights themselves, scaled */
    assert_int_equal(s.expected[7 * 15 + 7], 255 * 16 / 256);
    assert_int_equal(s.expected[7 * 15 + 4], 255 * 4 / 256);
    assert_int_equal(s.expected[4 * 15 + 4], 0);
    assert_int_equal(s.expected[3 * 15 + 7], 0);
    drop(&s);
    s = make(15, 15, PATTERN_MAXIMUM);
    assert_int_equal(s.expected[7 * 15 + 7], 255);    /* the weights add up to 256 */
    assert_int_equal(s.expected[0], 255 * 100 / 256); /* a corner sees 4 + 3 + 2 + 1 both ways */
    drop(&s);
}

static void test_cases(void **state) {
    const struct draw_key one = {{1}}, two = {{2}};
    bool single = false, narrow = false, odd = false, zeros = false, maximum = false, point = false;
    assert_true(gaussian->case_count >= 40);
    for (unsigned i = 0; i < gaussian->case_count; i++) {
        struct problem_case a, b, again;
        gaussian->get_case(i, &one, &a);
        gaussian->get_case(i, &two, &b);
        gaussian->get_case(i, &one, &again);
        assert_memory_equal(&a, &again, sizeof a);
        assert_memory_not_equal(&a.key, &b.key, sizeof a.key);
        assert_int_equal(a.number, i);
        assert_true(a.size[0] >= 1 && a.size[1] >= 1 && strlen(a.name) > 0);
        single = single || (a.size[0] == 1 && a.size[1] == 1);
        narrow = narrow || (a.size[0] < 7 && a.size[1] > 7);
        odd = odd || (a.size[0] % 2 == 1 && a.size[0] > 32);
        zeros = zeros || a.pattern == PATTERN_ZEROS;
        maximum = maximum || a.pattern == PATTERN_MAXIMUM;
        point = point || a.pattern == PATTERN_POINT;
    }
    assert_true(single && narrow && odd && zeros && maximum && point);
}

static void test_single_wrong_pixels(void **state) {
    struct setup s = make(13, 7, PATTERN_SCENE);
    for (int i = 0; i < 13 * 7; i++) { /* any single pixel is found, with its place and values */
        s.got[i] ^= 0x10;
        struct problem_verdict verdict = judge(&s, 200);
        assert_false(verdict.passed);
        assert_int_equal(verdict.wrong, 1);
        assert_int_equal(verdict.listed, 1);
        assert_int_equal(verdict.first[0].index, i);
        char where[48];
        snprintf(where, sizeof where, "(%d, %d)", i % 13, i / 13);
        assert_string_equal(verdict.first[0].where, where);
        s.got[i] ^= 0x10;
    }
    for (int i = 0; i < 13 * 7; i++)
        s.got[i] ^= 0x10;
    assert_int_equal(judge(&s, 200).listed, PROBLEM_LISTED);
    drop(&s);
}

static void test_poison_never_hides(void **state) {
    for (uint64_t call = 0; call < 200; call++) {
        uint8_t poison = problem_poison(call);
        assert_true(poison != 0 && poison != 255);
        assert_int_not_equal(poison, problem_poison(call + 1));
    }
}

TESTS(UNIT(test_oracle_is_the_definition), UNIT(test_known_values), UNIT(test_cases),
      UNIT(test_single_wrong_pixels), UNIT(test_poison_never_hides))

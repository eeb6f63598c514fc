/* The oracle of the edge pipeline against its definition, its cases, its inputs and layout. */
#include "base/test.h"
#include "lab/problems/edge_pipeline.h"
#include <math.h>

static const struct problem *const edge = &problem_edge_pipeline;

static const uint8_t *plane;
static int plane_width, plane_height;

static int at(int x, int y) {
    return x < 0 || x >= plane_width || y < 0 || y >= plane_height ? 0 : plane[y * plane_width + x];
}

/* The definition, word for word: a window for each pixel of each stage, zero outside. */
static void direct(const uint8_t *src, uint8_t *dst, int width, int height) {
    static const int w[7] = {1, 2, 3, 4, 3, 2, 1}, sobel[3] = {1, 2, 1};
    size_t count = (size_t)width * (size_t)height;
    uint8_t *gray = malloc(count), *blur = malloc(count);
    assert_true(gray != NULL && blur != NULL);
    for (size_t i = 0; i < count; i++)
        gray[i] = (uint8_t)((298839LL * src[4 * i] + 586811LL * src[4 * i + 1] + 114350LL * src[4 * i + 2] +
                             500000) /
                            1000000);
    plane_width = width;
    plane_height = height;
    plane = gray;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            int sum = 0;
            for (int dy = -3; dy <= 3; dy++)
                for (int dx = -3; dx <= 3; dx++)
                    sum += w[dx + 3] * w[dy + 3] * at(x + dx, y + dy);
            blur[y * width + x] = (uint8_t)(sum / 256);
        }
    plane = blur;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            int gx = 0, gy = 0, level = 0;
            for (int k = -1; k <= 1; k++) {
                gx += sobel[k + 1] * (at(x + 1, y + k) - at(x - 1, y + k));
                gy += sobel[k + 1] * (at(x + k, y - 1) - at(x + k, y + 1));
            }
            while (level < 255 && (level + 1) * (level + 1) <= gx * gx + gy * gy)
                level++;
            dst[y * width + x] = (uint8_t)level;
        }
    free(gray);
    free(blur);
}

/* Every case, by both; and none of them, but for the black ones, is black all over or white. */
static void test_oracle(void **state) {
    for (unsigned i = 0; i < edge->case_count; i++) {
        struct problem_case c;
        struct problem_layout l;
        edge->get_case(i, &(struct draw_key){{1}}, &c);
        edge->layout(&c, &l);
        void *input = malloc(l.bytes[EDGE_SRC]), *expected = malloc(l.bytes[EDGE_DST]);
        uint8_t *word_for_word = malloc(l.bytes[EDGE_DST]);
        assert_true(input != NULL && expected != NULL && word_for_word != NULL);
        edge->fill(&c, &input);
        assert_true(edge->solve(&c, (const void *const *)&input, &expected));
        direct(input, word_for_word, (int)c.size[EDGE_WIDTH], (int)c.size[EDGE_HEIGHT]);
        assert_memory_equal(expected, word_for_word, l.bytes[EDGE_DST]);
        free(input);
        free(expected);
        free(word_for_word);
    }
}

/* Halves are rounded up, black and white stay, and the fourth byte says nothing. */
static void test_gray(void **state) {
    assert_int_equal(edge_gray((uint8_t[]){0, 0, 0, 255}), 0);
    assert_int_equal(edge_gray((uint8_t[]){255, 255, 255, 0}), 255);
    assert_int_equal(edge_gray((uint8_t[]){0, 0, 10, 0}), 1);     /* 1.1435 */
    assert_int_equal(edge_gray((uint8_t[]){0, 1, 0, 0}), 1);      /* 0.586811 */
    assert_int_equal(edge_gray((uint8_t[]){1, 0, 1, 0}), 0);      /* 0.413189 */
    assert_int_equal(edge_gray((uint8_t[]){0, 0, 110, 0}), 13);   /* 12.5785 */
    assert_int_equal(edge_gray((uint8_t[]){0, 250, 30, 0}), 150); /* 150.13325 */
}

/* Under every key gray in single precision is wrong somewhere in each case of such colours, and hence the result. */
static void test_ties(void **state) {
    for (unsigned i = 0; i < edge->case_count; i++)
        for (uint8_t key = 1; key <= 20; key++) {
            struct problem_case c;
            struct problem_layout l;
            edge->get_case(i, &(struct draw_key){{key}}, &c);
            if (c.pattern != PATTERN_TIES)
                break;
            edge->layout(&c, &l);
            uint8_t *pixels = malloc(l.bytes[EDGE_SRC]);
            void *inputs[] = {pixels};
            unsigned wrong = 0;
            assert_non_null(pixels);
            edge->fill(&c, inputs);
            for (size_t pixel = 0; pixel < l.bytes[EDGE_DST]; pixel++) {
                const uint8_t *p = pixels + 4 * pixel;
                float gray = fmaf(0.114350F, p[2], fmaf(0.586811F, p[1], 0.298839F * (float)p[0])) + 0.5F;
                wrong += (uint8_t)gray != edge_gray(p);
            }
            free(pixels);
            assert_true(wrong >= 12 * 12);
        }
}

/* Cut, not rounded, on both sides of every square. */
static void test_level(void **state) {
    assert_int_equal(edge_level(0, 0), 0);
    assert_int_equal(edge_level(1, 1), 1);
    assert_int_equal(edge_level(-3, 4), 5);
    assert_int_equal(edge_level(254, 22), 254); /* 65000 */
    assert_int_equal(edge_level(255, 0), 255);
    assert_int_equal(edge_level(1020, -1020), 255);
    for (int root = 1; root < 255; root++) {
        assert_int_equal(edge_level(root, 0), root);
        assert_int_equal(edge_level(0, -root), root);
    }
    assert_int_equal(edge_level(7, 1), 7);
    assert_int_equal(edge_level(7, 3), 7); /* 58 */
    assert_int_equal(edge_level(7, 4), 8); /* 65 */
}

/* Three planes of scratch, whole; a pixel of src has four bytes; the timed input has colours. */
static void test_layout(void **state) {
    struct problem_case c;
    struct problem_layout l;
    edge->timed_case(0, 17, 31, &(struct draw_key){{2}}, &c);
    edge->layout(&c, &l);
    assert_int_equal(l.bytes[EDGE_SRC], 4 * 17 * 31);
    assert_int_equal(l.bytes[EDGE_DST], 17 * 31);
    assert_int_equal(l.bytes[EDGE_SCRATCH], 3 * 768);
    assert_true(l.scratch);
    char place[64];
    buffer_shape_describe(&l.shape[EDGE_SCRATCH], 768 + 240, 1, place, sizeof place);
    assert_string_equal(place, "byte 1008 of scratch, [plane 1][pixel 240]");
    uint8_t *input = malloc(l.bytes[EDGE_SRC]);
    void *inputs[] = {input};
    assert_non_null(input);
    edge->fill(&c, inputs);
    unsigned coloured = 0;
    for (size_t i = 0; i < (size_t)17 * 31; i++)
        coloured += input[4 * i] != input[4 * i + 1] || input[4 * i + 1] != input[4 * i + 2];
    assert_true(coloured > 17 * 31 / 2);
    free(input);
}

TESTS(UNIT(test_oracle), UNIT(test_gray), UNIT(test_ties), UNIT(test_level), UNIT(test_layout))

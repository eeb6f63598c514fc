/* What a grader draws, for every problem there is: cases of any shape; inputs of which none says anything of another. */
#include "lab/problems/contrast.h"
#include "lab/problems/edge_pipeline.h"
#include "lab/problems/gaussian_blur.h"
#include "lab/problems/gemm.h"
#include "lab/problems/increment.h"
#include "lab/problems/smith_waterman.h"
#include "lab/problems/transpose.h"
#include "lab/problems/weighted_sums.h"

#include "base/test.h"
#include <math.h>

static const struct problem *const all[] = {
    &problem_gaussian_blur, &problem_contrast,      &problem_increment,      &problem_gemm,
    &problem_edge_pipeline, &problem_weighted_sums, &problem_smith_waterman, &problem_transpose};
enum { PROBLEMS = sizeof all / sizeof *all };

static const struct draw_key root = {{0xd5}};

/* A case's inputs, filled; for drop. */
struct filled {
    struct problem_case c;
    struct problem_layout l;
    void *input[PROBLEM_BUFFERS];
};

static void fill(const struct problem *p, struct filled *f) {
    p->layout(&f->c, &f->l);
    for (unsigned i = 0; i < f->l.input_count + f->l.output_count; i++)
        assert_non_null(f->input[i] = calloc(1, f->l.bytes[i]));
    p->fill(&f->c, f->input);
}

static void drop(struct filled *f) {
    for (unsigned i = 0; i < f->l.input_count + f->l.output_count; i++)
        free(f->input[i]);
}

/* Small, with a name and a layout that holds it, seldom twice the same shape, the same for the same key; the oracle can
 * solve it, and accepts nothing that was not written. */
static void test_any_case(void **state) {
    enum { CASES = 200 };
    static int64_t sizes[CASES][PROBLEM_SIZES];
    for (unsigned k = 0; k < PROBLEMS; k++) {
        const struct problem *p = all[k];
        unsigned again = 0, refused = 0;
        for (unsigned i = 0; i < CASES; i++) {
            struct draw_key key = draw_for(&root, "case %u", i);
            struct problem_case same;
            struct filled f;
            struct problem_verdict v;
            p->draw_case(&key, &f.c);
            p->draw_case(&key, &same);
            assert_memory_equal(&f.c, &same, sizeof same);
            assert_true(f.c.name[0] != '\0');
            memcpy(sizes[i], f.c.size, sizeof sizes[i]);
            for (unsigned j = 0; j < i; j++)
                again += memcmp(sizes[i], sizes[j], sizeof sizes[i]) == 0;
            fill(p, &f);
            uint64_t bytes = 0;
            for (unsigned b = 0; b < f.l.input_count + f.l.output_count; b++)
                bytes += f.l.bytes[b];
            assert_true(bytes < 1 << 20);
            unsigned out = f.l.input_count;
            void *expected[PROBLEM_BUFFERS] = {
                calloc(1, f.l.expected_bytes != 0 ? f.l.expected_bytes : f.l.bytes[out])};
            assert_non_null(expected[0]);
            assert_true(p->solve(&f.c, (const void *const *)f.input, expected));
            for (unsigned b = out; b < out + f.l.output_count; b++)
                memset(f.input[b], 0xa5, f.l.bytes[b]);
            const void *got[PROBLEM_BUFFERS] = {f.input[out],
                                                f.input[out + 1 < PROBLEM_BUFFERS ? out + 1 : out]};
            p->compare(&f.c, (const void *const *)expected, got, 0xa5, &v);
            refused += !v.passed;
            free(expected[0]);
            drop(&f);
        }
        assert_true(again < CASES / 10);
        assert_true(refused > CASES * 9 / 10); /* not where there is nothing to write */
    }
}

/* ---- timed inputs */

enum { WIDTH = 256, HEIGHT = 128, CALLS = 6 };

static void timed(const struct problem *p, unsigned part, unsigned call, struct filled *f) {
    struct draw_key key = draw_for(&root, "call %u", call);
    p->timed_case(part, WIDTH, HEIGHT, &key, &f->c);
    fill(p, f);
}

/* Correlation of the inputs of two calls, as floats or as bytes without what a pixel's mean over the calls is. */
static double correlation(const double *a, const double *b, size_t count) {
    double ab = 0, aa = 0, bb = 0;
    for (size_t i = 0; i < count; i++) {
        ab += a[i] * b[i];
        aa += a[i] * a[i];
        bb += b[i] * b[i];
    }
    return ab / sqrt(aa * bb);
}

/* Floats of part B of lab 4 and of lab 6: at every shift of up to 40 elements, 6 standard deviations. */
static void test_floats_are_not_correlated(void **state) {
    enum { COUNT = WIDTH * 64, SHIFTS = 40 };
    static double x[CALLS][COUNT];
    for (unsigned k = 2; k < 4; k++) {
        for (unsigned call = 0; call < CALLS; call++) {
            struct filled f;
            timed(all[k], 0, call, &f);
            for (size_t i = 0; i < COUNT; i++)
                x[call][i] = (double)((const float *)f.input[0])[i];
            drop(&f);
        }
        for (unsigned a = 0; a < CALLS; a++)
            for (unsigned b = a; b < CALLS; b++)
                for (size_t shift = a == b; shift < SHIFTS; shift++)
                    assert_true(fabs(correlation(x[a] + shift, x[b], COUNT - SHIFTS)) <
                                6 / sqrt(COUNT - SHIFTS));
    }
}

/* The scene is the same in every call, and its noise is not: what one picture has beyond the mean of the others says
 * nothing of the next one. Hills and textures move, so only the sky is looked at. */
static void test_noise_is_not_correlated(void **state) {
    enum { ROWS = 12, COUNT = WIDTH * ROWS, OTHERS = 64 };
    static double noise[2][COUNT], mean[COUNT];
    for (unsigned call = 0; call < OTHERS; call++) {
        struct filled f;
        timed(&problem_gaussian_blur, 0, call, &f);
        for (size_t i = 0; i < COUNT; i++) {
            double level = ((const uint8_t *)f.input[0])[i];
            mean[i] += level / OTHERS;
            if (call < 2)
                noise[call][i] = level;
        }
        drop(&f);
    }
    double size = 0;
    for (int call = 0; call < 2; call++)
        for (size_t i = 0; i < COUNT; i++) {
            noise[call][i] -= mean[i];
            size += noise[call][i] * noise[call][i] / (2 * COUNT);
        }
    assert_true(size > 15 && size < 30); /* 4 bits in each pixel: 21 */
    double expected = -1.0 / OTHERS;     /* both are in the mean */
    assert_true(fabs(correlation(noise[0], noise[1], COUNT) - expected) < 6 / sqrt(COUNT));
}

/* What broke the older inputs of lab 4: an element was the one before it and a constant, modulo 2. */
static void test_no_step_from_element_to_element(void **state) {
    for (unsigned part = 0; part < 2; part++) {
        struct filled f;
        timed(&problem_increment, part, 1, &f);
        const float *x = f.input[0];
        unsigned equal = 0;
        for (int i = 2; i < 2000; i++) {
            double step = fmod((double)(x[i] - x[i - 1]) + 4, 2),
                   last = fmod((double)(x[i - 1] - x[i - 2]) + 4, 2);
            equal += fabs(step - last) < 0x1p-20;
        }
        assert_true(equal < 3);
        drop(&f);
    }
}

/* Neither shapes nor inputs of the problem's own cases come again under another key. */
static void test_cases_move(void **state) {
    static const struct draw_key other = {{0x5d}};
    for (unsigned k = 0; k < PROBLEMS; k++)
        for (unsigned i = 0; i < all[k]->case_count; i++) {
            struct filled a, b;
            all[k]->get_case(i, &root, &a.c);
            all[k]->get_case(i, &other, &b.c);
            fill(all[k], &a);
            fill(all[k], &b);
            if (a.c.pattern == PATTERN_NOISE && a.l.bytes[0] >= 64 && a.c.low < a.c.high + (k != 1))
                assert_memory_not_equal(a.input[0], b.input[0], a.l.bytes[0]);
            drop(&a);
            drop(&b);
        }
}

/* Whatever is drawn of a timed call: its buffers are as large as those of any other, for they share their memory. */
static void test_timed_cases_are_as_large(void **state) {
    for (unsigned k = 0; k < PROBLEMS; k++)
        for (unsigned i = 0; i < 8; i++) {
            struct draw_key key = draw_for(&root, "timed call %u", i);
            struct problem_case first, other;
            struct problem_layout one, two;
            all[k]->timed_case(0, 96, 40, &root, &first);
            all[k]->timed_case(0, 96, 40, &key, &other);
            all[k]->layout(&first, &one);
            all[k]->layout(&other, &two);
            assert_memory_equal(one.bytes, two.bytes, sizeof one.bytes);
        }
}

TESTS(UNIT(test_any_case), UNIT(test_floats_are_not_correlated), UNIT(test_noise_is_not_correlated),
      UNIT(test_no_step_from_element_to_element), UNIT(test_cases_move), UNIT(test_timed_cases_are_as_large))

/* The oracle of lab 9 against the definition, its cases, its inputs and layout. */
#include "base/test.h"
#include "lab/problems/smith_waterman.h"

static const struct problem *const align = &problem_smith_waterman;

static int greatest(int x, int y) {
    return x > y ? x : y;
}

/* The definition without its recurrences: the best alignment that ends at each pair of letters, over every length of a gap
 * before it. a and b: every stride-th letter. */
static int direct(const int64_t size[], const uint8_t *a, int length_a, const uint8_t *b, int length_b,
                  int stride) {
    static int h[SW_LONGEST + 1][SW_LONGEST + 1];
    int match = (int)size[SW_MATCH], mismatch = (int)size[SW_MISMATCH], open = (int)size[SW_OPEN],
        extend = (int)size[SW_EXTEND], best = 0;
    memset(h, 0, sizeof h);
    for (int i = 1; i <= length_a; i++)
        for (int j = 1; j <= length_b; j++) {
            uint8_t x = a[stride * (i - 1)], y = b[stride * (j - 1)];
            int cell = greatest(0, h[i - 1][j - 1] + (x == y && x < 4 ? match : -mismatch));
            for (int k = 1; k <= i; k++)
                cell = greatest(cell, h[i - k][j] - open - (k - 1) * extend);
            for (int k = 1; k <= j; k++)
                cell = greatest(cell, h[i][j - k] - open - (k - 1) * extend);
            h[i][j] = cell;
            best = greatest(best, cell);
        }
    return best;
}

struct filled {
    struct problem_case c;
    struct problem_layout l;
    void *input[2];
    uint32_t *scores;
};

static void fill(struct filled *f) {
    align->layout(&f->c, &f->l);
    for (int i = 0; i < 2; i++)
        assert_non_null(f->input[i] = malloc(f->l.bytes[i]));
    assert_non_null(f->scores = malloc(f->l.bytes[SW_SCORES]));
    align->fill(&f->c, f->input);
    void *outputs[] = {f->scores};
    assert_true(align->solve(&f->c, (const void *const *)f->input, outputs));
}

static void drop(struct filled *f) {
    free(f->input[0]);
    free(f->input[1]);
    free(f->scores);
}

/* Of every case some pairs, by both; batches lie one behind the other and keep to the lengths that are told. */
static void test_oracle(void **state) {
    for (unsigned i = 0; i < align->case_count; i++) {
        struct filled f;
        align->get_case(i, &(struct draw_key){{1}}, &f.c);
        fill(&f);
        const struct sw_batch *batches = f.input[SW_BATCHES];
        const uint8_t *letters = f.input[SW_LETTERS];
        const int64_t *size = f.c.size;
        int64_t row = 0;
        for (int64_t k = 0; k < size[SW_COUNT]; k++) {
            const struct sw_batch *b = &batches[k];
            assert_int_equal(b->at_a, row);
            assert_int_equal(b->at_b, row + b->length_a);
            row += b->length_a + b->length_b;
            assert_in_range(b->length_a, size[SW_SHORTEST_A], size[SW_LONGEST_A]);
            assert_in_range(b->length_b, size[SW_SHORTEST_B], size[SW_LONGEST_B]);
            for (int p = (int)k % 7; p < SW_PAIRS && k < 9; p += 7) {
                const uint8_t *a = letters + (ptrdiff_t)SW_PAIRS * b->at_a + p,
                              *other = letters + (ptrdiff_t)SW_PAIRS * b->at_b + p;
                assert_int_equal(f.scores[SW_PAIRS * k + p],
                                 direct(size, a, b->length_a, other, b->length_b, SW_PAIRS));
            }
        }
        assert_int_equal(row, size[SW_ROWS]);
        drop(&f);
    }
}

/* Scores that a person can work out. */
static void test_by_hand(void **state) {
    static const struct {
        const char *a, *b;
        int score;
    } pairs[] = {{"A", "A", 5},
                 {"A", "C", 0},
                 {"N", "N", 0},
                 {"ACGT", "ACGT", 20},
                 {"ACGT", "TTACGTTT", 20},
                 {"ACNT", "ACNT", 11},            /* 5 + 5 - 4 + 5 */
                 {"AAAACCCC", "AAAATCCCC", 32},   /* 40 - 8 */
                 {"AAAACCCC", "AAAATTTCCCC", 28}, /* 40 - 8 - 2 * 2 */
                 {"AAAATTTCCCC", "AAAACCCC", 28},
                 {"AAAAATCCC", "AAAAAGCCC", 36}};
    int64_t size[SW_SIZES] = {
        [SW_COUNT] = 1, [SW_MATCH] = 5, [SW_MISMATCH] = 4, [SW_OPEN] = 8, [SW_EXTEND] = 2};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        uint8_t letters[SW_PAIRS * 32];
        uint32_t scores[SW_PAIRS];
        struct sw_batch batch = {(int)strlen(pairs[i].a), (int)strlen(pairs[i].b), 0,
                                 (int)strlen(pairs[i].a)};
        for (int k = 0; k < batch.length_a + batch.length_b; k++) {
            char c = k < batch.length_a ? pairs[i].a[k] : pairs[i].b[k - batch.length_a];
            const char *found = strchr("ACGT", c);
            memset(letters + (ptrdiff_t)SW_PAIRS * k, found != NULL ? (int)(found - "ACGT") : 78, SW_PAIRS);
        }
        sw_oracle(size, letters, &batch, scores);
        for (int p = 0; p < SW_PAIRS; p++)
            assert_int_equal(scores[p], pairs[i].score);
    }
}

/* What a case is drawn for is in it: scores of all kinds, long gaps, the greatest score there can be. */
static void test_inputs(void **state) {
    bool most = false;
    for (unsigned i = 0; i < align->case_count; i++) {
        struct filled f;
        align->get_case(i, &(struct draw_key){{2}}, &f.c);
        fill(&f);
        uint32_t least = UINT32_MAX, greatest_score = 0;
        for (int64_t k = 0; k < f.c.size[SW_COUNT] * SW_PAIRS; k++) {
            least = f.scores[k] < least ? f.scores[k] : least;
            greatest_score = f.scores[k] > greatest_score ? f.scores[k] : greatest_score;
        }
        most = most || greatest_score == SW_LONGEST * SW_MOST_SCORE;
        if (f.c.pattern == PATTERN_ZEROS)
            assert_int_equal(greatest_score, 0);
        if (f.c.pattern == PATTERN_NOISE && f.c.size[SW_LONGEST_A] > 16 && f.c.size[SW_LONGEST_B] > 16)
            assert_true(greatest_score > least);
        drop(&f);
    }
    assert_true(most);
}

/* The timed input: as many batches as asked for, lengths from a half on, related pairs; never more letters than there
 * may be. */
static void test_timed(void **state) {
    struct filled f;
    struct problem_work work;
    align->timed_case(0, 40, 96, &(struct draw_key){{3}}, &f.c);
    assert_int_equal(f.c.size[SW_COUNT], 40);
    assert_int_equal(f.c.size[SW_LONGEST_A], 96);
    assert_int_equal(f.c.size[SW_SHORTEST_A], 48);
    assert_int_equal(f.c.size[SW_LONGEST_B], 48);
    fill(&f);
    align->work(&f.c, &work);
    double cells = 0;
    const struct sw_batch *batches = f.input[SW_BATCHES];
    for (int k = 0; k < 40; k++)
        cells += 32.0 * batches[k].length_a * batches[k].length_b;
    assert_true(work.elements == cells);
    unsigned high = 0;
    for (int i = 0; i < 40 * SW_PAIRS; i++)
        high += f.scores[i] > 50;
    assert_true(high > 40 * SW_PAIRS / 4);
    drop(&f);
    align->timed_case(0, 2, 4000, &(struct draw_key){{3}}, &f.c);
    assert_int_equal(f.c.size[SW_LONGEST_A], SW_LONGEST);
}

/* Under every key the batches have the same lengths, and with them the same work; the letters are drawn. */
static void test_timed_work(void **state) {
    struct filled f[2];
    for (uint8_t k = 0; k < 2; k++) {
        align->timed_case(0, 300, 60, &(struct draw_key){{k}}, &f[k].c);
        fill(&f[k]);
    }
    assert_memory_equal(f[0].input[SW_BATCHES], f[1].input[SW_BATCHES], f[0].l.bytes[SW_BATCHES]);
    assert_memory_not_equal(f[0].input[SW_LETTERS], f[1].input[SW_LETTERS], 32 * SW_PAIRS);
    drop(&f[0]);
    drop(&f[1]);
}

/* A score of one pair too many or too few shows, and where. */
static void test_compare(void **state) {
    struct filled f;
    struct problem_verdict v;
    align->get_case(7, &(struct draw_key){{4}}, &f.c);
    fill(&f);
    uint32_t *got = malloc(f.l.bytes[SW_SCORES]);
    assert_non_null(got);
    memcpy(got, f.scores, f.l.bytes[SW_SCORES]);
    const void *expected[] = {f.scores}, *found[] = {got};
    align->compare(&f.c, expected, found, 0xa5, &v);
    assert_true(v.passed);
    got[33]++;
    align->compare(&f.c, expected, found, 0xa5, &v);
    assert_false(v.passed);
    assert_string_equal(v.message, "1 of 96 scores are wrong");
    assert_string_equal(v.first[0].where, "(1, 1)");
    free(got);
    drop(&f);
}

TESTS(UNIT(test_oracle), UNIT(test_by_hand), UNIT(test_inputs), UNIT(test_timed), UNIT(test_timed_work),
      UNIT(test_compare))

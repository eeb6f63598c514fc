/*
 * Lab 9: cases, inputs and oracle of many small alignments. Everything is a whole number: the scores are compared as
 * they are.
 */
#include "lab/problems/smith_waterman.h"
#include "base/parallel.h"
#include "lab/problems/diagnosis/wrong_oracle.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Match, mismatch, open, extend. */
static const uint8_t scorings[][4] = {
    {5, 4, 8, 2},    {2, 3, 5, 2},   {1, 1, 1, 1},  {1, 0, 0, 0},
    {100, 90, 7, 0}, {10, 9, 20, 1}, {3, 7, 40, 3}, {SW_MOST_SCORE, SW_MOST_SCORE, SW_MOST_SCORE, 1},
};
enum { SCORINGS = sizeof scorings / sizeof *scorings };

/* The seed of the timed lengths: those with which solutions/recordings/h200-lab9.csv was taken. */
static const int64_t TIMED_LENGTHS = 2004855299125426290;

/* The smallest first: one letter; one against many; just below, at and above 8, 16, 32 and 64 letters, for strips of so
 * many; counts of batches that no number of warps in a block divides. shortest: a sequence is at least longest / shortest
 * letters. */
static const struct {
    uint16_t count;
    uint8_t longest_a, longest_b, shortest, scoring, pattern;
} cases[] = {
    {1, 1, 1, 1, 0, PATTERN_MAXIMUM},
    {1, 1, 1, 1, 1, PATTERN_NOISE},
    {1, 4, 3, 1, 0, PATTERN_NOISE},
    {1, 1, 9, 1, 0, PATTERN_NOISE},
    {1, 9, 1, 1, 1, PATTERN_NOISE},
    {2, 5, 5, 5, 0, PATTERN_ZEROS},
    {1, 6, 6, 1, 2, PATTERN_POINT},
    {3, 8, 8, 1, 0, PATTERN_NOISE},
    {1, 12, 12, 1, 0, PATTERN_ROWS_COLUMNS},
    {2, 7, 10, 7, 2, PATTERN_NOISE},
    {1, 9, 8, 1, 3, PATTERN_NOISE},
    {4, 15, 11, 4, 1, PATTERN_NOISE},
    {1, 16, 16, 1, 0, PATTERN_MAXIMUM},
    {2, 16, 5, 1, 5, PATTERN_NOISE},
    {5, 17, 13, 17, 0, PATTERN_NOISE},
    {3, 18, 18, 1, 1, PATTERN_ROWS_COLUMNS},
    {1, 20, 31, 1, 4, PATTERN_NOISE},
    {2, 31, 17, 1, 0, PATTERN_POINT},
    {7, 32, 16, 4, 0, PATTERN_NOISE},
    {3, 33, 24, 1, 0, PATTERN_NOISE},
    {2, 33, 33, 1, 5, PATTERN_ROWS_COLUMNS},
    {1, 40, 40, 1, 6, PATTERN_MAXIMUM},
    {9, 47, 23, 4, 0, PATTERN_NOISE},
    {2, 48, 48, 1, 1, PATTERN_CORNERS},
    {3, 49, 48, 49, 0, PATTERN_NOISE},
    {1, 60, 2, 1, 0, PATTERN_ROWS_COLUMNS},
    {1, 2, 60, 1, 0, PATTERN_ROWS_COLUMNS},
    {5, 63, 31, 4, 6, PATTERN_NOISE},
    {2, 64, 32, 1, 0, PATTERN_ROWS_COLUMNS},
    {3, 65, 33, 1, 0, PATTERN_NOISE},
    {13, 65, 40, 65, 1, PATTERN_NOISE},
    {2, 80, 65, 1, 5, PATTERN_ROWS_COLUMNS},
    {4, 96, 48, 4, 0, PATTERN_NOISE},
    {1, 1, 128, 1, 0, PATTERN_NOISE},
    {1, 128, 1, 1, 0, PATTERN_NOISE},
    {2, 97, 128, 1, 4, PATTERN_NOISE},
    {1, 128, 128, 1, 7, PATTERN_MAXIMUM},
    {3, 128, 128, 128, 0, PATTERN_NOISE},
    {2, 127, 126, 1, 1, PATTERN_ROWS_COLUMNS},
    {257, 19, 12, 4, 0, PATTERN_NOISE},
    {1000, 5, 4, 5, 0, PATTERN_NOISE},
};

static const char *note_of(enum problem_pattern pattern) {
    return pattern == PATTERN_MAXIMUM        ? ", all the same"
           : pattern == PATTERN_ZEROS        ? ", unknown letters"
           : pattern == PATTERN_POINT        ? ", the last letter"
           : pattern == PATTERN_CORNERS      ? ", first and last"
           : pattern == PATTERN_ROWS_COLUMNS ? ", long gaps"
                                             : "";
}

/* ---- shapes */

static int64_t at_least(int64_t longest, int64_t divisor) {
    return longest / divisor > 1 ? longest / divisor : 1;
}

/* A length between the two, drawn. */
static int32_t length_in(struct draw *draw, int64_t shortest, int64_t longest) {
    return (int32_t)(shortest + (int64_t)draw_below(draw, (uint64_t)(longest - shortest + 1)));
}

/* Lengths and places of all batches, into batches[] where that is not NULL. Returns the rows of letters. */
static int64_t place_batches(const struct problem_case *c, struct sw_batch *batches) {
    struct draw_key key;
    struct draw draw;
    int64_t rows = 0, row = 0;
    draw_key_of_seed(&key, (uint64_t)c->size[SW_LENGTHS]);
    draw_begin(&draw, &key);
    for (int64_t i = 0; i < c->size[SW_COUNT]; i++) {
        struct sw_batch batch = {length_in(&draw, c->size[SW_SHORTEST_A], c->size[SW_LONGEST_A]),
                                 length_in(&draw, c->size[SW_SHORTEST_B], c->size[SW_LONGEST_B]), 0, 0};
        rows += batch.length_a + batch.length_b;
        if (batches != NULL)
            batches[i] = batch;
    }
    for (int64_t i = 0; batches != NULL && i < c->size[SW_COUNT]; i++) {
        batches[i].at_a = (int32_t)row;
        batches[i].at_b = batches[i].at_a + batches[i].length_a;
        row = batches[i].at_b + batches[i].length_b;
    }
    return rows;
}

static void shape(struct problem_case *c, int64_t count, int64_t longest_a, int64_t longest_b,
                  int64_t shortest, const uint8_t scoring[4]) {
    struct draw_key key = draw_for(&c->key, "seed of the lengths");
    struct draw draw;
    draw_begin(&draw, &key);
    c->size[SW_LENGTHS] = (int64_t)(draw_number(&draw) >> 1);
    c->size[SW_COUNT] = count;
    c->size[SW_SHORTEST_A] = at_least(longest_a, shortest);
    c->size[SW_LONGEST_A] = longest_a;
    c->size[SW_SHORTEST_B] = at_least(longest_b, shortest);
    c->size[SW_LONGEST_B] = longest_b;
    for (int i = 0; i < 4; i++)
        c->size[SW_MATCH + i] = scoring[i];
    c->size[SW_ROWS] = place_batches(c, NULL);
    snprintf(c->name, sizeof c->name, "%u x 32 pairs, %u x %u%s", (unsigned)count % 1000000,
             (unsigned)longest_a % 1000, (unsigned)longest_b % 1000, note_of(c->pattern));
}

static void get_case(unsigned index, const struct draw_key *key, struct problem_case *c) {
    *c = (struct problem_case){
        .key = draw_for(key, "case %u", index), .number = index, .pattern = cases[index].pattern};
    shape(c, cases[index].count, cases[index].longest_a, cases[index].longest_b, cases[index].shortest,
          scorings[cases[index].scoring]);
}

static void draw_case(const struct draw_key *key, struct problem_case *c) {
    struct draw draw;
    draw_begin(&draw, key);
    *c = (struct problem_case){.key = *key,
                               .pattern = draw_below(&draw, 4) == 0 ? PATTERN_ROWS_COLUMNS : PATTERN_NOISE};
    int64_t longest_a = length_in(&draw, 1, SW_LONGEST), longest_b = length_in(&draw, 1, SW_LONGEST),
            count = length_in(&draw, 1, 12), shortest = length_in(&draw, 1, SW_LONGEST);
    uint8_t scoring[4];
    for (int i = 0; i < 3; i++)
        scoring[i] = (uint8_t)draw_below(&draw, 30);
    scoring[0]++; /* a match is worth something */
    scoring[3] = (uint8_t)draw_below(&draw, scoring[2] + 1u);
    shape(c, count, longest_a, longest_b, shortest, scoring);
}

/* `width` batches; the first sequence of a pair has up to `height` letters, the second half of that. The lengths are
 * the same under every key, as every other timed case's shape is, so that every key asks for the same work; the letters are
 * drawn. There is room for the longest: the buffers of all calls are as large. */
static void timed_case(unsigned part, uint32_t width, uint32_t height, const struct draw_key *key,
                       struct problem_case *c) {
    (void)part;
    int64_t longest = height < SW_LONGEST ? height : SW_LONGEST;
    *c = (struct problem_case){.key = *key, .pattern = PATTERN_NOISE};
    shape(c, width, longest, at_least(longest, 2), 2, scorings[0]);
    c->size[SW_LENGTHS] = TIMED_LENGTHS;
    c->size[SW_ROWS] = c->size[SW_COUNT] * (longest + at_least(longest, 2));
}

static void layout(const struct problem_case *c, struct problem_layout *l) {
    uint64_t count = (uint64_t)c->size[SW_COUNT], rows = (uint64_t)c->size[SW_ROWS];
    *l = (struct problem_layout){
        .input_count = 2,
        .output_count = 1,
        .bytes = {rows * SW_PAIRS, count * sizeof(struct sw_batch), count * SW_PAIRS * sizeof(uint32_t)},
        .shape = {{"letters", "letter", SHAPE_TABLE, 1, 0, SW_PAIRS, rows, SW_PAIRS, 1, {"row", "-", "pair"}},
                  {"batches", "batch", SHAPE_VECTOR, sizeof(struct sw_batch), 0, count, 1, .pitch = count},
                  {"scores",
                   "score",
                   SHAPE_TABLE,
                   sizeof(uint32_t),
                   0,
                   SW_PAIRS,
                   count,
                   SW_PAIRS,
                   1,
                   {"batch", "-", "pair"}}}};
}

/* ---- inputs */

static uint8_t known(struct draw *draw) {
    return draw_byte(draw) % SW_KNOWN;
}

static uint8_t unknown(struct draw *draw) {
    return (uint8_t)(SW_KNOWN + draw_below(draw, 256 - SW_KNOWN));
}

/* Now and then a letter is unknown. */
static uint8_t any(struct draw *draw) {
    uint8_t byte = draw_byte(draw);
    return byte >= 250 ? unknown(draw) : byte % SW_KNOWN;
}

/* A sequence that has much of `from`: from somewhere on, with letters exchanged, put in and left out. */
static void relate(struct draw *draw, const uint8_t *from, int from_length, uint8_t *to, int length) {
    int at = (int)draw_below(draw, (uint64_t)from_length);
    for (int i = 0; i < length; i++) {
        uint8_t byte = draw_byte(draw);
        if (byte < 6)
            at += 1 + draw_byte(draw) % 5;
        else if (byte < 12)
            at -= 1;
        to[i] = byte < 40 || at < 0 || at >= from_length ? any(draw) : from[at];
        at++;
    }
}

/* The beginning and the end of `from`, and nothing of what is between. */
static void cut_out(struct draw *draw, const uint8_t *from, int from_length, uint8_t *to, int length) {
    int kept = from_length / 3, begin = kept < length / 2 ? kept : length / 2;
    for (int i = 0; i < length; i++) {
        int at = i < begin ? i : from_length - kept + i - begin;
        to[i] = at < from_length ? from[at] : any(draw);
    }
}

/* One pair of the batch. */
static void fill_pair(const struct problem_case *c, struct draw *draw, int lane, uint8_t *a, int length_a,
                      uint8_t *b, int length_b) {
    bool gaps = c->pattern == PATTERN_ROWS_COLUMNS, from_b = gaps && lane % 2 == 1;
    uint8_t *first = from_b ? b : a, *second = from_b ? a : b;
    int first_length = from_b ? length_b : length_a, second_length = from_b ? length_a : length_b;
    uint8_t letter = known(draw);
    switch (c->pattern) {
    case PATTERN_MAXIMUM:
    case PATTERN_ZEROS:
    case PATTERN_POINT:
    case PATTERN_CORNERS:
        letter = c->pattern == PATTERN_MAXIMUM ? letter : unknown(draw);
        memset(a, letter, (size_t)length_a);
        memset(b, letter, (size_t)length_b);
        if (c->pattern == PATTERN_POINT || c->pattern == PATTERN_CORNERS)
            a[length_a - 1] = b[length_b - 1] = known(draw);
        if (c->pattern == PATTERN_CORNERS)
            a[0] = b[0] = known(draw);
        return;
    default: break;
    }
    for (int i = 0; i < first_length; i++)
        first[i] = any(draw);
    if (gaps)
        cut_out(draw, first, first_length, second, second_length);
    else if (draw_byte(draw) < 192)
        relate(draw, first, first_length, second, second_length);
    else
        for (int i = 0; i < second_length; i++)
            second[i] = any(draw);
    /* A pair that is shorter than its batch ends in unknown letters. */
    int own = length_a - (int)draw_below(draw, (uint64_t)length_a / 6 + 1);
    for (int i = own; !gaps && i < length_a; i++)
        a[i] = unknown(draw);
}

static void fill(const struct problem_case *c, void *const inputs[]) {
    struct draw_key key = draw_for(&c->key, "letters");
    struct draw draw;
    uint8_t *letters = inputs[SW_LETTERS], a[SW_LONGEST], b[SW_LONGEST];
    struct sw_batch *batches = inputs[SW_BATCHES];
    memset(letters, 0xff, (size_t)c->size[SW_ROWS] * SW_PAIRS); /* rows that no batch has: unknown letters */
    place_batches(c, batches);
    draw_begin(&draw, &key);
    for (int64_t k = 0; k < c->size[SW_COUNT]; k++)
        for (int lane = 0; lane < SW_PAIRS; lane++) {
            const struct sw_batch *batch = &batches[k];
            fill_pair(c, &draw, lane, a, batch->length_a, b, batch->length_b);
            for (int i = 0; i < batch->length_a; i++)
                letters[(int64_t)SW_PAIRS * (batch->at_a + i) + lane] = a[i];
            for (int i = 0; i < batch->length_b; i++)
                letters[(int64_t)SW_PAIRS * (batch->at_b + i) + lane] = b[i];
        }
}

/* ---- the oracle */

#define INLINE static inline __attribute__((always_inline))

INLINE int16_t greater(int16_t x, int16_t y) {
    return x > y ? x : y;
}

/* Half the pairs of a batch, or fewer, side by side, in 16 bits: no score is above SW_LONGEST * SW_MOST_SCORE. h: the row of
 * cells above, letter by letter of b; f: the best with a gap that skips letters of a. A gap that ends below 0 is none, so both
 * begin at 0. Every loop over `p` is one operation on a vector: restrict says that nothing stands in its way. */
enum { SIDE_BY_SIDE = 16 };
struct cells {
    int16_t b[SW_LONGEST][SIDE_BY_SIDE], h[SW_LONGEST][SIDE_BY_SIDE], f[SW_LONGEST][SIDE_BY_SIDE];
};

/* Letters as they are compared: an unknown one is `unknown`, which is not the other sequence's. */
INLINE void take_letters(const uint8_t *letters, int16_t unknown, int16_t *restrict to) {
    for (int p = 0; p < SIDE_BY_SIDE; p++)
        to[p] = letters[p] < SW_KNOWN ? letters[p] : unknown;
}

/* A row of cells: of letter `a` of each pair. */
INLINE void take_row(const int64_t size[], const int16_t *restrict a, int length_b, struct cells *cells,
                     int16_t *restrict best) {
    int16_t match = (int16_t)size[SW_MATCH], mismatch = (int16_t)-size[SW_MISMATCH],
            open = (int16_t)size[SW_OPEN], extend = (int16_t)size[SW_EXTEND];
    int16_t left[SIDE_BY_SIDE] = {0}, e[SIDE_BY_SIDE] = {0}, diagonal[SIDE_BY_SIDE] = {0};
    for (int j = 0; j < length_b; j++) {
        int16_t *restrict h = cells->h[j], *restrict f = cells->f[j];
        const int16_t *restrict b = cells->b[j];
        for (int p = 0; p < SIDE_BY_SIDE; p++) {
            int16_t value = (int16_t)(diagonal[p] + (a[p] == b[p] ? match : mismatch));
            f[p] = greater((int16_t)(h[p] - open), (int16_t)(f[p] - extend));
            e[p] = greater((int16_t)(left[p] - open), (int16_t)(e[p] - extend));
            value = greater(greater(value, 0), greater(e[p], f[p]));
            diagonal[p] = h[p];
            h[p] = left[p] = value;
            best[p] = greater(best[p], value);
        }
    }
}

INLINE void take_batch(const int64_t size[], const uint8_t *letters, const struct sw_batch *batch,
                       uint32_t *scores) {
    enum { A_UNKNOWN = -1, B_UNKNOWN = -2 };
    for (int first = 0; first < SW_PAIRS; first += SIDE_BY_SIDE) {
        const uint8_t *from = letters + first;
        struct cells cells;
        int16_t a[SIDE_BY_SIDE], best[SIDE_BY_SIDE] = {0};
        memset(cells.h, 0, (size_t)batch->length_b * sizeof *cells.h);
        memset(cells.f, 0, (size_t)batch->length_b * sizeof *cells.f);
        for (int j = 0; j < batch->length_b; j++)
            take_letters(from + (int64_t)SW_PAIRS * (batch->at_b + j), B_UNKNOWN, cells.b[j]);
        for (int i = 0; i < batch->length_a; i++) {
            take_letters(from + (int64_t)SW_PAIRS * (batch->at_a + i), A_UNKNOWN, a);
            take_row(size, a, batch->length_b, &cells, best);
        }
        for (int p = 0; p < SIDE_BY_SIDE; p++)
            scores[first + p] = (uint32_t)best[p];
    }
}

static void take_batch_plain(const int64_t size[], const uint8_t *letters, const struct sw_batch *batch,
                             uint32_t *scores) {
    take_batch(size, letters, batch, scores);
}

/* As in sums.c: once more for wider vectors, and the machine chooses. Whole numbers are the same in any. */
#ifdef __x86_64__
__attribute__((target("avx2"))) static void take_batch_wide(const int64_t size[], const uint8_t *letters,
                                                            const struct sw_batch *batch, uint32_t *scores) {
    take_batch(size, letters, batch, scores);
}

static bool is_wide(void) {
    return __builtin_cpu_supports("avx2");
}
#else
#define take_batch_wide take_batch_plain

static bool is_wide(void) {
    return false;
}
#endif

struct oracle {
    const int64_t *size;
    const uint8_t *letters;
    const struct sw_batch *batches;
    uint32_t *scores;
};

static void take_batches(void *context, size_t from, size_t to) {
    const struct oracle *o = context;
    bool wide = is_wide();
    for (size_t k = from; k < to; k++)
        (wide ? take_batch_wide : take_batch_plain)(o->size, o->letters, &o->batches[k],
                                                    o->scores + SW_PAIRS * k);
}

void sw_oracle(const int64_t size[], const uint8_t *letters, const struct sw_batch *batches,
               uint32_t *scores) {
    enum { STEP = 64 };
    struct oracle oracle = {.size = size, .letters = letters, .batches = batches, .scores = scores};
    parallel_run((size_t)size[SW_COUNT], STEP, take_batches, &oracle);
}

static bool solve(const struct problem_case *c, const void *const inputs[], void *const outputs[]) {
    sw_oracle(c->size, inputs[SW_LETTERS], inputs[SW_BATCHES], outputs[0]);
    return true;
}

static void compare(const struct problem_case *c, const void *const expected[], const void *const got[],
                    uint8_t poison, struct problem_verdict *v) {
    const uint32_t *e = expected[0], *g = got[0];
    (void)poison;
    *v = (struct problem_verdict){.total = (uint64_t)c->size[SW_COUNT] * SW_PAIRS};
    for (uint64_t i = 0; i < v->total; i++) {
        if (e[i] == g[i])
            continue;
        struct problem_wrong *w = problem_list(v, i);
        if (w == NULL)
            continue;
        snprintf(w->where, sizeof w->where, "(%d, %" PRIu64 ")", (int)(i % SW_PAIRS), i / SW_PAIRS);
        snprintf(w->got, sizeof w->got, "%" PRIu32, g[i]);
        snprintf(w->expected, sizeof w->expected, "%" PRIu32, e[i]);
    }
    v->passed = v->wrong == 0;
    if (!v->passed)
        snprintf(v->message, sizeof v->message, "%" PRIu64 " of %" PRIu64 " scores are wrong", v->wrong,
                 v->total);
}

/* A cell: two differences and a greatest for each kind of gap, a comparison, a sum, three greatest. */
static void work(const struct problem_case *c, struct problem_work *w) {
    double cells = 0, rows = 0, count = (double)c->size[SW_COUNT];
    struct sw_batch *batches = calloc((size_t)c->size[SW_COUNT], sizeof *batches);
    if (batches != NULL)
        rows = (double)place_batches(c, batches);
    for (int64_t i = 0; batches != NULL && i < c->size[SW_COUNT]; i++)
        cells += (double)SW_PAIRS * batches[i].length_a * batches[i].length_b;
    free(batches);
    *w = (struct problem_work){.bytes = SW_PAIRS * rows +
                                        count * (double)(sizeof *batches + SW_PAIRS * sizeof(uint32_t)),
                               .operations = 11 * cells,
                               .elements = cells};
}

const struct problem problem_smith_waterman = {
    .function = "smith_waterman",
    .element = "cell",
    .criterion = "score by score",
    .place = "(pair, batch)",
    .outside = "batch is not below count: check each warp's",
    .size_names = {[SW_COUNT] = "count", [SW_LONGEST_A] = "longest_a", [SW_LONGEST_B] = "longest_b"},
    PROBLEM_FUNCTIONS,
    .part_count = 1,
    .timed_case = timed_case,
    .compare = compare,
    .wrong = &wrong_smith_waterman,
};

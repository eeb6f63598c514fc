/* wrong_smith_waterman.c: what can be wrong with an alignment. */
#include "lab/problems/diagnosis/wrong_row.h"
#include "lab/problems/smith_waterman.h"

/* Which cell's value the score is. BEST_INSIDE: the last row and column do not count. BEST_OF_STRIPS: only the last rows
 * of strips do. */
enum sw_result { BEST, LAST_CELL, BEST_OF_LAST_ROW, BEST_OF_LAST_COLUMN, BEST_INSIDE, BEST_OF_STRIPS };

/* Which letters are the same. */
enum sw_same { KNOWN_ONLY, UNKNOWN_TOO, LOW_BITS, UNKNOWN_ANY, ALWAYS_SAME, UNKNOWN_EACH_OTHER };

/* What a gap of k letters costs. */
enum sw_gap { OPENED, OPEN_AND_ALL, OPEN_EACH, EXTEND_EACH, OPEN_ONCE, NO_COST };

/* What is lost where a strip of rows ends and the next begins. BEST: the best of the strips before.
 * BYTES: all but the lowest byte. LEFT: nothing; the last cells of the strip before stand left of it. */
enum sw_strip {
    NO_STRIP,
    STRIP_CELLS,
    STRIP_GAP,
    STRIP_DIAGONAL,
    STRIP_BEST,
    STRIP_GAP_RESTARTS,
    STRIP_BYTES,
    STRIP_LEFT
};

/* IN_STRIP: the cell above, but for the first row of a strip. */
enum sw_diagonal { DIAGONAL, ABOVE, LEFT, ABOVE_IN_STRIP };

/* What becomes of a score in fewer bits. */
enum sw_bits { ALL_BITS, BYTE, SIGNED_BYTE, UP_TO_255, UP_TO_127 };

struct sw {
    const struct wrong_tried *tried;
    const int64_t *size;
    const uint8_t *letters;
    const struct sw_batch *batches;
    const uint32_t *got;
    int match, mismatch;
    bool uncut; /* cells go below 0 */
    enum sw_result result;
    enum sw_same same;
    enum sw_gap gap;
    int gap_of;           /* 0: every gap costs that; 1: those that skip letters of a; 2: of b */
    bool a_left, b_above; /* where such a gap begins: at the cell to the left, above */
    bool outside[2];      /* the cells above the matrix, left of it are -open */
    bool corner_0;        /* the cell left of and above a strip of 16 rows is 0 all the same */
    bool side_by_side;    /* letters of a pair are read as if they lay so */
    int padded[2];        /* a and b are filled up to a multiple of so many letters */
    int padding;
    bool by_pairs;             /* score of pair p of batch k at scores[p * count + k] */
    bool without_a, without_b; /* no gaps that skip letters of a, of b */
    enum sw_strip strip;
    int strip_rows;
    enum sw_diagonal diagonal;
    int first_a, first_b, less_a, less_b; /* letters left out at the beginning, at the end */
    int tail_a, tail_b;                   /* the last length % this are left out; 0: none */
    int most[2];                          /* of a, of b: no more than so many letters; 0: all */
    int shift;                            /* pair i gets the score of pair i + shift, if there is one */
    bool other_batch, other_pair;         /* of batch `batch`, of pair `pair` of the same batch */
    int batch, pair;
    enum sw_bits bits;
    bool unwritten;
    int constant; /* -1: none */
};

/* A pair, as far as the recipe looks at it. */
struct pair {
    const uint8_t *a, *b; /* of its letters every `step`-th */
    int length_a, length_b, step;
    int letters_a, letters_b; /* what is behind these is padding */
};

/* The cells of the row above, by letters of b, and the best there with a gap in b. */
struct above {
    int h[SW_LONGEST], f[SW_LONGEST];
    int end_h[SW_LONGEST], end_e[SW_LONGEST]; /* the last cell of each row, its gap */
};

static int greater(int x, int y) {
    return x > y ? x : y;
}

static bool is_same(const struct sw *s, uint8_t a, uint8_t b) {
    bool known = a < SW_KNOWN && b < SW_KNOWN;
    switch (s->same) {
    case KNOWN_ONLY: break;
    case UNKNOWN_TOO: return a == b;
    case LOW_BITS: return a % SW_KNOWN == b % SW_KNOWN;
    case UNKNOWN_ANY: return a == b || !known;
    case ALWAYS_SAME: return true;
    case UNKNOWN_EACH_OTHER: return known ? a == b : a >= SW_KNOWN && b >= SW_KNOWN;
    }
    return known && a == b;
}

enum { SW_STRIP = 16 }; /* rows of the strips of the starter */

/* The best with a gap that ends here, that skips letters of a (1) or b (2): of the cell before it
 * and of the gap that ended there. */
static int gap(const struct sw *s, int of, int cell, int before) {
    int open = (int)s->size[SW_OPEN], extend = (int)s->size[SW_EXTEND];
    switch (s->gap_of == 0 || s->gap_of == of ? s->gap : OPENED) {
    case OPENED: break;
    case OPEN_AND_ALL: open += extend; break;
    case OPEN_EACH: extend = open; break;
    case EXTEND_EACH: open = extend; break;
    case OPEN_ONCE: extend = 0; break;
    case NO_COST: open = extend = 0; break;
    }
    return greater(cell - open, before - extend);
}

static int in_bits(enum sw_bits bits, int score) {
    switch (bits) {
    case ALL_BITS: break;
    case BYTE: return score & 255;
    case SIGNED_BYTE: return (int8_t)score;
    case UP_TO_255: return score < 255 ? score : 255;
    case UP_TO_127: return score < 127 ? score : 127;
    }
    return score;
}

/* What a new strip finds of the row above it. */
static void lose(const struct sw *s, struct above *above, int length_b) {
    for (int j = 0; j < length_b; j++) {
        if (s->strip == STRIP_CELLS)
            above->h[j] = above->f[j] = 0;
        if (s->strip == STRIP_GAP)
            above->f[j] = 0;
        if (s->strip == STRIP_GAP_RESTARTS)
            above->f[j] = above->h[j];
        if (s->strip == STRIP_BYTES) {
            above->h[j] = in_bits(SIGNED_BYTE, above->h[j]);
            above->f[j] = in_bits(SIGNED_BYTE, above->f[j]);
        }
    }
}

/* Cell k outside the matrix, above it or left of it; the corner is -1. */
static int outside(const struct sw *s, int side, int k) {
    return k < 0 || !s->outside[side] ? 0 : -(int)s->size[SW_OPEN];
}

static uint8_t letter(const struct sw *s, const uint8_t *letters, int i, int step, int count) {
    return i < count ? letters[step * i] : (uint8_t)s->padding;
}

/* What stands left of row i and of the row above it. */
static void begin_row(const struct sw *s, int i, const struct above *above, int *left, int *e,
                      int *diagonal) {
    *left = outside(s, 1, i);
    *diagonal = s->corner_0 && i % SW_STRIP == 0 ? 0 : outside(s, 1, i - 1);
    *e = 0;
    if (s->strip != STRIP_LEFT || i < s->strip_rows)
        return;
    *left = above->end_h[i - s->strip_rows];
    *e = above->end_e[i - s->strip_rows];
    *diagonal = i % s->strip_rows == 0 ? 0 : above->end_h[i - 1 - s->strip_rows];
}

/* Whether the cell may be the best. */
static bool counts(const struct sw *s, const struct pair *p, int i, int j) {
    bool last = i + 1 == p->length_a;
    if (s->result == BEST_OF_STRIPS)
        return last || (i + 1) % s->strip_rows == 0;
    return s->result != BEST_INSIDE || (j + 1 < p->length_b && !last);
}

/* A row of cells; the best of them, and the last one's value in *last. */
static int take_row(const struct sw *s, const struct pair *p, int i, struct above *above, int *last) {
    int left, e, diagonal, best = INT_MIN;
    begin_row(s, i, above, &left, &e, &diagonal);
    uint8_t a = letter(s, p->a, i, p->step, p->letters_a);
    bool starts = s->strip == STRIP_DIAGONAL && i > 0 && i % s->strip_rows == 0;
    for (int j = 0; j < p->length_b; j++) {
        int before = s->diagonal == ABOVE || (s->diagonal == ABOVE_IN_STRIP && i % s->strip_rows != 0)
                         ? above->h[j]
                     : s->diagonal == LEFT ? left
                                           : diagonal;
        if (starts)
            before = 0;
        int cell =
            before + (is_same(s, a, letter(s, p->b, j, p->step, p->letters_b)) ? s->match : -s->mismatch);
        e = gap(s, 2, s->b_above ? above->h[j] : left, e);
        above->f[j] = gap(s, 1, s->a_left ? left : above->h[j], above->f[j]);
        if (!s->without_b)
            cell = greater(cell, e);
        if (!s->without_a)
            cell = greater(cell, above->f[j]);
        if (!s->uncut)
            cell = greater(cell, 0);
        diagonal = above->h[j];
        above->h[j] = left = cell;
        if (counts(s, p, i, j))
            best = greater(best, cell);
    }
    above->end_h[i] = *last = left;
    above->end_e[i] = e;
    return best;
}

static int align(const struct sw *s, const struct pair *p) {
    struct above above = {0};
    int best = 0, best_of_column = 0, last = 0, row = 0;
    for (int j = 0; j < p->length_b; j++)
        above.h[j] = outside(s, 0, j);
    for (int i = 0; i < p->length_a; i++) {
        bool starts = s->strip != NO_STRIP && i > 0 && i % s->strip_rows == 0;
        if (starts)
            lose(s, &above, p->length_b);
        if (starts && s->strip == STRIP_BEST)
            best = 0;
        row = take_row(s, p, i, &above, &last);
        best = greater(best, row);
        best_of_column = greater(best_of_column, last);
    }
    switch (s->result) {
    case BEST:
    case BEST_OF_STRIPS:
    case BEST_INSIDE: break;
    case LAST_CELL: return last;
    case BEST_OF_LAST_ROW: return greater(row, 0);
    case BEST_OF_LAST_COLUMN: return best_of_column;
    }
    return best;
}

/* How many letters of a sequence count, behind those that are left out at its beginning. */
static int letters_of(int length, int first, int less, int tail, int most) {
    length -= first + less;
    if (tail > 0)
        length -= length % tail;
    if (most > 0 && length > most)
        length = most;
    return length > 0 ? length : 0;
}

static int filled_up(int length, int to) {
    return to > 0 ? (length + to - 1) / to * to : length;
}

static int result(const struct sw *s, uint64_t index) {
    int64_t all = s->size[SW_COUNT] * SW_PAIRS, at = (int64_t)index + s->shift;
    if (at < 0 || at >= all)
        at = (int64_t)index;
    if (s->unwritten)
        return UNWRITTEN;
    if (s->constant >= 0)
        return s->constant;
    if (s->by_pairs)
        at = at % s->size[SW_COUNT] * SW_PAIRS + at / s->size[SW_COUNT];
    if (s->other_pair)
        at = at / SW_PAIRS * SW_PAIRS + s->pair;
    if (s->other_batch)
        at = s->batch * (int64_t)SW_PAIRS + at % SW_PAIRS;
    if (at >= all)
        return UNKNOWN;
    const struct sw_batch *batch = &s->batches[at / SW_PAIRS];
    struct pair p = {.length_a = letters_of(batch->length_a, s->first_a, s->less_a, s->tail_a, s->most[0]),
                     .length_b = letters_of(batch->length_b, s->first_b, s->less_b, s->tail_b, s->most[1])};
    int64_t own = at % SW_PAIRS;
    p.a = s->letters + (int64_t)SW_PAIRS * (batch->at_a + s->first_a) + own;
    p.b = s->letters + (int64_t)SW_PAIRS * (batch->at_b + s->first_b) + own;
    p.step = s->side_by_side ? 1 : SW_PAIRS;
    p.letters_a = p.length_a;
    p.letters_b = p.length_b;
    p.length_a = filled_up(p.length_a, s->padded[0]);
    p.length_b = filled_up(p.length_b, s->padded[1]);
    return in_bits(s->bits, align(s, &p));
}

static void begin(const struct wrong_tried *tried, void *recipe) {
    const int64_t *size = tried->problem_case->size;
    *(struct sw *)recipe = (struct sw){.tried = tried,
                                       .size = size,
                                       .letters = tried->input[SW_LETTERS],
                                       .batches = tried->input[SW_BATCHES],
                                       .got = tried->got,
                                       .match = (int)size[SW_MATCH],
                                       .mismatch = (int)size[SW_MISMATCH],
                                       .strip_rows = 1,
                                       .constant = -1};
}

static struct wrong_element expected(const void *recipe, uint64_t index) {
    return wrong_whole(result(recipe, index));
}

static uint64_t count(const struct problem_case *c) {
    return (uint64_t)c->size[SW_COUNT] * SW_PAIRS;
}

static void place(const struct problem_case *c, uint64_t index, struct wrong_place *p) {
    *p = (struct wrong_place){.at = {(int64_t)index % SW_PAIRS, (int64_t)index / SW_PAIRS},
                              .extent = {SW_PAIRS, c->size[SW_COUNT]}};
}

static unsigned features(const struct problem_case *c, struct wrong_feature *f) {
    f[0] = (struct wrong_feature){"count", c->size[SW_COUNT], WRONG_COUNTS};
    f[1] = (struct wrong_feature){"longest_a", c->size[SW_LONGEST_A], WRONG_COUNTS};
    f[2] = (struct wrong_feature){"longest_b", c->size[SW_LONGEST_B], WRONG_COUNTS};
    return 3;
}

static void work(const struct problem_case *c, uint64_t *recipe, uint64_t *element) {
    *recipe = 50;
    *element = 100 + 4 * (uint64_t)(c->size[SW_LONGEST_A] * c->size[SW_LONGEST_B]);
}

/* ---- mistakes */

#define RECIPE struct sw

/* Differing letters cost nothing, or add what they should cost. */
static void change_mismatch(void *recipe, const int *sign) {
    struct sw *s = recipe;
    s->mismatch = *sign == 0 ? 0 : -s->mismatch;
}

static void change_outside(void *recipe, const int *number) {
    struct sw *s = recipe;
    s->outside[0] = *number % 2 == 0;
    s->outside[1] = *number > 0;
    s->corner_0 = *number > 2;
}

/* Number 1: the rows that fill up the last strip count as its rows. */
static void take_best_of_strips(void *recipe, const int *number) {
    struct sw *s = recipe;
    s->result = BEST_OF_STRIPS;
    s->strip_rows = number[0];
    s->padded[0] = number[1] != 0 ? number[0] : 0;
    s->padding = SW_KNOWN;
}

static const struct wrong_kind kinds[] = {
    MISTAKE(
        WRONG_SOMEWHERE, "unwritten", "nothing is written",
        "Is there a warp for each of these batches (does the grid round up, is a kernel launched?), and does it get to the store?",
        NO_NUMBERS, IS(unwritten, true)),
    MISTAKE(WRONG_SOMEWHERE, "constant", "every result is {0}", NULL, NUMBERS(RANGE(0, 1)), BY(constant, 0)),
    MISTAKE(WRONG_COMMON, "uncut", "cells go below 0",
            "An alignment may begin anywhere: where all three ways end below 0, the cell is 0.", NO_NUMBERS,
            IS(uncut, true)),
    MISTAKE(
        WRONG_COMMON, "result",
        "the score is {0:the last cell's|the best of the cells of the last letter of a|the best of the cells of the last letter of b|the best of all cells but those of the last letters}",
        "An alignment may end anywhere: the score is the greatest of all cells.",
        NUMBERS(RANGE(LAST_CELL, BEST_INSIDE)), BY(result, 0)),
    MISTAKE(
        WRONG_COMMON, "same",
        "{0:letters above 3 match themselves|of each letter only the lowest two bits count|letters above 3 match everything|everything matches|letters above 3 match each other}",
        "A letter of 4 or more is unknown: it matches nothing, not even itself.",
        NUMBERS(RANGE(UNKNOWN_TOO, UNKNOWN_EACH_OTHER)), BY(same, 0)),
    MISTAKE(WRONG_COMMON, "same-filled-up",
            "letters above 3 match each other, and those that fill up a strip of {0} letters of a",
            "An unknown letter matches nothing: give those of a and those of b values that differ.",
            NUMBERS(DOUBLING(2, 64)), IS(same, UNKNOWN_EACH_OTHER), ELEMENT(padded, 1, 0),
            IS(padding, SW_KNOWN)),
    MISTAKE(WRONG_COMMON, "best-of-strips",
            "only cells of the last row of each strip of {0} letters of a count as the best",
            "An alignment may end anywhere: take the best of every row, inside the loop over the rows.",
            NUMBERS(DOUBLING(2, 64), RANGE(0, 1)), CALL(take_best_of_strips, 0)),
    MISTAKE(WRONG_COMMON, "mismatch",
            "letters that differ {0:cost nothing|add mismatch instead of subtracting it}",
            "The cell above and to the left, minus mismatch.", NUMBERS(RANGE(0, 1)),
            CALL(change_mismatch, 0)),
    MISTAKE(
        WRONG_COMMON, "gap",
        "a gap {1:|that skips letters of a |that skips letters of b }of k letters costs {0:open + k * extend|k * open|k * extend|open, however long it is|nothing}",
        "Its first letter costs open and each further one extend: open + (k - 1) * extend.",
        NUMBERS(RANGE(OPEN_AND_ALL, NO_COST), RANGE(0, 2)), BY(gap, 0), BY(gap_of, 1)),
    MISTAKE(WRONG_COMMON, "gap-begins",
            "a gap that skips letters of {0:a begins at the cell to the left|b begins at the cell above}",
            "Letters of a are skipped from above to below, letters of b from left to right.",
            NUMBERS(RANGE(0, 1)), IF(a_left, 0, 0), IF(b_above, 0, 1)),
    MISTAKE(WRONG_COMMON, "without", "gaps that skip letters of {0:a|b|either} are left out", NULL,
            NUMBERS(RANGE(0, 2)), LOOK(without_a, 0, 1, 0, 1), LOOK(without_b, 0, 0, 1, 1)),
    MISTAKE(WRONG_COMMON, "diagonal",
            "a pair of letters continues the cell {0:above|to the left}, not the cell above and to the left",
            "Keep the cell above from before it is overwritten.", NUMBERS(RANGE(ABOVE, LEFT)),
            BY(diagonal, 0)),
    MISTAKE(
        WRONG_COMMON, "diagonal-strip",
        "within a strip of {0} letters of a a pair of letters continues the cell above, not the cell above and to the left",
        "Keep the cell above from before it is overwritten.", NUMBERS(DOUBLING(2, 64)),
        IS(diagonal, ABOVE_IN_STRIP), BY(strip_rows, 0)),
    MISTAKE(
        WRONG_COMMON, "outside",
        "the cells {0:above|left of|above and left of|left of|above and left of} the matrix are -open and not 0{0:|||, and those left of and above a strip of 16 letters 0|, and those left of and above a strip of 16 letters 0}",
        "A local alignment begins anywhere at no cost: outside the matrix everything is 0.",
        NUMBERS(RANGE(0, 4)), CALL(change_outside, 0)),
    MISTAKE(WRONG_COMMON, "letters-order", "letter i of pair p is read at 32 * at + p + i",
            "Letters lie in rows of 32, one for each pair: letters[32 * (at + i) + p].", NO_NUMBERS,
            IS(side_by_side, true)),
    MISTAKE(
        WRONG_COMMON, "filled-up",
        "{1:a|b} is filled up to a multiple of {0} letters, {2:with letter 0|and the cells there count, too}",
        "What lies beyond a sequence's end matches nothing.",
        NUMBERS(DOUBLING(2, 64), RANGE(0, 1), RANGE(0, 1)), ELEMENT(padded, 1, 0),
        LOOK(padding, 2, 0, SW_KNOWN)),
    MISTAKE(WRONG_COMMON, "scores-order", "the score of pair p of batch k is stored in scores[p * count + k]",
            "It is scores[32 * k + p].", NO_NUMBERS, IS(by_pairs, true)),
    MISTAKE(
        WRONG_PAIRED, "strip",
        "{1:the cells above count as 0|a gap that continues is lost|the cells above and to the left count as 0|the best of the strips before is lost|a gap begins at no cost|cells and gaps are kept in a signed byte|the cells to the left are not set to 0} where a strip of {0} letters of a ends",
        "A strip continues from the last row of the one before: from its cells, and from the gaps that run down through it.",
        NUMBERS(DOUBLING(2, 64), RANGE(STRIP_CELLS, STRIP_LEFT)), BY(strip_rows, 0), BY(strip, 1)),
    MISTAKE(WRONG_COMMON, "first-a", "the first {0} letters of a are left out", NULL, NUMBERS(RANGE(1, 4)),
            BY(first_a, 0)),
    MISTAKE(WRONG_COMMON, "first-b", "the first {0} letters of b are left out", NULL, NUMBERS(RANGE(1, 4)),
            BY(first_b, 0)),
    MISTAKE(WRONG_COMMON, "less-a", "the last {0} letters of a are left out",
            "Does the loop over a reach length_a - 1?", NUMBERS(RANGE(1, 4)), BY(less_a, 0)),
    MISTAKE(WRONG_COMMON, "less-b", "the last {0} letters of b are left out",
            "Does the loop over b reach length_b - 1?", NUMBERS(RANGE(1, 4)), BY(less_b, 0)),
    MISTAKE(WRONG_COMMON, "tail-a", "the last length_a % {0} letters of a are left out",
            "Lengths are any number from 1 on: the last strip may be incomplete.", NUMBERS(DOUBLING(2, 64)),
            BY(tail_a, 0)),
    MISTAKE(WRONG_COMMON, "tail-b", "the last length_b % {0} letters of b are left out",
            "Lengths are any number from 1 on: the letters left over after the unrolled part count, too.",
            NUMBERS(DOUBLING(2, 64)), BY(tail_b, 0)),
    MISTAKE(WRONG_COMMON, "most", "only the first {0} letters of {1:a|b} are used",
            "A sequence has up to 128 letters.", NUMBERS(DOUBLING(2, 64), RANGE(0, 1)), ELEMENT(most, 1, 0)),
    MISTAKE(WRONG_COMMON, "bits",
            "a score is {0:taken modulo 256|kept in a signed byte|cut at 255|cut at 127}",
            "A score is at most 128 times 100: 16 bits hold it, 8 do not.", NUMBERS(RANGE(BYTE, UP_TO_127)),
            BY(bits, 0)),
    MISTAKE(WRONG_COMMON, "shifted",
            "each pair gets the score of the pair {+0} from it, or its own where there is none",
            "Compare the index where a score is put with the one where letters are read.",
            NUMBERS(RANGE(-32, 32)), BY(shift, 0)),
    MISTAKE(WRONG_COMMON, "pair", "all pairs of a batch get the score of pair {0}",
            "Letter i of pair p is letters[32 * (at + i) + p].", NUMBERS(RANGE(0, 31)), IS(other_pair, true),
            BY(pair, 0)),
    MISTAKE(
        WRONG_COMMON, "batch", "all batches get the scores of batch {0}",
        "A warp's batch follows from its block and, where a block has several warps, from its place in it.",
        NUMBERS(RANGE(0, 3)), IS(other_batch, true), BY(batch, 0)),
};

const struct wrong_oracles wrong_smith_waterman = {
    .axis = {{"pair", "pairs", "p", "32"}, {"batch", "batches", "k", "count"}},
    .element = "score",
    .elements = "scores",
    .recipe_size = sizeof(struct sw),
    .kind_count = sizeof kinds / sizeof *kinds,
    .kinds = kinds,
    .count = count,
    .place = place,
    .features = features,
    .begin = begin,
    .work = work,
    .type = WRONG_WORDS,
    .expected = expected,
};

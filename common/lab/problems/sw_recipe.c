/* sw_recipe.c: the score that comes out of an alignment with mistakes in it. */
#include "lab/problems/sw_recipe.h"

#include <limits.h>
#include <string.h>

/* Not written; not known: there is no such batch. */
enum { UNWRITTEN = INT_MIN, UNKNOWN };

/* A pair, as far as the recipe looks at it. */
struct pair {
    const uint8_t *a, *b; /* of its letters every SW_PAIRS-th */
    int length_a, length_b;
};

/* The cells of the row above, by letters of b, and the best there with a gap in b. */
struct above {
    int h[SW_LONGEST], f[SW_LONGEST];
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
    }
    return known && a == b;
}

/* The best with a gap that ends here: of the cell before it and of the gap that ended there. */
static int gap(const struct sw *s, int cell, int before) {
    int open = (int)s->size[SW_OPEN], extend = (int)s->size[SW_EXTEND];
    switch (s->gap) {
    case OPENED: break;
    case OPEN_AND_ALL: open += extend; break;
    case OPEN_EACH: extend = open; break;
    case EXTEND_EACH: open = extend; break;
    case OPEN_ONCE: extend = 0; break;
    case EXCHANGED: return greater(cell - extend, before - open);
    case NO_COST: open = extend = 0; break;
    }
    return greater(cell - open, before - extend);
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
    }
}

/* A row of cells; the best of them, and the last one's value in *last. */
static int take_row(const struct sw *s, const struct pair *p, int i, struct above *above, int *last) {
    int left = 0, e = 0, best = INT_MIN, diagonal = 0;
    bool starts = s->strip == STRIP_DIAGONAL && i > 0 && i % s->strip_rows == 0;
    for (int j = 0; j < p->length_b; j++) {
        int before = s->diagonal == ABOVE ? above->h[j] : s->diagonal == LEFT ? left : diagonal;
        if (starts)
            before = 0;
        int cell = before + (is_same(s, p->a[SW_PAIRS * i], p->b[SW_PAIRS * j]) ? s->match : -s->mismatch);
        e = gap(s, left, e);
        above->f[j] = gap(s, above->h[j], above->f[j]);
        if (!s->without_b)
            cell = greater(cell, e);
        if (!s->without_a)
            cell = greater(cell, above->f[j]);
        if (!s->uncut)
            cell = greater(cell, 0);
        diagonal = above->h[j];
        above->h[j] = left = cell;
        if (s->result != BEST_INSIDE || (j + 1 < p->length_b && i + 1 < p->length_a))
            best = greater(best, cell);
    }
    *last = left;
    return best;
}

static int align(const struct sw *s, const struct pair *p) {
    struct above above = {0};
    int best = 0, best_of_column = 0, last = 0, row = 0;
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

static int result(const struct sw *s, uint64_t index) {
    int64_t all = s->size[SW_COUNT] * SW_PAIRS, at = (int64_t)index + s->shift;
    if (at < 0 || at >= all)
        at = (int64_t)index;
    if (s->unwritten)
        return UNWRITTEN;
    if (s->constant >= 0)
        return s->constant;
    if (s->other_pair)
        at = at / SW_PAIRS * SW_PAIRS + s->pair;
    if (s->other_batch)
        at = s->batch * (int64_t)SW_PAIRS + at % SW_PAIRS;
    if (at >= all)
        return UNKNOWN;
    const struct sw_batch *batch = &s->batches[at / SW_PAIRS];
    struct pair p = {.length_a = letters_of(batch->length_a, s->first_a, s->less_a, s->tail_a, s->most_a),
                     .length_b = letters_of(batch->length_b, s->first_b, s->less_b, s->tail_b, s->most_b)};
    p.a = s->letters + (int64_t)SW_PAIRS * (batch->at_a + s->first_a) + at % SW_PAIRS;
    p.b = s->letters + (int64_t)SW_PAIRS * (batch->at_b + s->first_b) + at % SW_PAIRS;
    return in_bits(s->bits, align(s, &p));
}

void sw_recipe_begin(const struct wrong_tried *tried, void *recipe) {
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

bool sw_recipe_untouched(const void *recipe, uint64_t index) {
    const struct sw *s = recipe;
    uint32_t poison;
    memset(&poison, s->tried->poison, sizeof poison);
    return s->got[index] == poison;
}

bool sw_recipe_gives(const void *recipe, uint64_t index) {
    const struct sw *s = recipe;
    int value = result(s, index);
    return value == UNWRITTEN ? sw_recipe_untouched(recipe, index)
                              : value != UNKNOWN && s->got[index] == (uint32_t)value;
}

bool sw_recipe_values(const void *recipe, uint64_t index, double *got, double *right) {
    const struct sw *s = recipe;
    int value = result(s, index);
    *got = (int32_t)s->got[index];
    *right = value;
    return value != UNKNOWN && value != UNWRITTEN && !sw_recipe_untouched(recipe, index);
}

/* Wrong alignments as students write them, and the cause that is told: never another one. */
#include "lab/problems/smith_waterman.h"
#include "support_wrong.h"
#include <string.h>

#define MISTAKES(X)                                                                                          \
    X(GLOBAL, "no cut at 0", "uncut", "cells go below 0")                                                    \
    X(LAST_CELL, "the last cell", "result", "the score is the last cell's")                                  \
    X(LAST_ROW, "the last row", "result", "the best of the cells of the last letter of a")                   \
    X(UNKNOWN_MATCH, "N matches N", "same", "letters above 3 match themselves")                              \
    X(UNKNOWN_ALIKE, "-1 for both", "same", "letters above 3 match each other.")                             \
    X(UNKNOWN_ROWS, "-1 for both and for rows beyond", "same-filled-up", "fill up a strip of 16 letters")    \
    X(BEST_BELOW, "best behind the rows", "best-of-strips", "of the last row of each strip of 16 letters")   \
    X(BEST_BELOW_REST, "best of the rest's last row", "best-of-strips", "the last row of each strip of 16")  \
    X(TWO_BITS, "two bits", "same", "only the lowest two bits count")                                        \
    X(OPEN_AND_EXTEND, "open + extend", "gap", "open + k * extend")                                          \
    X(LINEAR_GAPS, "linear gaps", "gap", "k * open")                                                         \
    X(NO_GAPS_IN_A, "one kind of gap", "without", "gaps that skip letters of b are left out")                \
    X(NO_MISMATCH, "no mismatch", "mismatch", "letters that differ cost nothing")                            \
    X(WRONG_DIAGONAL, "diagonal overwritten", "diagonal", "continues the cell above")                        \
    X(EDGE_LOST, "strip begins anew", "strip",                                                               \
      "the cells above count as 0 where a strip of 16 letters of a ends")                                    \
    X(GAP_LOST, "gap ends with the strip", "strip", "a gap that continues is lost where a strip of 8")       \
    X(LAST_STRIP_ONLY, "best set back", "strip", "the best of the strips before is lost")                    \
    X(ABOVE_OPEN, "edge of -open", "outside", "the cells above the matrix are -open and not 0")              \
    X(BYTE_EDGES, "edges in bytes", "strip", "cells and gaps are kept in a signed byte where a strip of 16") \
    X(LEFT_KEPT, "h and e kept", "strip", "the cells to the left are not set to 0 where a strip of 16")      \
    X(STRIP_DIAGONAL_UP, "diagonal = up", "diagonal-strip", "within a strip of 16 letters of a")             \
    X(GAP_FROM_LEFT, "f from h[r]", "gap-begins", "a begins at the cell to the left")                        \
    X(EXTEND_IN_A, "f opens with extend", "gap",                                                             \
      "a gap that skips letters of a of k letters costs k * extend")                                         \
    X(BYTE_ORDER, "letters[i]", "letters-order", "32 * at + p + i")                                          \
    X(ROWS_OF_0, "rows beyond are letter 0", "filled-up",                                                    \
      "a is filled up to a multiple of 16 letters, with letter 0")                                           \
    X(BY_PAIRS, "p * count + k", "scores-order", "scores[p * count + k]")                                    \
    X(ONE_SHORT, "b one short", "less-b", "the last 1 letters of b are left out")                            \
    X(TAIL_OF_A, "no part of a strip", "tail-a", "the last length_a % 16 letters of a")                      \
    X(TAIL_OF_B, "no rest of four", "tail-b", "the last length_b % 4 letters of b")                          \
    X(BYTES, "bytes", "bits", "modulo 256")                                                                  \
    X(SIGNED_BYTES, "signed bytes", "bits", "a signed byte")                                                 \
    X(NEIGHBOUR, "pair + 1", "shifted", "the score of the pair +1 from it")                                  \
    X(LANE_0, "lane 0", "pair", "the score of pair 0")                                                       \
    X(BATCH_0, "batch 0", "batch", "the scores of batch 0")                                                  \
    X(LAST_BATCH_UNWRITTEN, "grid rounded down", "unwritten, tail",                                          \
      "nothing is written in batches with k >= count - count % 4")                                           \
    X(NOTHING, "nothing", "unwritten", "nothing is written")                                                 \
    X(NOISE, "noise", NULL, "")

enum { RIGHT, MISTAKES(WRONG_NAME) KINDS };
static const struct wrong_row rows[KINDS] = {MISTAKES(WRONG_ROW)};

static int greater(int x, int y) {
    return x > y ? x : y;
}

/* Letters and how many there are. */
struct side {
    const uint8_t *letters;
    int length;
};

static bool same(unsigned which, uint8_t x, uint8_t y) {
    if (which == UNKNOWN_ALIKE || which == UNKNOWN_ROWS)
        return (x < 4 ? x : 4) == (y < 4 ? y : 4);
    return which == UNKNOWN_MATCH ? x == y : which == TWO_BITS ? (x & 3) == (y & 3) : x == y && x < 4;
}

/* Strip by strip, as a kernel does it: h and e by rows of the strip, the edge by columns. */
static int score(unsigned which, const int64_t *size, struct side a, struct side b) {
    enum { MOST = 16 };
    int open = (int)size[SW_OPEN], extend = (int)size[SW_EXTEND], best = 0, last = 0, last_row = 0;
    int edge_h[SW_LONGEST] = {0}, edge_f[SW_LONGEST] = {0}, rows_of_strip = which == GAP_LOST ? 8 : MOST,
        step = which == BYTE_ORDER ? 1 : SW_PAIRS;
    int first_cost = open + (which == OPEN_AND_EXTEND ? extend : 0),
        next_cost = which == LINEAR_GAPS ? open : extend;
    int mismatch = which == NO_MISMATCH ? 0 : (int)size[SW_MISMATCH];
    for (int j = 0; j < b.length && which == ABOVE_OPEN; j++)
        edge_h[j] = -open;
    int h[MOST] = {0}, e[MOST] = {0},
        padded = which == ROWS_OF_0 || which == UNKNOWN_ROWS || which == BEST_BELOW
                     ? (a.length + 15) / 16 * 16
                     : a.length;
    for (int first = 0; first < padded; first += rows_of_strip) {
        int corner = 0;
        for (int r = 0; r < MOST && which != LEFT_KEPT; r++)
            h[r] = e[r] = 0;
        int some = padded - first < rows_of_strip ? padded - first : rows_of_strip;
        if (which == LAST_STRIP_ONLY)
            best = 0;
        for (int j = 0; j < b.length; j++) {
            int up = which == EDGE_LOST ? 0 : edge_h[j],
                f = which == EDGE_LOST || which == GAP_LOST ? 0 : edge_f[j];
            int diagonal = corner;
            corner = up;
            for (int r = 0; r < some; r++) {
                uint8_t x = first + r < a.length ? a.letters[step * (first + r)]
                            : which == ROWS_OF_0 ? 0
                                                 : 4,
                        y = b.letters[step * j];
                bool up_again = which == WRONG_DIAGONAL || (which == STRIP_DIAGONAL_UP && r > 0);
                int cell = (up_again ? up : diagonal) + (same(which, x, y) ? (int)size[SW_MATCH] : -mismatch);
                f = greater((which == GAP_FROM_LEFT ? h[r] : up) -
                                (which == EXTEND_IN_A ? extend : first_cost),
                            f - next_cost);
                e[r] = greater(h[r] - first_cost, e[r] - next_cost);
                cell = greater(cell, which == NO_GAPS_IN_A ? f : greater(e[r], f));
                cell = which == GLOBAL ? cell : greater(cell, 0);
                diagonal = h[r];
                h[r] = up = last = cell;
                if (r + 1 == some || (which != BEST_BELOW && which != BEST_BELOW_REST))
                    best = greater(best, cell);
                if (first + r + 1 == a.length)
                    last_row = greater(last_row, cell);
            }
            edge_h[j] = which == BYTE_EDGES ? (int8_t)up : up;
            edge_f[j] = which == BYTE_EDGES ? (int8_t)f : f;
        }
    }
    return which == LAST_CELL ? last : which == LAST_ROW ? last_row : best;
}

static int result(unsigned which, const struct problem_case *c, const void *const inputs[], int64_t index) {
    int64_t all = c->size[SW_COUNT] * SW_PAIRS;
    if (which == NEIGHBOUR && index + 1 < all)
        index++;
    if (which == BY_PAIRS)
        index = index % c->size[SW_COUNT] * SW_PAIRS + index / c->size[SW_COUNT];
    if (which == LANE_0)
        index -= index % SW_PAIRS;
    if (which == BATCH_0)
        index %= SW_PAIRS;
    const struct sw_batch *batch = (const struct sw_batch *)inputs[SW_BATCHES] + index / SW_PAIRS;
    const uint8_t *letters = (const uint8_t *)inputs[SW_LETTERS] + index % SW_PAIRS;
    struct side a = {letters + (ptrdiff_t)SW_PAIRS * batch->at_a, batch->length_a},
                b = {letters + (ptrdiff_t)SW_PAIRS * batch->at_b, batch->length_b};
    a.length -= which == TAIL_OF_A ? a.length % 16 : 0;
    b.length -= which == TAIL_OF_B ? b.length % 4 : which == ONE_SHORT;
    int value = score(which, c->size, a, b);
    return which == BYTES ? value & 255 : which == SIGNED_BYTES ? (int8_t)value : value;
}

static void function(unsigned which, const struct problem_case *c, const void *const inputs[], void *output) {
    uint32_t *scores = output;
    int64_t count = c->size[SW_COUNT];
    if (which == LAST_BATCH_UNWRITTEN)
        count = count / 4 * 4;
    for (int64_t i = 0; i < count * SW_PAIRS && which != NOTHING; i++) {
        scores[i] = (uint32_t)result(which, c, inputs, i);
        if (which == NOISE && wrong_scatter((uint32_t)(i + 77 * count)) % 50 == 0)
            scores[i] += 1 + wrong_scatter((uint32_t)i) % 9;
    }
}

int main(void) {
    return wrong_suite(&problem_smith_waterman, function, rows, KINDS);
}

/* wrong_smith_waterman.c: what can be wrong with an alignment: the kinds of mistake. What comes out: sw_recipe.c. */
#include "lab/problems/sw_recipe.h"

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

enum kind {
    NOTHING,
    CONSTANT,
    UNCUT,
    RESULT,
    SAME,
    MISMATCH_IS,
    GAP,
    WITHOUT,
    DIAGONAL_IS,
    STRIP,
    FIRST_A,
    FIRST_B,
    LESS_A,
    LESS_B,
    TAIL_A,
    TAIL_B,
    MOST,
    BITS,
    SHIFT,
    PAIR,
    BATCH,
    KINDS
};

#define SMALL                                                                                                \
    { 1, 4, 1 }
#define DOUBLED                                                                                              \
    { 2, 64, 0 }

static const struct wrong_kind kinds[KINDS] = {
    [NOTHING] =
        {"unwritten",
         "nothing is written",
         "Is there a warp for each of these batches (does the grid round up, is a kernel launched?), and does it get to the store?",
         {{0}},
         WRONG_SOMEWHERE},
    [CONSTANT] = {"constant", "every result is {0}", NULL, {{0, 1, 1}}, WRONG_SOMEWHERE},
    [UNCUT] = {"uncut",
               "cells go below 0",
               "An alignment may begin anywhere: where all three ways end below 0, the cell is 0.",
               {{0}},
               WRONG_COMMON},
    [RESULT] =
        {"result",
         "the score is {0:the last cell's|the best of the cells of the last letter of a|the best of the cells of the last letter of b|the best of all cells but those of the last letters}",
         "An alignment may end anywhere: the score is the greatest of all cells.",
         {{LAST_CELL, BEST_INSIDE, 1}},
         WRONG_COMMON},
    [SAME] =
        {"same",
         "{0:letters above 3 match themselves|of each letter only the lowest two bits count|letters above 3 match everything|everything matches}",
         "A letter of 4 or more is unknown: it matches nothing, not even itself.",
         {{UNKNOWN_TOO, ALWAYS_SAME, 1}},
         WRONG_COMMON},
    [MISMATCH_IS] = {"mismatch",
                     "letters that differ {0:cost nothing|count mismatch, and are not charged with it}",
                     "The cell before, less mismatch.",
                     {{0, 1, 1}},
                     WRONG_COMMON},
    [GAP] =
        {"gap",
         "a gap of k letters costs {0:open + k * extend|k * open|k * extend|open, however long it is|extend + (k - 1) * open|nothing}",
         "Its first letter costs open and each further one extend: open + (k - 1) * extend.",
         {{OPEN_AND_ALL, NO_COST, 1}},
         WRONG_COMMON},
    [WITHOUT] =
        {"without", "gaps that skip letters of {0:a|b|either} are left out", NULL, {{0, 2, 1}}, WRONG_COMMON},
    [DIAGONAL_IS] =
        {"diagonal",
         "letters are aligned behind the cell {0:above|to the left}, and not behind the one above and to the left",
         "Keep the cell above from before it is overwritten.",
         {{ABOVE, LEFT, 1}},
         WRONG_COMMON},
    [STRIP] =
        {"strip",
         "where a strip of {0} letters of a ends, {1:the cells above count as 0|a gap that runs on is forgotten|the cells above and to the left count as 0|the best of the strips before is forgotten|a gap begins for nothing}",
         "A strip goes on from the last row of the one before: its cells, and the gaps that run down through it.",
         {DOUBLED, {STRIP_CELLS, STRIP_GAP_RESTARTS, 1}},
         WRONG_PAIRED},
    [FIRST_A] = {"first-a", "the first {0} letters of a are left out", NULL, {SMALL}, WRONG_COMMON},
    [FIRST_B] = {"first-b", "the first {0} letters of b are left out", NULL, {SMALL}, WRONG_COMMON},
    [LESS_A] = {"less-a",
                "the last {0} letters of a are left out",
                "Does the loop over a reach length_a - 1?",
                {SMALL},
                WRONG_COMMON},
    [LESS_B] = {"less-b",
                "the last {0} letters of b are left out",
                "Does the loop over b reach length_b - 1?",
                {SMALL},
                WRONG_COMMON},
    [TAIL_A] = {"tail-a",
                "the last length_a % {0} letters of a are left out",
                "Lengths are any number from 1 on: the last strip may be a part of one.",
                {DOUBLED},
                WRONG_COMMON},
    [TAIL_B] = {"tail-b",
                "the last length_b % {0} letters of b are left out",
                "Lengths are any number from 1 on: what is left behind the unrolled part counts, too.",
                {DOUBLED},
                WRONG_COMMON},
    [MOST] = {"most",
              "of {1:a|b} only the first {0} letters are looked at",
              "A sequence has up to 128 letters.",
              {DOUBLED, {0, 1, 1}},
              WRONG_COMMON},
    [BITS] = {"bits",
              "a score is {0:taken modulo 256|kept in a signed byte|cut at 255|cut at 127}",
              "A score is at most 128 times 100: 16 bits hold it, 8 do not.",
              {{BYTE, UP_TO_127, 1}},
              WRONG_COMMON},
    [SHIFT] = {"shifted",
               "each score is that of the pair {+0} from it, and where there is none its own",
               "Compare the index where a score is put with the one where letters are read.",
               {{-32, 32, 1}},
               WRONG_COMMON},
    [PAIR] = {"pair",
              "all pairs of a batch get the score of pair {0}",
              "Letter i of pair p is letters[32 * (at + i) + p].",
              {{0, 31, 1}},
              WRONG_COMMON},
    [BATCH] =
        {"batch",
         "all batches get the scores of batch {0}",
         "A warp's batch follows from its block and, where a block has several warps, from its place in it.",
         {{0, 3, 1}},
         WRONG_COMMON},
};

static void mistake(unsigned kind, const int *n, void *recipe) {
    struct sw *s = recipe;
    switch ((enum kind)kind) {
    case NOTHING: s->unwritten = true; break;
    case CONSTANT: s->constant = n[0]; break;
    case UNCUT: s->uncut = true; break;
    case RESULT: s->result = (enum sw_result)n[0]; break;
    case SAME: s->same = (enum sw_same)n[0]; break;
    case MISMATCH_IS: s->mismatch = n[0] == 0 ? 0 : -s->mismatch; break;
    case GAP: s->gap = (enum sw_gap)n[0]; break;
    case WITHOUT:
        s->without_a = s->without_a || n[0] != 1;
        s->without_b = s->without_b || n[0] != 0;
        break;
    case DIAGONAL_IS: s->diagonal = (enum sw_diagonal)n[0]; break;
    case STRIP: s->strip_rows = n[0], s->strip = (enum sw_strip)n[1]; break;
    case FIRST_A: s->first_a = n[0]; break;
    case FIRST_B: s->first_b = n[0]; break;
    case LESS_A: s->less_a = n[0]; break;
    case LESS_B: s->less_b = n[0]; break;
    case TAIL_A: s->tail_a = n[0]; break;
    case TAIL_B: s->tail_b = n[0]; break;
    case MOST: *(n[1] == 0 ? &s->most_a : &s->most_b) = n[0]; break;
    case BITS: s->bits = (enum sw_bits)n[0]; break;
    case SHIFT: s->shift = n[0]; break;
    case PAIR: s->other_pair = true, s->pair = n[0]; break;
    case BATCH: s->other_batch = true, s->batch = n[0]; break;
    case KINDS: break;
    }
}

const struct wrong_oracles wrong_smith_waterman = {
    .axis = {{"pair", "pairs", "p", "32"}, {"batch", "batches", "k", "count"}},
    .element = "score",
    .elements = "scores",
    .recipe_size = sizeof(struct sw),
    .kind_count = KINDS,
    .kinds = kinds,
    .count = count,
    .place = place,
    .features = features,
    .begin = sw_recipe_begin,
    .mistake = mistake,
    .work = work,
    .gives = sw_recipe_gives,
    .values = sw_recipe_values,
    .untouched = sw_recipe_untouched,
};

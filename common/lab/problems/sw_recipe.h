/* sw_recipe.h: an alignment with mistakes in it, as choices. wrong_smith_waterman.c has the kinds of mistake. */
#ifndef PROBLEMS_SW_RECIPE_H
#define PROBLEMS_SW_RECIPE_H

#include "lab/problems/diagnosis/wrong_oracle.h"
#include "lab/problems/smith_waterman.h"

/* Which cell's value the score is. BEST_INSIDE: the last row and column do not count. */
enum sw_result { BEST, LAST_CELL, BEST_OF_LAST_ROW, BEST_OF_LAST_COLUMN, BEST_INSIDE };

/* Which letters are the same. */
enum sw_same { KNOWN_ONLY, UNKNOWN_TOO, LOW_BITS, UNKNOWN_ANY, ALWAYS_SAME };

/* What a gap of k letters costs. */
enum sw_gap { OPENED, OPEN_AND_ALL, OPEN_EACH, EXTEND_EACH, OPEN_ONCE, EXCHANGED, NO_COST };

/* What is lost where a strip of rows ends and the next begins. STRIP_BEST: the best of the strips before. */
enum sw_strip { NO_STRIP, STRIP_CELLS, STRIP_GAP, STRIP_DIAGONAL, STRIP_BEST, STRIP_GAP_RESTARTS };

enum sw_diagonal { DIAGONAL, ABOVE, LEFT };

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
    bool without_a, without_b; /* no gaps that skip letters of a, of b */
    enum sw_strip strip;
    int strip_rows;
    enum sw_diagonal diagonal;
    int first_a, first_b, less_a, less_b; /* letters left out at the beginning, at the end */
    int tail_a, tail_b;                   /* the last length % this are left out; 0: none */
    int most_a, most_b;                   /* no more than so many letters; 0: all */
    int shift;                            /* pair i gets the score of pair i + shift, if there is one */
    bool other_batch, other_pair;         /* of batch `batch`, of pair `pair` of the same batch */
    int batch, pair;
    enum sw_bits bits;
    bool unwritten;
    int constant; /* -1: none */
};

/* What wrong_smith_waterman needs of it. */
void sw_recipe_begin(const struct wrong_tried *tried, void *recipe);
bool sw_recipe_gives(const void *recipe, uint64_t index);
bool sw_recipe_values(const void *recipe, uint64_t index, double *got, double *right);
bool sw_recipe_untouched(const void *recipe, uint64_t index);

#endif

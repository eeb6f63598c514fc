/* smith_waterman.h: lab 9: the best local alignment of many small pairs of sequences, gaps with an opening cost. */
#ifndef PROBLEMS_SMITH_WATERMAN_H
#define PROBLEMS_SMITH_WATERMAN_H

#include "lab/problems/problem.h"

enum sw_buffer { SW_LETTERS, SW_BATCHES, SW_SCORES, SW_BUFFERS };

/* What stands in a case's size[]: batches, how long a sequence of either side is at least and at most, the scores, the seed
 * under which lengths are drawn (they are the case's: every call of it has them), how many
 * rows of letters there are. */
enum sw_size {
    SW_COUNT,
    SW_SHORTEST_A,
    SW_LONGEST_A,
    SW_SHORTEST_B,
    SW_LONGEST_B,
    SW_MATCH,
    SW_MISMATCH,
    SW_OPEN,
    SW_EXTEND,
    SW_LENGTHS,
    SW_ROWS,
    SW_SIZES
};
PROBLEM_FITS(SW_BUFFERS, SW_SIZES);

/* A batch is SW_PAIRS pairs of sequences of one length each; letters lie in rows of one for each of them. Letters from
 * SW_KNOWN on match nothing. As labs/lab9-instruction-cache/lab9.h says. */
enum { SW_PAIRS = 32, SW_KNOWN = 4, SW_LONGEST = 128, SW_MOST_SCORE = 100 };

struct sw_batch {
    int32_t length_a, length_b;
    int32_t at_a, at_b; /* the rows in which they begin */
};

extern const struct problem problem_smith_waterman;

/* The oracle: the score of every pair, batch by batch. */
void sw_oracle(const int64_t size[], const uint8_t *letters, const struct sw_batch *batches,
               uint32_t *scores);

#endif

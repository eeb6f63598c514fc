/* Lab 9: the function to write: the scores of many small alignments of two sequences (Smith and Waterman, gaps with an
 * opening cost). */
#ifndef LAB9_H
#define LAB9_H

#include <cuda_runtime.h>
#include <stdint.h>

/* A batch is 32 pairs, one for each lane of a warp. Its sequences are of one length: a shorter one ends in unknown
 * letters. Letters are 0 to 3; any other is unknown, and matches nothing, not even itself. Letters lie in rows of 32, one
 * for each pair: letter i of the first sequence of pair p is letters[32 * (at_a + i) + p]. */
#define SW_PAIRS 32
#define SW_KNOWN 4     /* letters from here on are unknown */
#define SW_LONGEST 128 /* letters of any sequence */

struct sw_batch {
    int length_a, length_b; /* 1 to longest_a, 1 to longest_b */
    int at_a, at_b;         /* the rows of letters in which they begin */
};

struct sw_scoring {
    int match;    /* 1 to 100: for two letters that match */
    int mismatch; /* 0 to 100: off, for two that do not */
    int open,
        extend; /* 0 <= extend <= open <= 100: off, for the first letter of a gap and for each further one */
};

#ifdef __cplusplus
extern "C" {
#endif

/* For each pair the score of its best local alignment: of all ways to write a piece of one sequence below a piece of the
 * other, with gaps, the greatest sum. With same(i, j) = match if letter i of a matches letter j of b, else -mismatch, and
 * everything 0 where i or j is below 0:
 *
 *   f(i, j) = the greater of h(i - 1, j) - open and f(i - 1, j) - extend      a gap that skips letters of a
 *   e(i, j) = the greater of h(i, j - 1) - open and e(i, j - 1) - extend      a gap that skips letters of b
 *   h(i, j) = the greatest of 0, h(i - 1, j - 1) + same(i, j), e(i, j), f(i, j)
 *   score   = the greatest h of all
 *
 *   letters    device memory, rows of 32 bytes; read only; starts at a multiple of 256 as from cudaMalloc
 *   batches    device memory, count of them; read only
 *   count      batches, 1 or more
 *   longest_a, longest_b   no sequence of these batches is longer; 1 to SW_LONGEST
 *   scores     device memory, 32 * count: of pair p of batch k, scores[32 * k + p]; every one is written
 *   stream     where the kernel is launched; the call does not wait for it */
void smith_waterman(const uint8_t *letters, const struct sw_batch *batches, int count, int longest_a,
                    int longest_b, struct sw_scoring scoring, uint32_t *scores, cudaStream_t stream);

#ifdef __cplusplus
}
#endif

#endif

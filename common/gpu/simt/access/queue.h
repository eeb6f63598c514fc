/*
 * queue.h: atomics meet at their words in L2, one after the other. A pass serves one word of each place of a sector; lanes
 * of a warp that want the same word take a pass each. Counted by line, and by slice of L2, each of which makes one pass
 * after the other: what is under way at one time, some ten thousand passes, ends when its busiest slice is done. Private
 * to simt/.
 */
#ifndef SIMT_QUEUE_H
#define SIMT_QUEUE_H

#include <stdint.h>

struct queue;

/* So many slices. NULL: out of memory; free() it. */
struct queue *simt_queue_create(uint32_t slices);
/* Add an atomic request as it stands in an L1's log (cache.h). */
void simt_queue_add(struct queue *queue, uint64_t logged);
/* The same of a store. */
void simt_queue_add_store(struct queue *queue, uint64_t logged);
/* All SMs have sent something. */
void simt_queue_turn(struct queue *queue);
/* Passes at the busiest line, or as long as floats hold their words there. */
uint64_t simt_queue_longest(const struct queue *queue);
/* Stores at the line that has most of them. */
uint64_t simt_queue_longest_of_stores(const struct queue *queue);
/* Passes of the busiest slices, one after the other. */
uint64_t simt_queue_busiest_slices(const struct queue *queue);

#endif

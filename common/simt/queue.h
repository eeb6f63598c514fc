/*
 * queue.h: atomics meet at their words in L2, one after the other. A pass serves one word of each place of a sector; lanes
 * of a warp that want the same word take a pass each. Counted by line and by kilobyte, since neighbouring lines are one L2
 * slice's, and of all those the one that most passes went to is remembered. Private to simt/.
 */
#ifndef SIMT_QUEUE_H
#define SIMT_QUEUE_H

#include <stdbool.h>
#include <stdint.h>

struct queue;

/* Add an atomic request as it stands in an L1's log (cache.h). *queue is made on the first call; free() it. False: out
 * of memory. */
bool queue_add(struct queue **queue, uint64_t logged);
/* Passes at the busiest line; 0 without a queue. */
uint64_t queue_longest(const struct queue *queue);
/* The same of eight lines in a row. */
uint64_t queue_busiest_kilobyte(const struct queue *queue);

#endif

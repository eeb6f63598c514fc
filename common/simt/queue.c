/* queue.c: the lines that atomics go to. A table of a fixed size: of a full set the line with the fewest passes goes, so
 * that the busiest stay however many lines there are. */
#include "simt/queue.h"

#include "simt/cache.h"

#include <stdlib.h>

enum { SETS = 1024, WAYS = 4 };

struct queue {
    uint64_t longest; /* in half passes */
    struct queue_line {
        uint64_t line, halves;
    } ways[SETS][WAYS];
};

/* An addition of floats holds its word for two and a half passes; those of other words go on meanwhile. */
static uint64_t half_passes(uint64_t logged) {
    uint64_t passes = cache_atomic_passes(logged);
    uint64_t sectors = (uint64_t)__builtin_popcountll(logged & 15);
    uint64_t at_a_word = (passes + sectors - 1) / sectors;
    if (!cache_is_float_atomic(logged))
        return 2 * passes;
    return 5 * at_a_word > 2 * passes ? 5 * at_a_word : 2 * passes;
}

bool queue_add(struct queue **made, uint64_t logged) {
    if (*made == NULL && (*made = calloc(1, sizeof **made)) == NULL)
        return false;
    struct queue *queue = *made;
    uint64_t line = cache_logged_line(logged);
    uint64_t mixed = (line * UINT64_C(0x9E3779B97F4A7C15)) >> 32;
    struct queue_line *ways = queue->ways[mixed % SETS], *way = &ways[0];
    for (int i = 0; i < WAYS && (way->line != line || !way->halves); i++)
        if (ways[i].halves < way->halves || (ways[i].halves && ways[i].line == line))
            way = &ways[i];
    if (way->line != line || !way->halves)
        *way = (struct queue_line){.line = line};
    way->halves += half_passes(logged);
    if (way->halves > queue->longest)
        queue->longest = way->halves;
    return true;
}

uint64_t queue_longest(const struct queue *queue) {
    return queue != NULL ? queue->longest / 2 : 0;
}

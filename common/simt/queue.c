/* queue.c: the places that atomics go to. Tables of a fixed size: of a full set the place with the fewest passes goes, so
 * that the busiest stay however many there are. */
#include "simt/queue.h"

#include "simt/cache.h"

#include <stdlib.h>

enum { SETS = 1024, WAYS = 4, LINE_TO_KILOBYTE = 3 };

struct table {
    uint64_t most; /* in half passes */
    struct place {
        uint64_t index, halves;
    } ways[SETS][WAYS];
};

struct queue {
    struct table lines, kilobytes;
};

/* An addition of floats holds its word for two and a half passes; those of other words go on meanwhile. */
static uint64_t half_passes(uint64_t logged) {
    uint64_t passes = cache_atomic_passes(logged);
    uint64_t sectors = (uint64_t)__builtin_popcountll(logged & 15);
    uint64_t at_a_word = (passes + sectors - 1) / sectors;
    if (!cache_is_float_atomic(logged))
        return 2 * passes;
    uint64_t holds = at_a_word > 1 ? 5 * at_a_word : 3; /* alone: validation's reduce_warps */
    return holds > 2 * passes ? holds : 2 * passes;
}

static void add(struct table *table, uint64_t index, uint64_t halves) {
    uint64_t mixed = (index * UINT64_C(0x9E3779B97F4A7C15)) >> 32;
    struct place *ways = table->ways[mixed % SETS], *way = &ways[0];
    for (int i = 0; i < WAYS && (way->index != index || !way->halves); i++)
        if (ways[i].halves < way->halves || (ways[i].halves && ways[i].index == index))
            way = &ways[i];
    if (way->index != index || !way->halves)
        *way = (struct place){.index = index};
    way->halves += halves;
    if (way->halves > table->most)
        table->most = way->halves;
}

bool queue_add(struct queue **made, uint64_t logged) {
    if (*made == NULL && (*made = calloc(1, sizeof **made)) == NULL)
        return false;
    uint64_t line = cache_logged_line(logged);
    add(&(*made)->lines, line, half_passes(logged));
    add(&(*made)->kilobytes, line >> LINE_TO_KILOBYTE, 2 * (uint64_t)cache_atomic_passes(logged));
    return true;
}

uint64_t queue_longest(const struct queue *queue) {
    return queue != NULL ? queue->lines.most / 2 : 0;
}

uint64_t queue_busiest_kilobyte(const struct queue *queue) {
    return queue != NULL ? queue->kilobytes.most / 2 : 0;
}

/* queue.c: counts at which lines, words and slices atomics queue. Lines are kept in a table of
 * fixed size. A full set replaces the line with the fewest passes, so the busiest lines stay. All
 * slices are kept, for the length of a window. */
#include "gpu/simt/access/access.h"

#include "gpu/simt/memory/cache.h"

#include <stdlib.h>
#include <string.h>

enum { SETS = 1024, WAYS = 4, STORES = 1024 };

/* Four lines, 512 bytes, belong to one slice: measured on an H200 by two kernels whose atomics fill
 * 4 KB, evenly and not (gpu/time/README.md). The hash that selects the slice is not published. Here
 * sixteen adjacent stretches of 512 bytes have different slices; others are hashed. */
enum { LINES_TO_STRETCH = 2, NEIGHBOURS = 16, MOST_SLICES = 256, WINDOW = 1 << 15 };

struct place {
    uint64_t index, sum;
};

struct table {
    uint64_t most;
    struct place ways[SETS][WAYS];
};

struct queue {
    struct table lines;          /* passes of atomics */
    struct table words;          /* half passes for which additions of floats hold a word, by sector */
    struct table swaps;          /* compare-and-swaps that changed a word, by word */
    struct place stores[STORES]; /* the line with most stores among those that share a place */
    uint32_t slice_count, slices[MOST_SLICES]; /* passes, in this window */
    uint64_t window, busiest; /* passes of this window; passes of the busiest slices of earlier windows */
};

static void add(struct table *table, uint64_t index, uint64_t amount) {
    uint64_t mixed = (index * UINT64_C(0x9E3779B97F4A7C15)) >> 32;
    struct place *ways = table->ways[mixed % SETS], *way = &ways[0];
    for (int i = 0; i < WAYS && (way->index != index || !way->sum); i++)
        if (ways[i].sum < way->sum || (ways[i].sum && ways[i].index == index))
            way = &ways[i];
    if (way->index != index || !way->sum)
        *way = (struct place){.index = index};
    way->sum += amount;
    if (way->sum > table->most)
        table->most = way->sum;
}

static uint64_t mixed(uint64_t x) {
    x *= UINT64_C(0x9E3779B97F4A7C15);
    return x ^ x >> 29;
}

static uint32_t slice_of(const struct queue *queue, uint64_t line) {
    uint64_t stretch = line >> LINES_TO_STRETCH, hash = mixed(stretch / NEIGHBOURS) >> 8;
    uint32_t columns = queue->slice_count < NEIGHBOURS ? queue->slice_count : NEIGHBOURS;
    uint32_t rows = queue->slice_count / columns;
    return (uint32_t)((stretch + hash) % columns * rows + (hash >> 16) % rows);
}

struct queue *simt_queue_create(uint32_t slices) {
    struct queue *queue = calloc(1, sizeof *queue);
    if (queue != NULL)
        queue->slice_count = slices < 1 ? 1 : slices > MOST_SLICES ? MOST_SLICES : slices;
    return queue;
}

/* An addition of floats holds its word, but not the line, for 2.5 passes. Unit: half passes. */
static void hold_words(struct queue *queue, uint64_t logged, uint64_t passes) {
    uint64_t line = cache_logged_line(logged), sectors = (uint64_t)__builtin_popcountll(logged & 15);
    uint64_t first = (uint64_t)__builtin_ctzll(logged & 15), at_a_word = (passes + sectors - 1) / sectors;
    add(&queue->words, 4 * line + first, 5 * at_a_word);
}

void simt_queue_add(struct queue *queue, uint64_t logged) {
    uint64_t line = cache_logged_line(logged);
    uint32_t passes = cache_atomic_passes(logged);
    add(&queue->lines, line, passes);
    if (cache_is_float_atomic(logged))
        hold_words(queue, logged, passes);
    if (cache_swapped_word(logged) > 0)
        add(&queue->swaps, 32 * line + cache_swapped_word(logged) - 1, 1);
    queue->slices[slice_of(queue, line)] += passes;
    queue->window += passes;
}

/* Boyer and Moore's vote: a line that has most of the stores of its place stays there. The count is
 * too low by at most the stores of the place's other lines. */
void simt_queue_add_store(struct queue *queue, uint64_t logged) {
    uint64_t line = cache_logged_line(logged);
    struct place *place = &queue->stores[mixed(line) % STORES];
    if (place->sum == 0)
        place->index = line;
    if (place->index == line)
        place->sum++;
    else
        place->sum--;
}

static uint32_t busiest_slice(const struct queue *queue) {
    uint32_t most = 0;
    for (uint32_t i = 0; i < queue->slice_count; i++)
        most = queue->slices[i] > most ? queue->slices[i] : most;
    return most;
}

void simt_queue_turn(struct queue *queue) {
    if (queue->window < WINDOW)
        return;
    queue->busiest += busiest_slice(queue);
    queue->window = 0;
    memset(queue->slices, 0, sizeof queue->slices);
}

uint64_t simt_queue_longest(const struct queue *queue) {
    uint64_t held = queue->words.most / 2;
    return queue->lines.most > held ? queue->lines.most : held;
}

uint64_t simt_queue_longest_of_swaps(const struct queue *queue) {
    return queue->swaps.most;
}

uint64_t simt_queue_longest_of_stores(const struct queue *queue) {
    uint64_t most = 0;
    for (uint32_t i = 0; i < STORES; i++)
        most = queue->stores[i].sum > most ? queue->stores[i].sum : most;
    return most;
}

uint64_t simt_queue_busiest_slices(const struct queue *queue) {
    return queue->busiest + busiest_slice(queue);
}

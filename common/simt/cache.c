/* cache.c: the tags of L1 and L2. */
#include "simt/cache.h"

#include <stdlib.h>
#include <string.h>

enum { L2_WAYS = 16 };

/*
 * Ways of a set, most recently used first. An entry: sectors written in part << 59 | line << 8 | dirty sectors << 4 | valid
 * sectors; 0 is empty. What is fetched from DRAM are 64 bytes, a sector and its neighbour. A sector that was written in part
 * is fetched when it is written back, for its other bytes; a second write in part is taken to be of those.
 */
enum { PART_SHIFT = 59, SECTORS = 15 };
struct l2_cache {
    uint64_t (*sets)[L2_WAYS];
    uint64_t set_count;
};

bool l1_create(struct l1_cache *l1, uint32_t bytes) {
    memset(l1, 0, sizeof *l1);
    uint32_t lines = bytes >> CACHE_LINE_SHIFT;
    l1->set_count = lines / L1_WAYS ? lines / L1_WAYS : 1;
    l1->sets = aligned_alloc(64, (size_t)l1->set_count * sizeof *l1->sets);
    if (l1->sets == NULL)
        return false;
    memset(l1->sets, 0, (size_t)l1->set_count * sizeof *l1->sets);
    return true;
}

void l1_destroy(struct l1_cache *l1) {
    free(l1->sets);
    free(l1->log);
    memset(l1, 0, sizeof *l1);
}

void l1_log_grow(struct l1_cache *l1) {
    size_t capacity = l1->log_capacity ? 2 * l1->log_capacity : 1024;
    uint64_t *log = realloc(l1->log, capacity * sizeof *log);
    if (log == NULL) {
        l1->failed = true;
        return;
    }
    l1->log = log;
    l1->log_capacity = capacity;
}

void l1_read_on(struct l1_cache *l1, struct l1_set *set, uint64_t line, uint32_t sectors) {
    uint64_t carried = set->ways[0], found = 0;
    if (carried >> 4 == line) {
        found = carried;
    } else {
        for (uint32_t way = 1; way < L1_WAYS; way++) {
            uint64_t here = set->ways[way];
            set->ways[way] = carried;
            carried = here;
            if (here >> 4 == line) {
                found = here;
                break;
            }
        }
    }
    uint32_t missing = sectors & ~(uint32_t)found & 15;
    set->ways[0] = line << 4 | (found & 15) | sectors;
    if (missing) {
        l1->read_sectors += (uint32_t)__builtin_popcount(missing);
        l1_log(l1, line, CACHE_READ, missing);
    }
}

struct l2_cache *l2_create(uint64_t bytes) {
    struct l2_cache *l2 = calloc(1, sizeof *l2);
    if (l2 == NULL)
        return NULL;
    uint64_t sets = (bytes >> CACHE_LINE_SHIFT) / L2_WAYS;
    l2->set_count = sets ? sets : 1;
    l2->sets = calloc(l2->set_count, sizeof *l2->sets);
    if (l2->sets == NULL) {
        free(l2);
        return NULL;
    }
    return l2;
}

void l2_destroy(struct l2_cache *l2) {
    if (l2 != NULL)
        free(l2->sets);
    free(l2);
}

void l2_flush(struct l2_cache *l2) {
    memset(l2->sets, 0, l2->set_count * sizeof *l2->sets);
}

static uint32_t bits(uint64_t value) {
    return (uint32_t)__builtin_popcountll(value);
}

/* With each sector its neighbour: what one access to DRAM brings. */
static uint64_t with_neighbours(uint64_t sectors) {
    return sectors | (sectors & 5) << 1 | (sectors & 10) >> 1;
}

static uint64_t line_of(uint64_t entry) {
    return entry << (64 - PART_SHIFT) >> (64 - PART_SHIFT) >> 8;
}

static void write_back(uint64_t entry, struct l2_counts *counts) {
    uint64_t dirty = entry >> 4 & SECTORS, part = entry >> PART_SHIFT & SECTORS;
    counts->dram_write_bytes += 32 * bits(dirty);
    counts->dram_read_bytes += 32 * bits(dirty & part);
    counts->dram_fill_bytes += 32 * bits(dirty & part);
}

void l2_replay(struct l2_cache *l2, uint64_t logged, struct l2_counts *counts) {
    uint64_t line = cache_logged_line(logged);
    enum cache_request request = (enum cache_request)(logged >> 4 & 15);
    uint64_t sectors = logged & SECTORS;
    uint64_t mixed = (line * UINT64_C(0x9E3779B97F4A7C15)) >> 32;
    uint64_t *ways = l2->sets[(mixed * l2->set_count) >> 32];

    uint64_t found = 0, carried = ways[0];
    if (line_of(carried) == line && carried) {
        found = carried;
    } else {
        uint32_t way = 1;
        for (; way < L2_WAYS; way++) {
            uint64_t here = ways[way];
            ways[way] = carried;
            carried = here;
            if (here && line_of(here) == line) {
                found = here;
                break;
            }
        }
        if (way == L2_WAYS)
            write_back(carried, counts);
    }
    uint64_t valid = found & SECTORS, dirty = found >> 4 & SECTORS, part = found >> PART_SHIFT & SECTORS;
    uint64_t missing = sectors & ~valid;
    if (request == CACHE_READ)
        counts->read_hit_sectors += bits(sectors & valid);
    if (request == CACHE_WRITE_PART) {
        uint64_t again = sectors & part;
        part = (part | missing) & ~again;
        valid |= again;
    } else if (request == CACHE_WRITE) {
        part &= ~sectors;
        valid |= sectors;
    } else if (missing) {
        uint64_t fetched = with_neighbours(missing) & ~valid;
        counts->dram_read_bytes += 32 * bits(fetched);
        part &= ~fetched;
        valid |= fetched;
    }
    if (request != CACHE_READ)
        dirty |= sectors;
    ways[0] = part << PART_SHIFT | line << 8 | dirty << 4 | valid;
}

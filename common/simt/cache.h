/*
 * cache.h: L1 of one SM and the L2 of the chip, as tags and valid bits; data never pass through them. Private to
 * simt/.
 *
 * A line is 128 bytes of four 32-byte sectors. L1: write-through, a store allocates nothing and updates a line that
 * is there. What L1 sends on is logged, and the logs of all SMs are replayed into L2 between rounds, in a fixed
 * order.
 */
#ifndef SIMT_CACHE_H
#define SIMT_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { L1_WAYS = 8, CACHE_LINE_SHIFT = 7 };
/* CACHE_WRITE_PART: not all bytes of its sectors. */
enum cache_request { CACHE_READ, CACHE_WRITE, CACHE_WRITE_PART, CACHE_ATOMIC, CACHE_FLOAT_ATOMIC };

struct l1_set {
    uint64_t ways[L1_WAYS]; /* line << 4 | valid sectors, most recently used first */
};

/* A log entry: passes of an atomic - 1, 5 bits | line, 51 bits | enum cache_request, 4 bits | sectors, 4 bits. */
enum { CACHE_PASSES_SHIFT = 59 };
struct l1_cache {
    struct l1_set *sets; /* NULL: caches are not simulated */
    uint32_t set_count;
    uint64_t *log;
    size_t log_count, log_capacity, log_next;
    uint64_t read_sectors, write_sectors; /* to L2; loads that do not read there hit */
    bool failed;                          /* the log could not grow: out of memory */
};

struct l2_cache;
struct l2_counts {
    uint64_t read_hit_sectors, dram_read_bytes, dram_write_bytes;
    uint64_t
        dram_fill_bytes; /* of those read: what sectors lack that were written in part when they are written back */
};

bool l1_create(struct l1_cache *l1, uint32_t bytes);
void l1_destroy(struct l1_cache *l1);
void l1_log_grow(struct l1_cache *l1);
struct l2_cache *l2_create(uint64_t bytes);
void l2_destroy(struct l2_cache *l2);
void l2_flush(struct l2_cache *l2);
void l2_replay(struct l2_cache *l2, uint64_t entry, struct l2_counts *counts);

static inline uint64_t cache_logged_line(uint64_t logged) {
    return logged << (64 - CACHE_PASSES_SHIFT) >> (72 - CACHE_PASSES_SHIFT);
}
static inline bool cache_is_atomic(uint64_t logged) {
    return (logged >> 4 & 15) >= CACHE_ATOMIC;
}
static inline bool cache_is_float_atomic(uint64_t logged) {
    return (logged >> 4 & 15) == CACHE_FLOAT_ATOMIC;
}
static inline uint32_t cache_atomic_passes(uint64_t logged) {
    return (uint32_t)(logged >> CACHE_PASSES_SHIFT) + 1;
}

static inline void l1_log(struct l1_cache *l1, uint64_t line, enum cache_request request, uint32_t sectors) {
    if (l1->log_count == l1->log_capacity) {
        l1_log_grow(l1);
        if (l1->failed)
            return;
    }
    l1->log[l1->log_count++] = line << 8 | (uint64_t)request << 4 | sectors;
}

/* passes: of the lanes that go to this line, 1 to 32. */
static inline void l1_log_atomic(struct l1_cache *l1, uint64_t line, enum cache_request request,
                                 uint32_t sectors, uint32_t passes) {
    l1_log(l1, line | (uint64_t)(passes - 1) << (CACHE_PASSES_SHIFT - 8), request, sectors);
}

static inline struct l1_set *l1_set(struct l1_cache *l1, uint64_t line) {
    uint64_t mixed = (line * UINT64_C(0x9E3779B97F4A7C15)) >> 32;
    return &l1->sets[(mixed * l1->set_count) >> 32];
}

/* The line is not the set's most recent: find it among the others or take it in, and fetch what is missing from L2. */
void l1_read_on(struct l1_cache *l1, struct l1_set *set, uint64_t line, uint32_t sectors);

/* Load `sectors` (4 bits) of a line; what is not there is fetched from L2. */
static inline void l1_read(struct l1_cache *l1, uint64_t line, uint32_t sectors) {
    struct l1_set *set = l1_set(l1, line);
    uint64_t entry = set->ways[0];
    if (entry >> 4 != line || sectors & ~(uint32_t)entry)
        l1_read_on(l1, set, line, sectors);
}

/* A store or atomic: goes to L2 in any case. */
static inline void l1_write(struct l1_cache *l1, uint64_t line, uint32_t sectors,
                            enum cache_request request) {
    l1->write_sectors += (uint32_t)__builtin_popcount(sectors);
    l1_log(l1, line, request, sectors);
}

#endif

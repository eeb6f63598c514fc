/* cache.h: L1 of one SM and the L2 of the chip, as tags and valid bits, without data. Private to
 * simt/.
 *
 * A line is 128 bytes of four 32-byte sectors. L1 is write-through; stores allocate lines, and
 * sectors that are written whole are valid. The requests that L1 sends on are logged. Between rounds
 * the logs of all SMs are replayed into L2 in a fixed order.
 *
 * Warps run one after the other here, and side by side on hardware. Two rules make up for this:
 * - A warp keeps no more lines that no other warp touches than its share of L1. On hardware the
 *   lines that other warps touch meanwhile evict the rest.
 * - A line that another warp fetched at about the same place is still being fetched: the warp
 *   waits, but it is no miss. This holds even if the line was evicted since: on hardware the other
 *   warp would not be ahead.
 * A place is the number of lines that a warp has touched so far. Blocks that are resident together
 * are a wave. Ages are counted in epochs: an epoch ends when the warp has touched `share` lines for
 * the first time, a part of its share of L1. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { L1_WAYS = 8, CACHE_LINE_SHIFT = 7 };
/* Most lines of a store that L1 sends on with the next one. */
enum { L1_JOINED = 16 };
/* Lines have 41 bits: addresses of 47, and one more for local memory. */
enum { CACHE_LINE_BITS = 41, L1_EPOCH_SHIFT = 4 + CACHE_LINE_BITS, L1_EPOCH_BITS = 63 - L1_EPOCH_SHIFT };
#define CACHE_LINES ((UINT64_C(1) << CACHE_LINE_BITS) - 1)
#define CACHE_LOCAL_LINES (UINT64_C(1) << (CACHE_LINE_BITS - 1))
/* CACHE_WRITE_PART: a store of some bytes of its sectors. CACHE_PREFETCH: a read that nobody waits
 * for. */
enum cache_request {
    CACHE_READ,
    CACHE_PREFETCH,
    CACHE_WRITE,
    CACHE_WRITE_PART,
    CACHE_ATOMIC,
    CACHE_FLOAT_ATOMIC
};

struct l1_set {
    /* Most recently used first: touched again since it came << 63 | epoch of the last touch << 45 |
     * line << 4 | valid sectors. */
    _Alignas(64) uint64_t ways[L1_WAYS];
    /* Touched by several warps << 31; of the warp that fetched it, wave << 24 | warp << 16 |
     * place. */
    uint32_t stamps[L1_WAYS];
};

/* A log entry, from the top: 15 bits (an atomic: passes - 1, 5 bits, zeros, a word that a compare and
 * swap changed, 6 bits; others: owner) | line, 41 bits | enum cache_request, 4 bits | sectors, 4 bits. */
enum {
    CACHE_PASSES_SHIFT = 59,
    CACHE_OWNER_SHIFT = 8 + CACHE_LINE_BITS,
    CACHE_OWNERS = 1 << (64 - CACHE_OWNER_SHIFT)
};
struct l1_cache {
    struct l1_set *sets; /* NULL: caches are not simulated */
    uint32_t set_count;
    uint64_t *gone; /* recently evicted lines; NULL: no warp has touched LONG_WAY lines */
    uint64_t *log;
    size_t log_count, log_capacity, log_next;
    uint64_t read_sectors, write_sectors; /* sectors requested from L2; other loads hit */
    uint64_t bulk_sectors;                /* of read_sectors, those of bulk copies, which L1 never holds */
    uint64_t waiting_sectors;             /* sectors that hit while they are being fetched */
    uint64_t epoch, began;                /* the current epoch; the running warp's first */
    uint32_t touched, share;              /* lines touched in this epoch; lines of an epoch */
    uint32_t place, wave, warp;           /* of the running warp */
    uint64_t turns;
    uint64_t kept_age;   /* epochs within a turn after which no line is lost yet */
    double epoch_part;   /* lines that all warps touch in an epoch, over those of L1 */
    double lost;         /* shares of lines that are lost, summed */
    uint32_t part_lines; /* of the running warp's last store of parts of sectors; 0: of none */
    uint64_t part_line[L1_JOINED];
    bool first;  /* the SM's first warp runs: other warps' lines are not known yet */
    bool failed; /* out of memory for the log */
};

struct l2_cache;
struct l2_counts {
    uint64_t read_hit_sectors, dram_read_bytes, dram_write_bytes;
    uint64_t read_waiting_sectors; /* sectors that hit while they are being fetched from DRAM */
    uint64_t dram_fill_bytes;      /* read from DRAM to complete partly written sectors */
    /* By owner, from 1 on: loaded sectors that come, or are being fetched, from DRAM; partly stored
     * sectors of which L2 holds something. NULL: not wanted. */
    uint64_t *owned;
};

/* warps: most resident warps of the SM. */
bool simt_l1_create(struct l1_cache *l1, uint32_t bytes, uint32_t warps);
/* A warp starts, or goes on after others have run; `place` and `wave` are its own; warp: its number
 * among the resident ones. */
void simt_l1_turn(struct l1_cache *l1, uint32_t place, uint32_t wave, uint32_t warp);
void simt_l1_destroy(struct l1_cache *l1);
void simt_l1_log_grow(struct l1_cache *l1);
struct l2_cache *simt_l2_create(uint64_t bytes);
void simt_l2_destroy(struct l2_cache *l2);
void simt_l2_flush(struct l2_cache *l2);
/* simt_l2_turn: later entries are later in time. simt_l2_launch: all fetches have ended. */
void simt_l2_turn(struct l2_cache *l2);
void simt_l2_launch(struct l2_cache *l2);
/* The entry will be replayed soon: brings what it needs into the host's cache. */
void simt_l2_expect(const struct l2_cache *l2, uint64_t entry);
/* sm: the SM that asks, which has waited for what it asked for before. */
void simt_l2_replay(struct l2_cache *l2, uint64_t entry, uint32_t sm, struct l2_counts *counts);

/* How many of a line's four sectors are set: from a table of 4 bits each. */
static inline uint32_t cache_sectors(uint32_t sectors) {
    return (uint32_t)(UINT64_C(0x4332322132212110) >> (4 * sectors)) & 15;
}

static inline uint64_t cache_logged_line(uint64_t logged) {
    return logged >> 8 & CACHE_LINES;
}
static inline bool cache_is_counted(uint64_t logged) {
    enum cache_request request = (enum cache_request)(logged >> 4 & 15);
    return request == CACHE_READ || request == CACHE_PREFETCH || request == CACHE_WRITE_PART;
}
static inline bool cache_is_atomic(uint64_t logged) {
    return (logged >> 4 & 15) >= CACHE_ATOMIC;
}
static inline bool cache_is_float_atomic(uint64_t logged) {
    return (logged >> 4 & 15) == CACHE_FLOAT_ATOMIC;
}
static inline bool cache_is_store(uint64_t logged) {
    enum cache_request request = (enum cache_request)(logged >> 4 & 15);
    return request == CACHE_WRITE || request == CACHE_WRITE_PART;
}
static inline uint32_t cache_atomic_passes(uint64_t logged) {
    return (uint32_t)(logged >> CACHE_PASSES_SHIFT) + 1;
}
/* Which 4 bytes of the line a compare and swap changed, from 1 on; 0: none. */
static inline uint32_t cache_swapped_word(uint64_t logged) {
    return (uint32_t)(logged >> CACHE_OWNER_SHIFT) & 63;
}

static inline void l1_log(struct l1_cache *l1, uint64_t line, enum cache_request request, uint32_t sectors) {
    if (l1->log_count == l1->log_capacity) {
        simt_l1_log_grow(l1);
        if (l1->failed)
            return;
    }
    l1->log[l1->log_count++] = line << 8 | (uint64_t)request << 4 | sectors;
}

/* passes: of the lanes that access this line, 1 to 32; swapped: as cache_swapped_word returns it. */
static inline void l1_log_atomic(struct l1_cache *l1, uint64_t line, enum cache_request request,
                                 uint32_t sectors, uint32_t passes, uint32_t swapped) {
    l1_log(l1,
           line | (uint64_t)(passes - 1) << (CACHE_PASSES_SHIFT - 8) |
               (uint64_t)swapped << (CACHE_OWNER_SHIFT - 8),
           request, sectors);
}

static inline struct l1_set *l1_set(struct l1_cache *l1, uint64_t line) {
    uint64_t mixed = (line * UINT64_C(0x9E3779B97F4A7C15)) >> 32;
    return &l1->sets[(mixed * l1->set_count) >> 32];
}

/* The entry of a line that was touched again in this epoch, without its sectors. */
static inline uint64_t l1_entry(const struct l1_cache *l1, uint64_t line) {
    return line | (l1->epoch | UINT64_C(1) << L1_EPOCH_BITS) << CACHE_LINE_BITS;
}

/* Whether the set's most recent line is this one, touched in this epoch, with all of these sectors. */
static inline bool l1_is_latest(const struct l1_cache *l1, const struct l1_set *set, uint64_t line,
                                uint32_t sectors) {
    uint64_t entry = set->ways[0];
    return entry >> 4 == l1_entry(l1, line) && !(sectors & ~(uint32_t)entry);
}

/* Finds a line that is not the set's most recent or was not touched in this epoch, or allocates it.
 * Fetches missing sectors from L2. */
void simt_l1_read_on(struct l1_cache *l1, struct l1_set *set, uint64_t line, uint32_t sectors);

/* Loads `sectors` (4 bits) of a line. Fetches missing sectors from L2. */
static inline void l1_read(struct l1_cache *l1, uint64_t line, uint32_t sectors) {
    struct l1_set *set = l1_set(l1, line);
    if (!l1_is_latest(l1, set, line, sectors))
        simt_l1_read_on(l1, set, line, sectors);
}

/* The same for several lines, in this order. */
void simt_l1_read_lines(struct l1_cache *l1, const uint64_t *lines, const uint8_t *sectors, uint32_t count);

/* The same for a store: what it writes whole is valid, and nothing is fetched. */
void simt_l1_keep_on(struct l1_cache *l1, struct l1_set *set, uint64_t line, uint32_t sectors);

/* A store touches a line, of which it writes `sectors` whole. */
static inline void l1_keep(struct l1_cache *l1, uint64_t line, uint32_t sectors) {
    struct l1_set *set = l1_set(l1, line);
    if (!l1_is_latest(l1, set, line, sectors))
        simt_l1_keep_on(l1, set, line, sectors);
}

/* Sends a store or atomic to L2. */
static inline void l1_write(struct l1_cache *l1, uint64_t line, uint32_t sectors,
                            enum cache_request request) {
    l1->write_sectors += cache_sectors(sectors);
    l1_log(l1, line, request, sectors);
}

/* cache.c: the tags of L1 and L2. */
#include "gpu/simt/memory/cache.h"
#include "base/clones.h"
#include "base/round.h"

#include <stdlib.h>
#include <string.h>

enum { L2_WAYS = 16 };

/* Ways of a set, most recently used first. An L2 entry: sectors written in part << 59 | turn in
 * which DRAM was read << 49 | line << 8 | dirty sectors << 4 | valid sectors; 0 is empty. Turn 0:
 * DRAM has answered. DRAM gives 64 bytes, a sector and its neighbour. A partly written sector is
 * completed from DRAM at its write-back. A second partial write is taken to have the same bytes. */
enum {
    PART_SHIFT = 59,
    SECTORS = 15,
    TURN_SHIFT = 8 + CACHE_LINE_BITS,
    TURNS = (1 << (PART_SHIFT - TURN_SHIFT)) - 1,
    FETCHERS = 1 << 18,
    NO_SM = 255,       /* a prefetch */
    PREFETCH_TURNS = 8 /* that DRAM takes while it is as busy as an SM's prefetches make it */
};
struct l2_cache {
    void *memory;
    uint64_t (*sets)[L2_WAYS]; /* in it, each in two of the host's lines */
    uint64_t set_count;
    uint64_t turn;
    uint8_t fetched_by[FETCHERS]; /* the SM that last read DRAM, by a hash of the line; NO_SM */
};

/* The fields of an L1 stamp. */
enum {
    STAMP_SEVERAL = 31,
    STAMP_WAVE_SHIFT = 24,
    STAMP_WAVES = 127,
    STAMP_WARP_SHIFT = 16,
    STAMP_WARPS = 255,
    STAMP_PLACES = 0xffff
};
#define L1_EPOCHS ((UINT64_C(1) << L1_EPOCH_BITS) - 1)
/* Evicted lines, up to 2^GONE_BITS, are remembered once some warp has touched LONG_WAY lines. */
enum { LONG_WAY = 512, GONE_BITS = 14 };
enum { SHARE_EPOCHS = 4 }; /* a warp touches its share of L1 in so many epochs */
/*
 * Lines that all warps together touch before one is touched again, over those of L1: so few that it
 * is kept, so many that it is lost. Within a warp's turn: measured with rows that threads walk.
 * After it: with rows that blocks read twice, where L1 also keeps what ended blocks leave behind
 * (time/calibration/README.md).
 */
static const struct { double keeps, loses; } l1_in_turn = {0.45, 1.63}, l1_later = {0.18, 1.0};
enum { TOUCHED_AGAIN = 16 }; /* beside the sectors that `touch` returns */

static uint64_t l1_line(uint64_t entry) {
    return entry >> 4 & CACHE_LINES;
}

bool simt_l1_create(struct l1_cache *l1, uint32_t bytes, uint32_t warps) {
    memset(l1, 0, sizeof *l1);
    uint32_t lines = bytes >> CACHE_LINE_SHIFT;
    l1->share = lines / warps / SHARE_EPOCHS;
    l1->share += l1->share == 0;
    l1->epoch_part = (double)l1->share * warps / lines;
    while ((double)(l1->kept_age + 1) * l1->epoch_part <= l1_in_turn.keeps)
        l1->kept_age++;
    l1->set_count = lines / L1_WAYS ? lines / L1_WAYS : 1;
    l1->sets = aligned_alloc(64, (size_t)l1->set_count * sizeof *l1->sets);
    if (l1->sets == NULL)
        return false;
    memset(l1->sets, 0, (size_t)l1->set_count * sizeof *l1->sets);
    return true;
}

void simt_l1_destroy(struct l1_cache *l1) {
    free(l1->sets);
    free(l1->gone);
    free(l1->log);
    memset(l1, 0, sizeof *l1);
}

void simt_l1_log_grow(struct l1_cache *l1) {
    size_t capacity = l1->log_capacity ? 2 * l1->log_capacity : 1024;
    uint64_t *log = realloc(l1->log, capacity * sizeof *log);
    if (log == NULL) {
        l1->failed = true;
        return;
    }
    l1->log = log;
    l1->log_capacity = capacity;
}

void simt_l1_turn(struct l1_cache *l1, uint32_t place, uint32_t wave, uint32_t warp) {
    l1->epoch = (l1->epoch + 1) & L1_EPOCHS;
    l1->began = l1->epoch;
    l1->touched = 0;
    l1->part_lines = 0;
    l1->place = place;
    l1->wave = wave & STAMP_WAVES;
    l1->warp = warp & STAMP_WARPS;
    l1->first = l1->turns++ == 0;
}

/* An evicted line: its fetching warp's place (16 bits) and wave (3 bits) | line | sectors. */
static uint64_t gone_entry(uint64_t entry, uint32_t stamp) {
    uint64_t when = (stamp & STAMP_PLACES) | (uint64_t)(stamp >> STAMP_WAVE_SHIFT & 7) << 16;
    return when << L1_EPOCH_SHIFT | (entry & ((UINT64_C(1) << L1_EPOCH_SHIFT) - 1));
}

static uint64_t *gone_place(struct l1_cache *l1, uint64_t line) {
    /* A hash without collisions of neighbouring rows and columns of lines. */
    uint64_t folded = line ^ line >> GONE_BITS ^ line >> 2 * GONE_BITS;
    return &l1->gone[folded & ((1U << GONE_BITS) - 1)];
}

/* The sectors of an evicted line that another warp of the same wave fetched at about this warp's
 * place; 0: none. */
static uint32_t still_there(struct l1_cache *l1, uint64_t line, uint32_t *stamp) {
    uint64_t entry = *gone_place(l1, line);
    uint32_t wave = (uint32_t)(entry >> (L1_EPOCH_SHIFT + 16)) & 7,
             place = (uint32_t)(entry >> L1_EPOCH_SHIFT) & 0xffff;
    uint32_t apart = (l1->place - place) & 0xffff, back = (place - l1->place) & 0xffff;
    if (entry == 0 || l1_line(entry) != line || wave != (l1->wave & 7) ||
        (apart > SHARE_EPOCHS * l1->share && back > SHARE_EPOCHS * l1->share))
        return 0;
    uint32_t another = (l1->warp + 1) & STAMP_WARPS;
    *stamp =
        l1->wave << STAMP_WAVE_SHIFT | another << STAMP_WARP_SHIFT | ((l1->place - apart) & STAMP_PLACES);
    return (uint32_t)entry & SECTORS;
}

/* The entry of an evicted line that is still being fetched for another warp; 0: none. Remembers
 * `went`, the line that is evicted for it. */
static __attribute__((noinline)) uint64_t take_back(struct l1_cache *l1, struct l1_set *set, uint64_t line,
                                                    uint64_t went, uint32_t stamp) {
    if (l1->gone == NULL && (l1->gone = calloc((size_t)1 << GONE_BITS, sizeof *l1->gone)) == NULL) {
        l1->failed = true;
        return 0;
    }
    uint32_t sectors = still_there(l1, line, &set->stamps[0]);
    if (went)
        *gone_place(l1, l1_line(went)) = gone_entry(went, stamp);
    return sectors ? ((l1->began - 1) & L1_EPOCHS) << L1_EPOCH_SHIFT | line << 4 | sectors : 0;
}

/* Bit i: way i of `count` holds the line. `shift`: where the entries' lines start. Line 0 is nobody's. */
static inline uint32_t ways_with(const uint64_t *ways, uint32_t count, uint32_t shift, uint64_t line) {
    uint32_t found = 0;
    for (uint32_t way = 0; way < count; way++)
        found |= (uint32_t)((ways[way] >> shift & CACHE_LINES) == line) << way;
    return found;
}

/* Moves the line to the front of its set, or inserts it. Returns its old entry; 0: none. */
static inline uint64_t to_front(struct l1_cache *l1, struct l1_set *set, uint64_t line) {
    if (l1_line(set->ways[0]) == line)
        return set->ways[0];
    uint32_t there = ways_with(set->ways, L1_WAYS, 4, line);
    uint32_t last = there ? (uint32_t)__builtin_ctz(there) : L1_WAYS - 1;
    uint64_t carried = set->ways[last];
    uint32_t stamp = set->stamps[last];
    for (uint32_t way = last; way > 0; way--) {
        set->ways[way] = set->ways[way - 1];
        set->stamps[way] = set->stamps[way - 1];
    }
    set->stamps[0] = there ? stamp : 0;
    if (there || (l1->gone == NULL && l1->place < LONG_WAY))
        return there ? carried : 0;
    return take_back(l1, set, line, carried, stamp);
}

/* Whether a line is lost that only this warp touched. distance: lines that all warps touched
 * since, over those of L1. */
static bool is_lost(struct l1_cache *l1, uint64_t line, double distance, bool in_turn) {
    double keeps = in_turn ? l1_in_turn.keeps : l1_later.keeps,
           loses = in_turn ? l1_in_turn.loses : l1_later.loses;
    if (!(line & CACHE_LOCAL_LINES) && l1->first)
        return false;
    double lost = (distance - keeps) / (loses - keeps);
    if (lost <= 0 || lost >= 1)
        return lost > 0;
    l1->lost += lost;
    if (l1->lost < 1)
        return false;
    l1->lost -= 1;
    return true;
}

/* The distance to the running warp's last touch of a line: by epochs within its turn. Before that
 * only its fetch is known, and of a line that was touched again nothing: then 0. */
static double distance_of(const struct l1_cache *l1, uint64_t entry, uint32_t stamp, uint64_t age,
                          bool in_turn) {
    if (in_turn)
        return (double)age * l1->epoch_part;
    uint32_t places = (l1->place - stamp) & STAMP_PLACES;
    return entry >> 63 ? 0 : (double)places / l1->share * l1->epoch_part;
}

/* The running warp has touched one more line. */
static inline void count_touch(struct l1_cache *l1) {
    l1->place++;
    if (++l1->touched == l1->share) {
        l1->epoch = (l1->epoch + 1) & L1_EPOCHS;
        l1->touched = 0;
    }
}

/* This warp accesses a line. Returns the sectors that L1 holds, and whether it does; *waits: in
 * flight. */
static inline uint32_t touch(struct l1_cache *l1, struct l1_set *set, uint64_t line, bool *waits) {
    uint64_t found = to_front(l1, set, line);
    uint32_t warp = l1->wave << STAMP_WAVE_SHIFT | l1->warp << STAMP_WARP_SHIFT,
             here = warp | (l1->place & STAMP_PLACES), stamp = set->stamps[0];
    uint64_t age = (l1->epoch - (found >> L1_EPOCH_SHIFT)) & L1_EPOCHS; /* since the last touch */
    bool in_turn = age <= ((l1->epoch - l1->began) & L1_EPOCHS);        /* by this warp */
    bool alone = stamp >> STAMP_WARP_SHIFT == warp >> STAMP_WARP_SHIFT; /* its line, not several warps' */
    bool own = in_turn || alone;
    bool lost = !found || (own && age > 0 && !(stamp >> STAMP_SEVERAL) &&
                           is_lost(l1, line, distance_of(l1, found, stamp, age, in_turn), in_turn));
    uint32_t fetched = stamp & ~(UINT32_C(1) << STAMP_SEVERAL), other = STAMP_WARPS << STAMP_WARP_SHIFT;
    *waits = !lost && !own && ((fetched ^ here) & ~other) == 0;
    if (lost)
        set->stamps[0] = here;
    else if (!own)
        set->stamps[0] |= UINT32_C(1) << STAMP_SEVERAL;
    if (lost || age > 0)
        count_touch(l1);
    return lost ? 0 : ((uint32_t)found & SECTORS) | TOUCHED_AGAIN;
}

/* Sets what the set's first line holds: `touched` when it was found, and these sectors. */
static inline void hold(const struct l1_cache *l1, struct l1_set *set, uint64_t line, uint32_t touched,
                        uint32_t sectors) {
    uint64_t again = touched / TOUCHED_AGAIN;
    set->ways[0] = again << 63 | l1->epoch << L1_EPOCH_SHIFT | line << 4 | ((touched | sectors) & SECTORS);
}

CLONES void simt_l1_keep_on(struct l1_cache *l1, struct l1_set *set, uint64_t line, uint32_t sectors) {
    bool waits;
    uint32_t valid = touch(l1, set, line, &waits);
    hold(l1, set, line, valid, sectors);
}

/* Most accesses by far, as touch() and hold() have them: the line is at the front of its set, this warp
 * touched it in this turn, and it cannot have been lost. *valid: the sectors that L1 holds of it. */
static inline bool touch_again(struct l1_cache *l1, struct l1_set *set, uint64_t line, uint32_t sectors,
                               uint32_t *valid) {
    uint64_t found = set->ways[0], age = (l1->epoch - (found >> L1_EPOCH_SHIFT)) & L1_EPOCHS;
    if (l1_line(found) != line || age > ((l1->epoch - l1->began) & L1_EPOCHS) ||
        (age > l1->kept_age && !(set->stamps[0] >> STAMP_SEVERAL)))
        return false;
    *valid = (uint32_t)found & SECTORS;
    if (age > 0)
        count_touch(l1);
    hold(l1, set, line, *valid | TOUCHED_AGAIN, sectors);
    return true;
}

static inline void read_on(struct l1_cache *l1, struct l1_set *set, uint64_t line, uint32_t sectors) {
    bool waits = false;
    uint32_t valid;
    if (!touch_again(l1, set, line, sectors, &valid)) {
        valid = touch(l1, set, line, &waits);
        hold(l1, set, line, valid, sectors);
    }
    uint32_t missing = sectors & ~valid & SECTORS;
    if (waits)
        l1->waiting_sectors += cache_sectors(sectors & valid);
    if (missing) {
        l1->read_sectors += cache_sectors(missing);
        l1_log(l1, line, CACHE_READ, missing);
    }
}

CLONES void simt_l1_read_on(struct l1_cache *l1, struct l1_set *set, uint64_t line, uint32_t sectors) {
    read_on(l1, set, line, sectors);
}

CLONES void simt_l1_read_lines(struct l1_cache *l1, const uint64_t *lines, const uint8_t *sectors,
                               uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        read_on(l1, l1_set(l1, lines[i]), lines[i], sectors[i]);
}

struct l2_cache *simt_l2_create(uint64_t bytes) {
    struct l2_cache *l2 = calloc(1, sizeof *l2);
    if (l2 == NULL)
        return NULL;
    uint64_t sets = (bytes >> CACHE_LINE_SHIFT) / L2_WAYS;
    l2->set_count = sets ? sets : 1;
    l2->memory = calloc(l2->set_count + 1, sizeof *l2->sets);
    if (l2->memory == NULL) {
        free(l2);
        return NULL;
    }
    l2->sets = (void *)round_up((uintptr_t)l2->memory, sizeof *l2->sets);
    return l2;
}

void simt_l2_destroy(struct l2_cache *l2) {
    if (l2 != NULL)
        free(l2->memory);
    free(l2);
}

/* Turns from one to a later one, of TURNS that come again and again. */
static uint64_t turns_between(uint64_t from, uint64_t to) {
    return (to + TURNS - from) % TURNS;
}

void simt_l2_turn(struct l2_cache *l2) {
    l2->turn = l2->turn % TURNS + 1;
}

void simt_l2_launch(struct l2_cache *l2) {
    l2->turn = (l2->turn + TURNS / 2) % TURNS + 1;
}

void simt_l2_flush(struct l2_cache *l2) {
    memset(l2->sets, 0, l2->set_count * sizeof *l2->sets);
}

static uint32_t bits(uint64_t sectors) {
    return cache_sectors((uint32_t)sectors);
}

/* Adds each sector's neighbour: one access to DRAM brings both. */
static uint64_t with_neighbours(uint64_t sectors) {
    return sectors | (sectors & 5) << 1 | (sectors & 10) >> 1;
}

static void write_back(uint64_t entry, struct l2_counts *counts) {
    uint64_t dirty = entry >> 4 & SECTORS, part = entry >> PART_SHIFT & SECTORS;
    counts->dram_write_bytes += 32 * bits(dirty);
    counts->dram_read_bytes += 32 * bits(dirty & part);
    counts->dram_fill_bytes += 32 * bits(dirty & part);
}

static inline uint64_t hash_of(uint64_t line) {
    return (line * UINT64_C(0x9E3779B97F4A7C15)) >> 32;
}

void simt_l2_expect(const struct l2_cache *l2, uint64_t logged) {
    uint64_t mixed = hash_of(cache_logged_line(logged));
    const char *set = (const char *)l2->sets[(mixed * l2->set_count) >> 32];
    __builtin_prefetch(set);
    __builtin_prefetch(set + sizeof *l2->sets / 2);
    __builtin_prefetch(&l2->fetched_by[mixed >> 10 & (FETCHERS - 1)]);
}

CLONES void simt_l2_replay(struct l2_cache *l2, uint64_t logged, uint32_t sm, struct l2_counts *counts) {
    uint64_t line = cache_logged_line(logged);
    enum cache_request request = (enum cache_request)(logged >> 4 & 15);
    uint64_t sectors = logged & SECTORS;
    uint64_t mixed = hash_of(line);
    uint64_t *ways = l2->sets[(mixed * l2->set_count) >> 32];
    uint8_t *fetched_by = &l2->fetched_by[mixed >> 10 & (FETCHERS - 1)];

    uint32_t there = (ways[0] >> 8 & CACHE_LINES) == line ? 1 : ways_with(ways, L2_WAYS, 8, line);
    uint32_t last = there ? (uint32_t)__builtin_ctz(there) : L2_WAYS - 1;
    uint64_t found = there ? ways[last] : 0;
    if (!there)
        write_back(ways[last], counts);
    for (uint32_t way = last; way > 0; way--)
        ways[way] = ways[way - 1];
    uint64_t valid = found & SECTORS, dirty = found >> 4 & SECTORS, part = found >> PART_SHIFT & SECTORS;
    uint64_t missing = sectors & ~valid;
    uint64_t turn = found >> TURN_SHIFT & TURNS;
    if (request == CACHE_READ || request == CACHE_PREFETCH) {
        uint64_t flight = *fetched_by == NO_SM ? PREFETCH_TURNS : 1;
        bool recent = turn != 0 && turns_between(turn, l2->turn) <= flight;
        bool waits = request == CACHE_READ && recent && *fetched_by != (uint8_t)sm;
        uint64_t hit = bits(sectors & valid), waiting = waits ? hit : 0;
        turn = hit > 0 && !recent ? 0 : turn;
        counts->read_hit_sectors += hit;
        counts->read_waiting_sectors += waiting;
        if (counts->owned != NULL)
            counts->owned[logged >> CACHE_OWNER_SHIFT] += bits(missing) + waiting;
    }
    if (request == CACHE_WRITE_PART) {
        uint64_t again = sectors & part;
        if (counts->owned != NULL)
            counts->owned[logged >> CACHE_OWNER_SHIFT] += bits(sectors & (part | valid));
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
        turn = l2->turn;
        *fetched_by = request == CACHE_PREFETCH ? NO_SM : (uint8_t)sm;
    }
    if (request != CACHE_READ)
        dirty |= sectors;
    ways[0] = part << PART_SHIFT | turn << TURN_SHIFT | line << 8 | dirty << 4 | valid;
}

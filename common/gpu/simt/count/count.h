/* count.h: adds up the counts of the host threads (count*.c). Private to simt/. */
#pragma once

#include "gpu/simt/control/launch.h"
#include "gpu/simt/operation.h"

/* The host threads whose counts are added. */
struct share {
    const struct worker *workers;
    uint32_t count;
};

/* Adds an instruction's executions to *sum. Counts are stored as differences, so *sum is right if
 * this is called for each index in turn. */
static inline void add_up(const struct share *share, uint32_t index, struct run_count *sum) {
    for (uint32_t w = 0; w < share->count; w++) {
        sum->runs += share->workers[w].counts[index].runs;
        sum->threads += share->workers[w].counts[index].threads;
    }
}

static inline uint64_t tally_total(const struct share *share, enum tally which, uint32_t index) {
    uint64_t sum = 0;
    for (uint32_t w = 0; w < share->count; w++)
        sum += share->workers[w].tallies[which][index];
    return sum;
}

/* Begins `count` sites with nothing counted. */
void simt_sites_begin(struct site *sites, uint32_t count);
/* The counts of memory site `index`, over all host threads and observers. */
struct site simt_site_total(const struct launch *launch, uint32_t index);
/* Bytes a thread accesses there. */
uint64_t simt_access_width(const struct site_info *info);
/* Counts what follows from a function's code and the executions of its parts: chains of
 * instructions, groups of loads. */
void simt_count_code(const struct share *share, const struct code *code, struct counters *counters);
/* Counts the machine code's spills of a launched kernel. */
void simt_count_spills(const struct share *share, const struct simt_kernel *kernel,
                       struct counters *counters);

/* ---- slow.c: divisions and roots with a slow path. ptxas writes a few instructions for usual
 * operands, a test, and a routine for others. A warp calls it if any thread needs it. */
/* Whether the instruction has such a routine: div, rcp and sqrt of floats that round to nearest. */
bool simt_slow_has_path(const struct ptx_instruction *instruction);
/* The lanes of `mask` that need the routine. `operation` is without its guard. */
uint32_t simt_slow_lanes(const struct simt_operation *operation, const uint8_t *registers, uint32_t mask);

/* ---- trips.c: trips of warps round each loop of a function, per entry. A loop reaches from the
 * target of a backward branch to the last branch to that target. A warp leaves it with its last
 * threads, at the latest at the warp's end. */
/* A warp in a loop. All zeros: it is in none. */
struct warp_trips {
    uint32_t backs;             /* backward branches taken */
    uint32_t last;              /* trips of the threads that left last so far; 0: none has left */
    uint32_t digits;            /* OR of the trips of all threads that have left */
    uint64_t rests;             /* bit T % 64 for each number of trips T of these threads */
    uint8_t leave[LOOP_POWERS]; /* struct loop_trips */
};

enum { TRIPS_FEW = 32 };

/* One host thread's counts of a loop. */
struct worker_trips {
    uint64_t few[TRIPS_FEW]; /* [T]: entries of T trips whose threads left together, the usual case */
    struct loop_trips sums;  /* all other entries */
};

/* Finds the loops of a decoded function. False: out of memory. */
bool simt_trips_find(struct code *code);
/* Ends all loops of a warp that has ended. */
void simt_trips_end(struct worker *worker, struct warp *warp);
/* Sum over all host threads for a loop of the module. */
struct loop_trips simt_trips_total(const struct launch *launch, uint32_t loop);

/* The branch at `at` has a mark; of the lanes in `mask`, those in `taken` take it. */
void simt_trips_leave(struct worker *worker, struct warp *warp, const struct code *code, uint32_t at,
                      uint32_t taken, uint32_t mask);
static inline void trips_branch(struct worker *worker, struct warp *warp, const struct code *code,
                                uint32_t at, uint32_t taken, uint32_t mask) {
    const struct trip_mark *mark = &code->trip_marks[at];
    if (mark->leaves & (taken == mask ? TRIPS_TAKEN : TRIPS_ANY))
        simt_trips_leave(worker, warp, code, at, taken, mask);
    if (mark->back && taken)
        warp->file->trips[code->first_loop + mark->back - 1].backs++;
}

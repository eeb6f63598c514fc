/* count.h: how what the host threads counted is added up. Private to simt/: count.c, count_code.c. */
#ifndef SIMT_COUNT_H
#define SIMT_COUNT_H

#include "gpu/simt/control/launch.h"
#include "gpu/simt/operation.h"

/* Host threads whose counts are meant. */
struct share {
    const struct worker *workers;
    uint32_t count;
};

/* An instruction's executions, the next in a row: sums of the differences up to it. */
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
/* The counts of memory site `index`, of all host threads and observers. */
struct site simt_site_total(const struct launch *launch, uint32_t index);
/* Bytes a thread accesses there. */
uint64_t simt_access_width(const struct site_info *info);
/* What follows from a function's code and how often each piece of it ran: chains of instructions, groups of loads. */
void simt_count_code(const struct share *share, const struct code *code, struct counters *counters);
/* Of a kernel that was launched: what its machine code spills. */
void simt_count_spills(const struct share *share, const struct simt_kernel *kernel,
                       struct counters *counters);

/* ---- slow.c: divisions and roots with a slow path. ptxas makes of each a few instructions for usual operands,
 * a test, and a routine that is called if any thread of the warp has other operands. The number of those calls
 * decides what the machine code executes. */
/* Whether the instruction has such a routine: div, rcp and sqrt of f32 and f64 that round to the nearest. */
bool simt_slow_has_path(const struct ptx_instruction *instruction);
/* Of the lanes of `mask`, those that go there. The operation is such an instruction's, without its guard. */
uint32_t simt_slow_lanes(const struct simt_operation *operation, const uint8_t *registers, uint32_t mask);

/* ---- trips.c: trips of warps round each loop of a function, per entry. A loop is what lies between the target
 * of a backward branch and the last branch to it. A warp has left it when its last threads go on outside; at
 * the warp's end every loop that it went round at least once ends too. */
/* Of a warp that is in a loop. All zeros: it is not. */
struct warp_trips {
    uint32_t backs;             /* branches back that were taken */
    uint32_t last;              /* trips of those that left early, the last of them; 0: none did */
    uint32_t digits;            /* of those, the binary digits of each */
    uint64_t rests;             /* of those, bit T % 64 of each */
    uint8_t leave[LOOP_POWERS]; /* loop_trips.h */
};

enum { TRIPS_FEW = 32 };

/* What a host thread counted of a loop. */
struct worker_trips {
    uint64_t few
        [TRIPS_FEW]; /* entries of so many trips, whose threads all left together: the usual case, added up later */
    struct loop_trips sums; /* all others */
};

/* Find the loops of a decoded function. False: out of memory. */
bool simt_trips_find(struct code *code);
/* The warp is done: it has left all loops. */
void simt_trips_end(struct worker *worker, struct warp *warp);
/* What all host threads counted of a loop of the module. */
struct loop_trips simt_trips_total(const struct launch *launch, uint32_t loop);

/* The branch at `at` has a mark; lanes in `taken`, of those in `mask`, take it. */
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

#endif

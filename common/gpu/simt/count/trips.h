/*
 * trips.h: the trips that warps make round the loops of a function, each time they enter one. Private to simt/.
 *
 * A loop is what lies between the target of a branch back and the last of the branches to it. A warp enters it by whatever
 * way and has left it when its last threads go on outside; at the warp's end
 * what it has not left so ends too, where it went round at least once.
 */
#ifndef SIMT_TRIPS_H
#define SIMT_TRIPS_H

#include "gpu/simt/control/launch.h"

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

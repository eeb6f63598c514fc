/* endless.h: finds launches that can never end. Private to simt/.
 *
 * A launch in which no block ends for a round is watched for a short while, on one host thread.
 * Every store is compared with the old bytes, and each path, at its backward branches, with a copy
 * of its warp. A path repeats if its place, registers and local memory equal the copy's, and no
 * byte of memory, clock or result of another warp changed in between. A path that repeats gives way
 * to others.
 *
 * A launch never ends if no further block fits, and every path of every resident block repeats, or
 * waits for one that does. Only exact equality counts, so that no honest kernel is stopped. A loop
 * with a change on every trip is left to the budget. */
#pragma once

#include "gpu/simt/control/launch.h"

/* Runs an operation of a watched launch for the lanes in mask, as its masked handler does. */
void simt_endless_run(struct worker *worker, struct warp *warp, const struct simt_operation *operation,
                      uint8_t *registers, uint32_t *predicates, uint32_t mask);
/* Something that a warp may read has, or may have, changed: no path is known to repeat any more. */
static inline void endless_changed(struct worker *worker) {
    worker->launch->changes++;
}
/* The warp arrives at a barrier of the block. */
void simt_endless_meets(struct warp *warp);
/* The warp gives its part to the barrier's reduction. Other warps get a new result unless the part
 * is the same each time. */
void simt_endless_reduces(struct warp *warp, const struct ptx_instruction *instruction, uint32_t true_lanes);
/* These threads of the warp are about to run, or to go on after a backward branch. */
void simt_endless_moves(struct warp *warp, uint32_t mask);
/* These threads were let go, or released by others, so they do not repeat. */
void simt_endless_released(struct warp *warp, uint32_t mask);
/* Whether the path repeats; to be called after a taken backward branch, or a call. */
bool simt_endless_repeats(struct worker *worker, struct warp *warp, const struct path *path,
                          const struct ptx_instruction *back);
/* The last path that can run and is not known to repeat; -1: none. */
int simt_endless_next_path(const struct worker *worker, const struct warp *warp);
void simt_endless_forget(struct warp *warp);

/* Stops a launch whose budget is spent, with a fault of its first running block. */
void simt_endless_stop(struct launch *launch, uint64_t instructions, uint64_t budget);
/* Runs between rounds, on one thread, and decides what the next round watches. True: the launch can
 * never end, and the fault is set. */
bool simt_endless_end_round(struct launch *launch);

/* ---- what endless.c notes of a warp and endless_launch.c decides by; for these two files alone */

enum { LOADS_KEPT = 2 };

/* A load of a loop from memory, for the message. */
struct load_seen {
    const struct ptx_instruction *instruction;
    uint64_t address;
};

struct warp_watch {
    uint64_t epoch;                     /* of memory at the snapshot */
    uint32_t visits;                    /* backward branches in this epoch */
    uint32_t power;                     /* number of those after which a new snapshot replaces the old one */
    uint32_t since;                     /* visits since the snapshot */
    uint32_t moved;                     /* lanes that ran since the snapshot */
    uint32_t repeats;                   /* lanes that are known to repeat */
    bool meets;                         /* the warp came to a barrier of the block since the snapshot */
    bool repeats_meet;                  /* and so did its repeating lanes */
    const struct ptx_instruction *back; /* backward branch of a repeating loop */
    const struct ptx_instruction *reduction;
    uint32_t reduction_lanes;
    size_t differs; /* where the last comparison failed: compared first */
    size_t bytes, capacity;
    uint8_t *copy; /* NULL: no snapshot */
    struct load_seen loads[LOADS_KEPT];
};

/* The lanes that are known to repeat, with memory as it is now. */
uint32_t simt_endless_repeating_lanes(const struct launch *launch, const struct warp *warp);

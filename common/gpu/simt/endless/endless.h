/*
 * endless.h: finds launches that can never end. Private to simt/.
 *
 * A launch in which no block ends for a round is watched for a short while, on one host thread: every store is
 * compared with what was there, and each path is compared, at its backward branches, with a copy of its warp. A path
 * that is again exactly where it was, with the same registers and local memory, and no byte of memory, no clock and no
 * result of another warp changed in between, repeats for good as long as nobody else changes memory: it gives way. When
 * every path of every resident block repeats, or waits for one that does, and no block that has not started fits,
 * nobody is left who could change anything: the launch never ends. Only exact equality counts, so that no honest kernel
 * is ever stopped; what changes on every trip is left to the instruction budget.
 */
#ifndef SIMT_ENDLESS_H
#define SIMT_ENDLESS_H

#include "gpu/simt/control/launch.h"

/* Run an operation of a watched launch for the lanes in mask: as its masked handler does. */
void simt_endless_run(struct worker *worker, struct warp *warp, const struct simt_operation *operation,
                      uint8_t *registers, uint32_t *predicates, uint32_t mask);
/* Something a warp may read has changed, or may have: what was found until now holds no longer. */
static inline void endless_changed(struct worker *worker) {
    worker->launch->changes++;
}
/* The warp comes to a barrier of the block. */
void simt_endless_meets(struct warp *warp);
/* It gives its part to the barrier's reduction: what others get is new unless it is the same part each time. */
void simt_endless_reduces(struct warp *warp, const struct ptx_instruction *instruction, uint32_t true_lanes);
/* These threads of the warp are about to run, or go on after a branch back. */
void simt_endless_moves(struct warp *warp, uint32_t mask);
/* These threads were let go, or released by others: what they do next is new. */
void simt_endless_released(struct warp *warp, uint32_t mask);
/* After a branch back, which has been taken, or a call: whether the path repeats. */
bool simt_endless_repeats(struct worker *worker, struct warp *warp, const struct path *path,
                          const struct ptx_instruction *back);
/* The last path that can run and is not known to repeat, -1: none. */
int simt_endless_next_path(const struct worker *worker, const struct warp *warp);
void simt_endless_forget(struct warp *warp);

/* The budget is spent: the fault of the first block that is still there. */
void simt_endless_stop(struct launch *launch, uint64_t instructions, uint64_t budget);
/* Between rounds, on one thread: what the next round is to be. True: the launch can never end, and the fault is set. */
bool simt_endless_end_round(struct launch *launch);

/* ---- What endless.c notes of a warp and endless_launch.c decides by; for these two files alone. */

enum { LOADS_KEPT = 2 };

/* What a loop read from memory, for the message. */
struct load_seen {
    const struct ptx_instruction *instruction;
    uint64_t address;
};

struct warp_watch {
    uint64_t epoch;                     /* of memory, when the snapshot was taken */
    uint32_t visits;                    /* backward branches in this epoch */
    uint32_t power;                     /* of those after which a new snapshot replaces the old one */
    uint32_t since;                     /* the snapshot */
    uint32_t moved;                     /* lanes that ran since the snapshot */
    uint32_t repeats;                   /* lanes that are known to repeat */
    bool meets;                         /* since the snapshot the warp came to a barrier of the block */
    bool repeats_meet;                  /* and so did those that repeat */
    const struct ptx_instruction *back; /* the backward branch of a loop that repeats */
    const struct ptx_instruction *reduction;
    uint32_t reduction_lanes;
    size_t differs; /* where the last comparison failed: looked at first */
    size_t bytes, capacity;
    uint8_t *copy; /* NULL: no snapshot */
    struct load_seen loads[LOADS_KEPT];
};

/* The lanes that are known to repeat, with memory as it is now. */
uint32_t simt_endless_repeating_lanes(const struct launch *launch, const struct warp *warp);

#endif

/* endless_parts.h: what endless.c sees of a warp and endless_launch.c decides by. Private to these two. */
#ifndef SIMT_ENDLESS_PARTS_H
#define SIMT_ENDLESS_PARTS_H

#include "gpu/simt/endless/endless.h"

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

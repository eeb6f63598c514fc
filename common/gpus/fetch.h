/*
 * fetch.h: where an SM's warps have their instructions from: its own cache, the one it shares with its neighbours, L2.
 * Lines come one behind the other before they are asked for, as long as warps go straight on. Private to gpus/.
 */
#ifndef GPUS_FETCH_H
#define GPUS_FETCH_H

#include "gpus/code.h"
#include "gpus/gpus.h"

enum { FETCH_LINE = 8 }; /* instructions of 16 bytes in a line */

/* A cache that keeps the lines that were used last. */
struct fetch_cache {
    uint32_t room, held;       /* lines */
    uint32_t newest, oldest;   /* lines; UINT32_MAX: none */
    struct fetch_order *order; /* of each line */
};

struct fetch {
    const struct gpu_model *model;
    uint32_t line_count;
    struct fetch_cache own, group;
    double *there; /* of each line: when it is there, since it was last fetched */
    double free;   /* when the next line can come */
};

/* False: out of memory. */
bool fetch_begin(struct fetch *fetch, const struct gpu_model *model, const struct gpu_code *code);
void fetch_end(struct fetch *fetch);
/* A warp goes on at `next` at that time: when the instruction is there. */
double fetch_instruction(struct fetch *fetch, uint32_t next, double at);

#endif

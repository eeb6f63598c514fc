/*
 * fetch.h: instruction fetch: the SM's own cache, the cache that several SMs share, L2. Lines are
 * prefetched in a stream as long as warps go straight on. Private to gpu/time/.
 */
#ifndef TIME_FETCH_H
#define TIME_FETCH_H

#include "gpu/time/code.h"
#include "gpu/time/gpus.h"

enum { FETCH_LINE = 8 }; /* instructions of 16 bytes in a line */

/* A cache that evicts the least recently used line. */
struct fetch_cache {
    uint32_t room, held;       /* lines */
    uint32_t newest, oldest;   /* lines; UINT32_MAX: none */
    struct fetch_order *order; /* of each line */
};

struct fetch {
    const struct gpu_model *model;
    uint32_t line_count;
    struct fetch_cache own, group;
    double *there; /* per line: cycle at which its last fetch has come */
    double free;   /* cycle at which the next line can come */
};

/* False: out of memory. */
bool fetch_begin(struct fetch *fetch, const struct gpu_model *model, const struct gpu_code *code);
void fetch_end(struct fetch *fetch);
/* Returns the cycle at which instruction `next` is there for a warp that needs it at cycle `at`. */
double fetch_instruction(struct fetch *fetch, uint32_t next, double at);

#endif

/* chain.h: how long warps are kept by one another. A warp's place in the chain is the number of warp instructions
 * that ran one after the other until it came there: its own, and those of the warps for which it waited. It does not
 * depend on the order in which the simulator runs warps. Private to simt/. */
#ifndef SIMT_CHAIN_H
#define SIMT_CHAIN_H

#include <stdint.h>

struct warp;

/* A copy, and so many nanoseconds, take about as long as a lone warp does for so many instructions, and for one. */
enum { CHAIN_COPY = 128, CHAIN_NS = 4 };

struct chain {
    uint64_t instructions;
    uint64_t copies;   /* on the same way: bulk copies one after the other */
    uint64_t slept_ns; /* on the same way: of __nanosleep */
};

/* An mbarrier's. */
struct chain_phase {
    struct chain pending, over; /* what has arrived in this phase; what ended the one before */
};

/* The place of a warp that is `within` instructions into its run. */
struct chain simt_chain_of(const struct warp *warp, uint64_t within);
/* The longer of both. */
void simt_chain_join(struct chain *latest, const struct chain *other);
/* The warp goes on no sooner. */
void simt_chain_wait(struct warp *warp, uint64_t within, const struct chain *until);

#endif

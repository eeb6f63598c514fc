/*
 * latency.h: latencies of L2 and DRAM, without the time in queues. Private to gpu/time/.
 */
#ifndef TIME_LATENCY_H
#define TIME_LATENCY_H

#include "gpu/time/walk/sm_state.h"

/* Cycles until L2 gives the last of so many lines. */
double latency_of_l2(struct sm *sm, double lines);
/* Cycles until DRAM gives the last of its share of so many lines. */
double latency_of_dram(const struct sm *sm, const struct warp *warp, const struct gpu_instruction *in,
                       double lines, double share);
/* Lines per sector: 1 where each line gives one sector, 0.25 where whole lines are asked for. */
static inline double lines_per_sector(const struct gpu_instruction *in) {
    return in->sectors > 0 ? in->lines / in->sectors : 0.25;
}

#endif

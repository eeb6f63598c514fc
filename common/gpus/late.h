/*
 * late.h: how long L2 and DRAM take to answer, beyond queues. Private to gpus/.
 */
#ifndef GPUS_LATE_H
#define GPUS_LATE_H

#include "gpus/sm_state.h"

/* Cycles until L2 gives the last of so many lines. */
double late_l2(struct sm *sm, double lines);
/* Until DRAM does. lines: of which it gives `share`. */
double late_dram(const struct sm *sm, const struct warp *warp, const struct gpu_instruction *in, double lines,
                 double share);
/* Lines for a sector: 1 where each gives one, 0.25 where whole lines are asked for. */
static inline double lines_for_sector(const struct gpu_instruction *in) {
    return in->sectors > 0 ? in->lines / in->sectors : 0.25;
}

#endif

/* by_counters.h: a launch's time from its counters alone. Private to gpu/time/. */
#ifndef TIME_BY_COUNTERS_H
#define TIME_BY_COUNTERS_H

#include "gpu/time/gpus.h"

void gpu_time_by_counters(const struct gpu_model *model, const struct gpu_launch *launch,
                          struct gpu_time *time);

/* Cycles of L2 for atomics on global memory, at the busiest slices or at one line. */
double gpu_atomic_cycles(const struct gpu_model *model, const struct counters *counters);
/* The same, or for stores to one line, whichever is more. */
double gpu_contention_cycles(const struct gpu_model *model, const struct counters *counters);

#endif

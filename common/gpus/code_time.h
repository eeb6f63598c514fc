/* code_time.h: a launch's time from its machine code. Private to gpus/. */
#ifndef GPUS_CODE_TIME_H
#define GPUS_CODE_TIME_H

#include "gpus/code.h"
#include "gpus/gpus.h"

/* launch->code is there. False: out of memory, or the block does not fit the SM. */
bool gpu_code_time(const struct gpu_model *model, const struct gpu_launch *launch, struct gpu_time *time);

/* What atomics on global memory take of L2, in cycles of the whole chip: at the busiest slices, at one line. */
double gpu_atomic_cycles(const struct gpu_model *model, const struct counters *counters);
/* The same, or of stores that meet at a line. */
double gpu_meeting_cycles(const struct gpu_model *model, const struct counters *counters);

#endif

/* time_model.h: the two models of a launch's time that time_model.c chooses from. Private to gpu/time/. */
#ifndef TIME_MODEL_H
#define TIME_MODEL_H

#include "gpu/time/code.h"
#include "gpu/time/gpus.h"

/* The second where either is NAN, unlike fmax and fmin. */
static inline double larger(double a, double b) {
    return a > b ? a : b;
}
static inline double smaller(double a, double b) {
    return a < b ? a : b;
}

/* The time from the counters alone (by_counters.c). */
void gpu_time_by_counters(const struct gpu_model *model, const struct gpu_launch *launch,
                          struct gpu_time *time);

/* Cycles of L2 for atomics on global memory, at the busiest slices or at one line. */
double gpu_atomic_cycles(const struct gpu_model *model, const struct counters *counters);
/* The same, or for stores to one line, whichever is more. */
double gpu_contention_cycles(const struct gpu_model *model, const struct counters *counters);

/* The time from the machine code (walk/code_time.c). launch->code is not NULL. False: out of memory, or the block
 * does not fit the SM. */
bool gpu_code_time(const struct gpu_model *model, const struct gpu_launch *launch, struct gpu_time *time);

#endif

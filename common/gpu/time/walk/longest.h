/* longest.h: the warps that go on after the usual ones have ended: the longest of all, and those of a block that alone does
 * something. Private to gpu/time/. */
#ifndef TIME_LONGEST_H
#define TIME_LONGEST_H

#include "gpu/time/time_model.h"
#include "gpu/time/walk/sm.h"

/* Executions of accesses of a kind by all warps. */
double longest_executions(const struct gpu_code *code, enum gpu_access access);
/* Whether the longest of all warps is much longer than a block's longest on average. */
bool longest_differs(const struct gpu_launch *launch, double blocks);
/* Cycles of the longest of all warps if nothing else runs; data that it waits for count where its block awaits it at barriers. */
double longest_alone(const struct gpu_launch *launch);
/*
 * Cycles for which the longest warp goes on after the usual ones have ended, at the speed of a warp
 * whose block is alone on its SM. The more waves of blocks there are, the less likely it starts
 * with the last. Warps with barriers all take as long as the longest of their block. False: out of
 * memory.
 */
bool longest_outlasts(const struct gpu_launch *launch, const struct sm_load *load,
                      const struct sm_result *result, double waves, double *cycles);
/* Looks for a block that alone does something, where blocks differ; if there is one, only the others
 * are to be walked. False: out of memory. */
bool longest_find_rare(const struct gpu_launch *launch, double blocks, struct sm_load *load,
                       struct rare_work *work);
/* Adds that block to the cycles of the others and to what warps wait for. False: out of memory. */
bool longest_add_rare(const struct sm_load *load, const struct rare_work *work, double blocks, double waves,
                      struct sm_result *result, double *total);

#endif

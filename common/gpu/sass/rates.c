/*
 * rates.c: see rates.h. Source: CUDA C++ Programming Guide, "Arithmetic Instructions", table "Throughput of Native Arithmetic
 * Instructions" (results per cycle and SM), whose rows are 32-bit floating-point add, multiply, multiply-add (FMA), 32-bit integer
 * multiply (the heavy half), 32-bit integer add, compare, logic (ALU), 16-bit half2 (FP16), 64-bit floating-point (FP64) and reciprocal,
 * base-2 logarithm, sine (XU). An SM has four sub-partitions; 32 lanes times 4 over the results per cycle is the interval.
 */
#include "gpu/sass/rates.h"

/* Results per cycle and SM. */
struct rates {
    uint8_t from, until; /* architectures */
    uint8_t per_cycle[SASS_PIPES];
};

static const struct rates rates[] = {
    {70,
     70,
     {[SASS_PIPE_FMA] = 64,
      [SASS_PIPE_HEAVY] = 64,
      [SASS_PIPE_ALU] = 64,
      [SASS_PIPE_FP64] = 32,
      [SASS_PIPE_XU] = 16}},
    {75,
     75,
     {[SASS_PIPE_FMA] = 64,
      [SASS_PIPE_HEAVY] = 64,
      [SASS_PIPE_ALU] = 64,
      [SASS_PIPE_FP64] = 2,
      [SASS_PIPE_XU] = 16}},
    {80,
     80,
     {[SASS_PIPE_FMA] = 64,
      [SASS_PIPE_HEAVY] = 64,
      [SASS_PIPE_ALU] = 64,
      [SASS_PIPE_FP64] = 32,
      [SASS_PIPE_XU] = 16}},
    {86,
     89,
     {[SASS_PIPE_FMA] = 128,
      [SASS_PIPE_HEAVY] = 64,
      [SASS_PIPE_ALU] = 64,
      [SASS_PIPE_FP64] = 2,
      [SASS_PIPE_XU] = 16}},
    {90,
     90,
     {[SASS_PIPE_FMA] = 128,
      [SASS_PIPE_HEAVY] = 64,
      [SASS_PIPE_ALU] = 64,
      [SASS_PIPE_FP64] = 64,
      [SASS_PIPE_XU] = 16}},
};

uint32_t sass_issue_interval(uint32_t architecture, enum sass_pipe pipe) {
    for (size_t i = 0; i < sizeof rates / sizeof rates[0] && pipe < SASS_PIPES; i++) {
        uint32_t results = rates[i].per_cycle[pipe];
        if (architecture >= rates[i].from && architecture <= rates[i].until && results != 0) {
            return 32 * 4 / results;
        }
    }
    return 0;
}

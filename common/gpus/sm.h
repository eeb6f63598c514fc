/*
 * sm.h: one SM, instruction by instruction: four schedulers, their pipes, the SM's load/store unit, its share of L2 and DRAM. Warps
 * walk through a kernel's machine code as often as the launch did on average, and wait as the compiler's scheduling fields
 * say. Everything is deterministic. Private to gpus/.
 */
#ifndef GPUS_SM_H
#define GPUS_SM_H

#include "gpus/code.h"
#include "gpus/gpus.h"

struct sm_load {
    const struct gpu_model *model;
    const struct gpu_code *code;
    uint32_t warps_per_block, resident_blocks;
    double blocks;       /* that come to this SM, one after the other */
    uint32_t active_sms; /* that share L2 and DRAM with it */
    double dram_share;   /* of sectors that L1 misses, how many come from DRAM */
    double waiting;      /* of those, how many are under way for another request */
    double crossing;     /* of sectors that L1 misses, how many come from L2's other half */
    double fetched;      /* sectors that DRAM reads for each of those: all of what it brings at once */
    double written_back, completed;  /* DRAM sectors written, and read, for each sector stored */
    double local_missed, local_dram; /* of local memory, what L1 and then L2 cannot hold */
    double
        local_back; /* of loads of local memory that the PTX has, which miss L1: the share that misses L2 */
    double atomic_read,
        atomic_written;   /* DRAM sectors read, and written, for each sector that atomics touch */
    double atomic_cycles; /* of the atomics' queue, each execution */
    bool alike;           /* the warps of a block do the same, those of different blocks need not */
    double busy;   /* the share of all blocks that do the work, while the others end at once; 1: none does */
    double offset; /* 0 to 1: which warps go which way, where only some do */
    double phase;  /* 0 to 1: whose data come how late */
    uint64_t budget; /* instructions to be walked through; what is left is extrapolated */
};

struct sm_result {
    double cycles;      /* from the first block's start to the last one's end */
    double warp_cycles; /* a warp's life, on average */
    double longest;     /* instructions of a block's longest warp over those of all its warps, on average */
    bool varied;        /* warps may differ in what they execute */
    double issued;      /* instructions that were walked through */
    double expected;    /* as many as were counted, where all were to be walked through */
    double stalls[GPU_STALL_COUNT]; /* cycles that warps spent in each state meanwhile, added up */
};

/* False: out of memory. */
bool sm_walk(const struct sm_load *load, struct sm_result *result);

#endif

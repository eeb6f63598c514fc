/*
 * sm.h: the time of one SM, instruction by instruction: four schedulers, their pipes, the
 * load/store unit, a share of L2 and DRAM. Each warp executes blocks as often as the launch did on
 * average. Each warp waits as the compiler's scheduling fields say. No random numbers: the same
 * input gives the same result. Private to gpu/time/.
 */
#ifndef TIME_SM_H
#define TIME_SM_H

#include "gpu/time/code.h"
#include "gpu/time/gpus.h"

/* Which blocks are walked, of a launch of which one block alone does something (rare.c). */
enum sm_blocks { SM_ALL_BLOCKS, SM_USUAL_BLOCKS, SM_RARE_BLOCK };

/* What such a block does. */
struct rare_work {
    double instructions; /* of its warps; 0: there is no such block */
    bool comes_last;     /* it is known by an atomic's result, so all others have ended before */
};

/* What the SM has to do, and the share of the chip's memory system that it has. */
struct sm_load {
    const struct gpu_model *model;
    const struct gpu_code *code;
    uint32_t warps_per_block, resident_blocks;
    double blocks;            /* blocks that this SM executes, one after the other */
    double counted;           /* share of these cycles that counts: below 1, its waves were made whole */
    uint32_t active_sms;      /* SMs that share L2 and DRAM, this one included */
    double dram_share;        /* fraction of sectors missed in L1 that come from DRAM */
    double pending_share;     /* fraction of those that another request has already asked for */
    double crossing_share;    /* fraction of sectors missed in L1 that come from L2's other half */
    double dram_reads;        /* sectors that DRAM reads per sector missed in L1 */
    double store_dram_writes; /* sectors that DRAM writes per sector stored */
    double store_dram_reads;  /* sectors that DRAM reads, to complete partial ones, per sector stored */
    double local_miss_share;  /* fraction of loaded spilled sectors that miss L1 */
    double local_dram_share;  /* fraction of stored spilled sectors that L2 cannot hold */
    /* fraction of the missed sectors of local arrays that L2 does not hold any more */
    double local_reload_share;
    double atomic_dram_reads;  /* sectors that DRAM reads per sector of atomics */
    double atomic_dram_writes; /* sectors that DRAM writes per sector of atomics */
    double atomic_cycles;      /* cycles of L2's atomic queue per execution of an atomic */
    bool blocks_differ;        /* some blocks execute much more than others, so it counts which this SM has */
    bool block_uniform;        /* all warps of a block follow the same path; blocks may differ */
    double busy_share; /* fraction of blocks that do the work while the others end at once; 1: all work */
    enum sm_blocks which;
    double path_phase;    /* 0 to 1: which warps take which path */
    double latency_phase; /* 0 to 1: which loads get long latencies */
    uint64_t budget;      /* instructions to be walked; the rest is extrapolated */
};

struct sm_result {
    double cycles;                  /* from the first block's start to the last one's end */
    double warp_cycles;             /* cycles from a warp's start to its end, on average */
    double longest;                 /* instructions of a block's longest warp over the average of its warps */
    bool varied;                    /* warps may differ in what they execute */
    double issued;                  /* instructions walked, repeated trips apart */
    double expected;                /* instructions counted, where all were to be walked */
    double stalls[GPU_STALL_COUNT]; /* cycles that warps spent in each state */
};

/* Cycles that one execution of an access to global or local memory occupies the LSU and L1: the
 * tags of its lines, or its data and what is filled, whichever take longer. */
double sm_l1_cycles(const struct gpu_model *model, const struct gpu_instruction *in);
/* Finds the edges that warps of one block alone take, with much behind them: sets rare[edge] and
 * *work. False: out of memory. */
bool rare_find(const struct gpu_code *code, uint32_t warps_per_block, bool *rare, struct rare_work *work);
/* False: out of memory, or more warps than an SM holds. */
bool sm_walk(const struct sm_load *load, struct sm_result *result);

#endif

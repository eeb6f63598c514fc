/*
 * gpus.h: what a GPU is. One data file per model (h200.ini, ...), the occupancy calculator and the time model.
 * This room reads counters and launch shapes; it never sees a warp.
 */
#ifndef GPUS_GPUS_H
#define GPUS_GPUS_H

#include "simt/counters.h"
#include "simt/simt.h"

/* Parameters of a model. Every field is a key of the same name in the .ini file, with its source in a comment there.
 * Rates are per SM and cycle, in warp instructions (a rate of 4 = 128 lanes). */
struct gpu_model {
    char id[32];                   /* "h200" */
    char name[64];                 /* "NVIDIA H200" */
    uint32_t compute_major, compute_minor;
    uint32_t sm_count, max_warps_per_sm, max_blocks_per_sm, max_threads_per_sm, max_threads_per_block;
    uint32_t registers_per_sm, registers_per_block, max_registers_per_thread, register_granularity, warp_granularity;
    uint32_t shared_per_sm, shared_per_block, shared_per_block_optin, shared_reserved, shared_granularity;
    uint32_t l1_bytes;             /* L1 and shared together, per SM */
    uint64_t l2_bytes, memory_bytes;
    double clock_mhz;              /* under load, as measured; not the boost figure of a datasheet unless said so */
    double memory_clock_mhz;
    uint32_t memory_bus_bits;
    double dram_gbs;               /* achievable bytes per second, reads and writes together */
    double l2_gbs;
    double issue_rate, fma_rate, fp32_rate, int_rate, imad_rate, fp64_rate, fp16_rate, special_rate, conversion_rate, shuffle_rate;
    double lsu_rate;               /* memory instructions per cycle */
    double l1_wavefront_rate, shared_wavefront_rate;
    double l1_sectors_per_cycle;   /* tag stage */
    double l2_sectors_per_cycle;   /* whole chip */
    double latency_alu, latency_shared, latency_l1, latency_l2, latency_dram; /* cycles */
    double launch_us;              /* a kernel's own start and end, as ncu's time includes it */
    double ptx_to_machine;         /* machine instructions per PTX instruction, for classes a compiler removes (moves) */
};

/* Load the model `id` from directory/id.ini. Returns false and a one-line message on failure (which file, which key). */
bool gpu_model_load(const char *directory, const char *id, struct gpu_model *model, char *error, size_t size);
/* Fill the simulator's configuration from a model; the "how to run" fields get their defaults. */
void gpu_model_simt_config(const struct gpu_model *model, struct simt_config *config);

enum gpu_limit { GPU_LIMIT_WARPS, GPU_LIMIT_BLOCKS, GPU_LIMIT_REGISTERS, GPU_LIMIT_SHARED, GPU_LIMIT_NONE };

struct gpu_occupancy {
    uint32_t blocks_per_sm, warps_per_sm; /* 0: the block does not fit at all */
    double fraction;
    enum gpu_limit limit;
};
/* Blocks of `threads` threads that fit one SM together. shared_bytes: static + dynamic per block. */
struct gpu_occupancy gpu_occupancy(const struct gpu_model *model, uint32_t threads, uint32_t registers, uint32_t shared_bytes);
const char *gpu_limit_name(enum gpu_limit limit);

/* One launch as the time model sees it. */
struct gpu_launch {
    uint32_t grid[3], block[3];
    uint32_t registers, shared_bytes;
    const struct simt_counters *counters;
    uint64_t longest_warp_instructions, largest_block_instructions;
};

enum gpu_unit { GPU_ISSUE, GPU_FMA, GPU_ALU, GPU_FP64, GPU_SPECIAL, GPU_LSU, GPU_L1, GPU_SHARED, GPU_L2, GPU_DRAM, GPU_LATENCY, GPU_LAUNCH, GPU_UNIT_COUNT };

struct gpu_time {
    double time_us;
    double unit_us[GPU_UNIT_COUNT];  /* what the counters ask of each unit */
    enum gpu_unit limiter;
    double waves, tail;              /* waves of blocks; share of the time in the last, partial wave */
    double occupancy_theoretical, occupancy_achieved; /* 0..1; achieved is modelled from waves and tail */
};
void gpu_time_model(const struct gpu_model *model, const struct gpu_launch *launch, struct gpu_time *time);
const char *gpu_unit_name(enum gpu_unit unit); /* "issue", "fma", "alu", "fp64", "special", "lsu", "l1", "shared", "l2", "dram", "latency", "launch" */

#endif

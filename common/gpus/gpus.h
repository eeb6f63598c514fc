/*
 * gpus.h: what a GPU is. One data file per model (h200.ini, ...), the occupancy calculator and the time
 * model. This room reads counters and launch shapes; it never sees a warp.
 */
#ifndef GPUS_GPUS_H
#define GPUS_GPUS_H

#include "base/counters.h"
#include "base/path.h"

#include <stddef.h>

/* Parameters of a model. Every field is a key of the same name in the .ini file, with its source in a comment
 * there. Rates are per SM and cycle, in warp instructions (a rate of 4 = 128 lanes). All keys are required.
 */
struct gpu_model {
    char id[32];   /* "h200": the file's name, not a key */
    char name[64]; /* "NVIDIA H200" */
    uint32_t compute_major, compute_minor;
    uint32_t sm_count, max_warps_per_sm, max_blocks_per_sm, max_threads_per_sm, max_threads_per_block;
    uint32_t registers_per_sm, registers_per_block, max_registers_per_thread;
    uint32_t register_granularity; /* registers are given to a warp in multiples of this */
    uint32_t warp_granularity;     /* partitions of an SM: each holds its own share of warps and registers */
    uint32_t shared_per_sm, shared_per_block, shared_per_block_optin;
    uint32_t shared_reserved; /* bytes the system takes of each block's shared memory */
    uint32_t shared_granularity;
    uint32_t l1_bytes; /* per SM; L1 and shared together where l1_unified */
    bool l1_unified;   /* shared memory and L1 are one memory with one data stage */
    uint64_t l2_bytes, memory_bytes;
    double
        l2_different; /* share of L2 that holds different data: of two partitions each keeps copies of the other's */
    uint32_t l2_slices; /* that atomics are spread over */
    uint32_t l2_persisting_bytes,
        l2_window_bytes; /* the most that may be set aside; the largest policy window */
    double clock_mhz;    /* under load, as measured; not the boost figure of a datasheet unless said so */
    double memory_clock_mhz;
    uint32_t memory_bus_bits;
    double dram_gbs; /* achievable 10^9 bytes per second, reads and writes together */
    double issue_rate, fma_rate, fp32_rate, int_rate, imad_rate, fp64_rate, fp16_rate, special_rate,
        conversion_rate, shuffle_rate;
    bool int_shares_fma; /* integer arithmetic runs on the float cores (Maxwell), not on a pipe of its own */
    double lsu_rate;     /* memory instructions per cycle */
    double l1_wavefront_rate;    /* 128-byte lines looked up per cycle */
    double l1_sectors_per_cycle; /* sectors the L1 data stage returns */
    double shared_wavefront_rate;
    double l2_sectors_per_cycle; /* read, whole chip */
    double
        l2_write_sectors_per_cycle; /* written, whole chip; of two halves twice what crosses between them */
    double l2_requests_per_cycle;   /* whole chip, whatever their size, up to a line of 128 bytes */
    double constant_rate;       /* words the constant cache gives per cycle, each to all lanes that want it */
    double atomic_queue_cycles; /* cycles of a pass where all go to one line */
    double atomic_slice_cycles; /* the same at different lines of one slice of L2 */
    double store_queue_cycles;  /* cycles of a store where all go to one line */
    double latency_alu, latency_shared, latency_l1, latency_l2, latency_dram; /* cycles */
    double latency_dram_cold;  /* what a load of memory that nobody touched before takes, apart from queues */
    uint32_t code_bytes;       /* of the SM's own instruction cache */
    uint32_t code_group_bytes; /* of the next, which it shares with its neighbours */
    double code_group_cycles,
        code_l2_cycles;        /* a line of 128 bytes from there, from L2, one behind the other */
    double instruction_cycles; /* cycles a warp alone needs per instruction, its own parallelism included */
    double loads_in_flight;    /* loads of one warp that overlap before their first use */
    double block_turnover;     /* cycles from a block's end to its successor's first instruction */
    double overlap_power;      /* how well units overlap: time = (sum of busy^power)^(1/power) */
    double issue_efficiency;   /* best share of the issue slots a long kernel reaches */
    double host_link_gbs;      /* copies between pinned host memory and the device, 10^9 bytes per second */
    double host_pageable_gbs;  /* the same from pageable memory */
    double copy_start_us;      /* of a copy over the link besides its bytes */
    double pageable_copy_us;   /* the same where the host stages it, waits and is woken */
    /* The host's own time in a call: a launch; an asynchronous copy or fill; an event recorded or waited for by a stream;
     * coming back from a wait when the work has ended; launching a graph. */
    double host_launch_us, host_copy_us, host_event_us, host_wait_us, graph_launch_us;
    double launch_us; /* a kernel's own start and end, as ncu's time includes it */
    /* Machine instructions per PTX instruction of a class: effective weights, what ptxas folds, predicates
     * and adds. */
    double ptx_to_machine;     /* moves, selections, width conversions */
    double int_to_machine;     /* integer arithmetic other than multiplies: folded into addresses, three-input
                                  adds */
    double control_to_machine; /* branches: short ones become predicates */
};

/* Load the model `id` from directory/id.ini. Returns false and a one-line message on failure (which file,
 * which line, which key). directory NULL: as gpu_model_find_directory finds it. */
bool gpu_model_load(const char *directory, const char *id, struct gpu_model *model, char *error, size_t size);
/* The same from text in memory; `file` names it in messages. Any bytes are safe to pass. */
bool gpu_model_parse(const char *text, size_t length, const char *file, struct gpu_model *model, char *error,
                     size_t size);
/* Where the .ini files are: $GPU_MODELS, else common/gpus in a directory above the running program. */
bool gpu_model_find_directory(char path[PATH_SIZE]);
/* The ids of all models in a directory, sorted, separated by blanks. false: none, or it
 * does not fit. */
bool gpu_model_list(const char *directory, char *ids, size_t size);

/* Whether a real GPU, by the name its driver gives it ("NVIDIA H100 80GB HBM3"), has this model's chip. */
bool gpu_model_is(const struct gpu_model *model, const char *name);
/* The model that stands for a real GPU: the one of its name, else of its chip, else of the nearest compute
 * capability; the older, then the first by id, of two that are as near. False and a one-line message as
 * gpu_model_load, also when any of the files is wrong. */
bool gpu_model_nearest(const char *directory, const char *name, uint32_t compute_major,
                       uint32_t compute_minor, struct gpu_model *model, char *error, size_t size);
/* One line for a report where the model is not of the GPU's own chip; false, and no line, where it is. */
bool gpu_model_stands_in(const struct gpu_model *model, const char *name, char *text, size_t size);

enum gpu_limit { GPU_LIMIT_WARPS, GPU_LIMIT_BLOCKS, GPU_LIMIT_REGISTERS, GPU_LIMIT_SHARED, GPU_LIMIT_NONE };

struct gpu_occupancy {
    uint32_t blocks_per_sm, warps_per_sm; /* 0: the block does not fit at all */
    double fraction;                      /* warps_per_sm of the most the SM holds */
    enum gpu_limit limit;               /* the resource that runs out first; NONE: the SM is full of warps */
    uint32_t blocks_by[GPU_LIMIT_NONE]; /* what each resource alone would allow */
};
/* Blocks of `threads` threads that fit one SM together. shared_bytes: static + dynamic per block. */
struct gpu_occupancy gpu_occupancy(const struct gpu_model *model, uint32_t threads, uint32_t registers,
                                   uint32_t shared_bytes);
const char *
gpu_limit_name(enum gpu_limit limit); /* "warps", "blocks", "registers", "shared memory", "none" */

struct gpu_code;

/* One launch as the time model sees it. */
struct gpu_launch {
    uint32_t grid[3], block[3];
    uint32_t registers, shared_bytes;
    const struct counters *counters;
    uint64_t longest_warp_instructions; /* 0: unknown */
    uint64_t
        longest_warps_of_all_blocks; /* instructions of each block's longest warp, added up; 0: unknown */
    uint64_t longest_sleep_ns, longest_sleeps_of_all_blocks_ns; /* the same of what a warp sleeps */
    uint32_t sm_count; /* SMs whose share is known; 0: work is taken to be spread evenly over the blocks */
    const struct sm_work *sms;
    const struct gpu_code
        *code; /* its machine code (code.h); NULL: PTX's counters and weights stand for it */
    bool
        code_withheld; /* there would be such code, of a program that is judged: nothing is taken to overlap then */
};

/* Why a warp waits, by Nsight Compute's names (stalls.c has the words). A warp that issues is "selected". */
enum gpu_stall {
    GPU_STALL_SELECTED,
    GPU_STALL_NOT_SELECTED,
    GPU_STALL_WAIT,
    GPU_STALL_LONG_SCOREBOARD,
    GPU_STALL_SHORT_SCOREBOARD,
    GPU_STALL_BARRIER,
    GPU_STALL_MEMBAR,
    GPU_STALL_MATH_PIPE,
    GPU_STALL_LG,
    GPU_STALL_MIO,
    GPU_STALL_CONSTANT,
    GPU_STALL_NO_INSTRUCTION,
    GPU_STALL_BRANCH,
    GPU_STALL_DRAIN,
    GPU_STALL_DISPATCH,
    GPU_STALL_COUNT
};

// clang-format off
enum gpu_unit {
    GPU_ISSUE, GPU_FMA, GPU_ALU, GPU_FP64, GPU_SPECIAL, GPU_LSU, GPU_L1, GPU_SHARED, GPU_L2, GPU_DRAM, GPU_LATENCY,
    GPU_LAUNCH, GPU_CONSTANT, GPU_ATOMIC, GPU_UNIT_COUNT
};
// clang-format on

struct gpu_time {
    double time_us;
    double unit_us[GPU_UNIT_COUNT]; /* what the counters ask of each unit */
    enum gpu_unit limiter;
    double waves, tail; /* waves of blocks; share of the time in the last, partial wave */
    double occupancy_theoretical, occupancy_achieved; /* 0..1; achieved is modelled from waves and tail */
    double machine_instructions;                      /* warp instructions after the PTX-to-machine mapping */
    bool by_code;                                     /* it follows from the machine code */
    double
        stalls[GPU_STALL_COUNT]; /* by_code: warps in each state, on average, for each instruction issued */
};
void gpu_time_model(const struct gpu_model *model, const struct gpu_launch *launch, struct gpu_time *time);
/* The modelled time of a copy within the device, which DRAM reads and writes, and of a fill, which it writes. */
double gpu_copy_us(const struct gpu_model *model, uint64_t bytes);
double gpu_fill_us(const struct gpu_model *model, uint64_t bytes);
const char *gpu_unit_name(enum gpu_unit unit); /* "issue", "fma", "alu", "fp64", "special", "lsu", "l1",
                                                  "shared", "l2", "dram", "latency", "launch", "constant", "atomic" */
/* A person's words for a unit: "the warp schedulers' issue slots". */
const char *gpu_unit_meaning(enum gpu_unit unit);
const char *gpu_stall_name(enum gpu_stall stall); /* ncu's: "long_scoreboard"; "": no such */
/* A person's words for what a warp waits for: "data of global or local memory". */
const char *gpu_stall_meaning(enum gpu_stall stall);
/* The largest of all but "selected", the first of equals: what most warps wait for. GPU_STALL_COUNT: none is above 0. */
enum gpu_stall gpu_stall_top(const double stalls[GPU_STALL_COUNT]);

#endif

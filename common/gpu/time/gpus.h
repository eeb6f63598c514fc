/*
 * gpus.h: what a GPU is. One data file per model (h200.ini, ...), the occupancy calculator and the
 * time model. This room reads counters and launch shapes; it never sees a warp.
 */
#ifndef TIME_GPUS_H
#define TIME_GPUS_H

#include "base/counters.h"
#include "base/memo.h"
#include "base/path.h"

#include <stddef.h>

/* Bounds of a model's queues: entries of queue_entries, of store_entries. */
enum { GPU_QUEUE_MOST = 64, GPU_STORE_MOST = 256 };

/* A function of a share: straight lines between points, whose shares rise from 0 to 1. */
enum { GPU_CURVE_POINTS = 16 };
struct gpu_curve {
    uint32_t count;
    struct {
        double share, value;
    } points[GPU_CURVE_POINTS];
};

/* Parameters of a model. Every field is a key of the same name in the .ini file, with its source
 * in a comment there. Rates are per SM and cycle, in warp instructions (4: 128 lanes). "Factor":
 * a number without unit that multiplies. Every key is required: given in the file, or inherited
 * with its section. */
struct gpu_model {
    char id[32];   /* "h200": the file's name, not a key */
    char name[64]; /* "NVIDIA H200" */
    uint32_t compute_major, compute_minor;
    uint32_t sm_count, max_warps_per_sm, max_blocks_per_sm, max_threads_per_sm, max_threads_per_block;
    uint32_t registers_per_sm, registers_per_block, max_registers_per_thread;
    uint32_t register_granularity; /* registers: a warp is given multiples of this */
    uint32_t warp_granularity;     /* partitions of an SM; each holds its own warps and registers */
    uint32_t shared_per_sm, shared_per_block, shared_per_block_optin; /* bytes */
    uint32_t shared_reserved;    /* bytes of each block's shared memory that the system takes */
    uint32_t shared_granularity; /* bytes */
    uint32_t l1_bytes;           /* bytes per SM; L1 and shared memory together where l1_unified */
    bool l1_unified;             /* shared memory and L1 are one memory with one data stage */
    uint64_t l2_bytes, memory_bytes;
    /* share of L2's bytes that hold different data; below 1: L2 is two halves that copy from
     * each other */
    double l2_different;
    uint32_t l2_slices; /* slices that atomics are spread over */
    uint32_t l2_persisting_bytes,
        l2_window_bytes; /* bytes: most that may be set aside; largest policy window */
    double clock_mhz;    /* under load, as measured; not the boost figure of a datasheet unless said so */
    double memory_clock_mhz;
    uint32_t memory_bus_bits;
    double dram_gbs; /* achievable 10^9 bytes per second, reads and writes together */
    double issue_rate, fma_rate, fp32_rate, int_rate, imad_rate, fp64_rate, fp16_rate, special_rate,
        conversion_rate, shuffle_rate;
    bool int_shares_fma;          /* integer arithmetic runs on the float cores (Maxwell) */
    double lsu_rate;              /* memory instructions per cycle */
    double l1_wavefront_rate;     /* lines of 128 bytes looked up per cycle, for the time by counters */
    double l1_sectors_per_cycle;  /* sectors that the L1 data stage returns */
    double shared_wavefront_rate; /* wavefronts per cycle */
    double l2_sectors_per_cycle;  /* sectors read, whole chip */
    /* sectors written, whole chip; of two halves twice what crosses between them */
    double l2_write_sectors_per_cycle;
    double l2_requests_per_cycle; /* requests of up to 128 bytes, whole chip */
    double latency_alu, latency_shared, latency_l1, latency_l2, latency_dram; /* cycles */

    /* [walk]: pipes, issue and barriers */
    double pipe_efficiency; /* share of its rate that a full pipe reaches */
    double uniform_rate;    /* rate of the uniform path */
    /* tensor cores: passes, two of a product of m16n8k8 halves; products of m16n8k4 doubles */
    double tensor_rate, tensor_double_rate;
    double latency_tensor_double; /* cycles from the last pass to the result */
    double taken_branch_cycles;   /* cycles that a taken branch adds to its stall count */
    double block_start_cycles; /* cycles between the starts of two blocks on an SM, all SMs starting blocks */
    double barrier_cycles;     /* cycles from the last arrival until warps go on */
    double barrier_warp_cycles; /* cycles of each arrival; those of an SM queue */
    double latency_constant;    /* cycles: a constant that is cached */
    double latency_special;     /* cycles: a special function */
    double latency_other;       /* cycles: what else sets a scoreboard */
    double source_read_cycles;  /* cycles until a queued instruction has read its registers */
    double operand_read_cycles; /* cycles in which a bank of registers gives two registers */
    /* cycles of register reads that may be outstanding when the next instruction issues */
    double operand_backlog_cycles;
    /* queues: instructions of one scheduler that wait in order for the LSU, special functions or
     * constants */
    uint32_t queue_entries, queue_global_entries,
        queue_special_entries; /* entries: all; of global and local accesses; of special functions */
    uint32_t store_entries,
        store_entry_sectors; /* stores and atomics of an SM on their way to L2: entries; sectors of one */
    /* memory */
    double sm_l2_sectors_per_cycle; /* sectors per cycle from L2 to one SM */
    /* cycles for which an SM sends a sector of a store; more for each line that is written in part */
    double store_sector_cycles, store_part_cycles;
    double store_join_cycles;  /* cycles within which another store of parts of the same sectors joins */
    double l1_lines_per_cycle; /* lines whose tags L1 looks up per cycle */
    double l1_apart_factor;    /* longer look-up of an access to more than four lines */
    double l1_fill_sectors_per_cycle; /* sectors filled into L1 per cycle */
    double latency_l2_spread;         /* cycles between the nearest and the farthest answer of L2 */
    double latency_fence_system;      /* cycles of a fence for the whole system */
    double latency_atomic_factor;     /* an atomic's latency over latency_l2 */
    double latency_dram_cold;         /* cycles: mean latency of DRAM without other load */
    /* DRAM's latency over latency_dram_cold, by the share of answers that are as fast */
    struct gpu_curve latency_dram_curve;
    /* lines: what a further neighbouring line counts, one that is independent being 1 */
    double dram_neighbour_weight;
    double dram_pending_factor; /* remaining latency of a line that is already requested, over the whole */
    double dram_load_row_factor, dram_store_row_factor,
        dram_atomic_row_factor; /* more time of DRAM for single sectors: loads; stores of parts; atomics */
    double
        spill_miss_share; /* loads of spilled registers that miss L1, of those that it could not hold at a time */
    double dram_local_factor; /* DRAM's time of local memory that is read again, over that of whole rows */
    double partial_near_factor,
        partial_apart_factor; /* more sectors to L2 for those written in part: side by side; one a line */
    double constant_uniform_words; /* words: cost of an indexed constant of the uniform path */
    double constant_cache_bytes;   /* bytes of the cache of constants by thread's index */
    double constant_miss_factor;   /* more words for a constant that this cache does not hold */
    double code_lines_in_flight;   /* lines of code that are fetched at a time */
    double constant_rate;          /* words per cycle of the constant cache, each to all lanes that want it */
    double atomic_queue_cycles;    /* cycles of a pass where all go to one line */
    double atomic_slice_cycles;    /* cycles of a pass where all go to different lines of one slice of L2 */
    double store_queue_cycles;     /* cycles of a store where all go to one line */
    double store_apart_cycles;     /* the same between other accesses */
    double store_whole_cycles;     /* the same of a whole sector where many lines take turns */
    double swap_turn_cycles;       /* cycles from a change of a word by compare and swap to the next one */
    uint32_t code_bytes;           /* bytes of the SM's own instruction cache */
    uint32_t code_group_bytes;     /* bytes of the next cache, which several SMs share */
    double code_group_cycles,
        code_l2_cycles;      /* cycles of a line of 128 bytes from that cache, from L2, in a stream */
    double block_turnover;   /* cycles from a block's end to its successor's first instruction */
    double bulk_copy_cycles; /* cycles of a bulk copy that is waited for, besides its bytes */
    double grid_sync_cycles; /* cycles of grid.sync() where all come at once, beside its instructions */

    /* [counters] */
    double instruction_cycles; /* cycles a warp alone needs per instruction, its own parallelism included */
    double loads_in_flight;    /* loads of one warp that overlap before their first use */
    double overlap_power;      /* how well units overlap: time = (sum of busy^power)^(1/power) */
    double issue_efficiency;   /* share of the issue slots that a long kernel reaches */
    /* machine instructions per PTX instruction of a class: what ptxas folds, predicates and adds */
    double ptx_to_machine;     /* moves, selections, width conversions */
    double int_to_machine;     /* integer arithmetic other than multiplies */
    double control_to_machine; /* branches: short ones become predicates */

    /* [host] */
    double host_link_gbs;     /* 10^9 bytes per second: copies between pinned host memory and the device */
    double host_pageable_gbs; /* the same from pageable memory */
    double copy_start_us;     /* us of a copy over the link besides its bytes */
    double pageable_copy_us;  /* us, the same where the host stages the copy, waits and is woken */
    /* us of the host in a call: a launch; an asynchronous copy or fill; an event recorded or
     * waited for by a stream; the return from a wait when the work has ended; memory allocated and
     * freed again; a launch of a graph */
    double host_launch_us, host_copy_us, host_event_us, host_wait_us, host_allocate_us, graph_launch_us;
    double launch_us; /* us of a kernel's start and end, as ncu's time includes them */

    /* [bands]: shares of a modelled time. Of three kernels of a kind that no constant was fitted on,
     * two were measured within this share of it. */
    double band_full_grid, band_part_grid, band_few_blocks;
    double band_scattered_loads, band_scattered_stores;
    double band_atomics, band_shared_atomics, band_local;
    double band_pair; /* the same for the ratio of two times of one program */
};

/* Load the model `id` from directory/id.ini. Returns false and a one-line message on failure
 * (which file, which line, which key). directory NULL: as gpu_model_find_directory finds it. */
bool gpu_model_load(const char *directory, const char *id, struct gpu_model *model, char *error, size_t size);
/* The same from text in memory; `file` names it in messages. Any bytes are safe to pass.
 * directory: where the models are from which a section may inherit; NULL: none may. */
bool gpu_model_parse(const char *text, size_t length, const char *file, const char *directory,
                     struct gpu_model *model, char *error, size_t size);
/* Bytes of the largest data file that is read. */
enum { GPU_MODEL_BYTES = 1 << 20 };
/* Whether a text may be a model's id: 1 to 31 small letters, digits, '_' and '-'. */
bool gpu_model_is_id(const char *id);
/* Where the .ini files are: $GPU_MODELS, else common/gpu/models in a directory above the running
 * program. */
bool gpu_model_find_directory(char path[PATH_SIZE]);
/* The ids of all models in a directory, sorted, separated by blanks. false: none, or it
 * does not fit. */
bool gpu_model_list(const char *directory, char *ids, size_t size);

/* Whether a real GPU, by the name its driver gives it ("NVIDIA H100 80GB HBM3"), has this
 * model's chip. */
bool gpu_model_is(const struct gpu_model *model, const char *name);
/* The model that stands for a real GPU: the one of its name, else of its chip, else of the
 * nearest compute capability; the older, then the first by id, of two that are as near. False
 * and a one-line message as gpu_model_load, also when any of the files is wrong. */
bool gpu_model_nearest(const char *directory, const char *name, uint32_t compute_major,
                       uint32_t compute_minor, struct gpu_model *model, char *error, size_t size);
/* One line for a report where the model is not of the GPU's own chip; false, and no line, where
 * it is. */
bool gpu_model_stands_in(const struct gpu_model *model, const char *name, char *text, size_t size);

enum gpu_limit { GPU_LIMIT_WARPS, GPU_LIMIT_BLOCKS, GPU_LIMIT_REGISTERS, GPU_LIMIT_SHARED, GPU_LIMIT_NONE };

struct gpu_occupancy {
    uint32_t blocks_per_sm, warps_per_sm; /* 0: the block does not fit at all */
    double fraction;                      /* warps_per_sm of the most the SM holds */
    enum gpu_limit limit;               /* the resource that runs out first; NONE: the SM is full of warps */
    uint32_t blocks_by[GPU_LIMIT_NONE]; /* what each resource alone would allow */
};
/* Blocks of `threads` threads that fit one SM together. shared_bytes: static + dynamic per
 * block. */
struct gpu_occupancy gpu_occupancy(const struct gpu_model *model, uint32_t threads, uint32_t registers,
                                   uint32_t shared_bytes);
const char *
gpu_limit_name(enum gpu_limit limit); /* "warps", "blocks", "registers", "shared memory", "none" */

struct gpu_code;

/* One launch as the time model sees it. seen.c follows each pointer: a further one is to be added there. */
struct gpu_launch {
    uint32_t grid[3], block[3];
    uint32_t registers, shared_bytes;
    const struct counters *counters;
    uint64_t longest_warp_instructions; /* 0: unknown */
    /* instructions of each block's longest warp, added up; 0: unknown */
    uint64_t longest_warps_of_all_blocks;
    uint64_t longest_sleep_ns, longest_sleeps_of_all_blocks_ns; /* the same of what a warp sleeps */
    /* instructions one after the other until each block's end, bulk copies and sleep among them, added up */
    uint64_t chains_of_all_blocks, copy_chains_of_all_blocks, sleep_chains_of_all_blocks_ns;
    uint64_t longest_chain, longest_chain_copies, longest_chain_slept_ns; /* one block's */
    uint64_t grid_syncs;                                                  /* of all blocks */
    uint32_t sm_count; /* SMs whose share is known; 0: work is taken to be spread evenly over the blocks */
    const struct sm_work *sms;
    /* its machine code (code.h); NULL: PTX's counters and weights stand for it */
    const struct gpu_code *code;
    /* there would be such code, of a program that is judged: nothing is taken to overlap then */
    bool code_withheld;
    /* for what-ifs: a time that is compared with others alone; the last wave of blocks is as full as the others */
    bool few_draws, whole_waves;
};

/* Why a warp waits, by Nsight Compute's names (stalls.c has the words). A warp that issues is
 * "selected". */
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
    GPU_LAUNCH, GPU_CONSTANT, GPU_ATOMIC, GPU_TENSOR, GPU_UNIT_COUNT
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
    /* by_code: warps in each state, on average, for each instruction issued */
    double stalls[GPU_STALL_COUNT];
};
void gpu_time_model(const struct gpu_model *model, const struct gpu_launch *launch, struct gpu_time *time);
/* The same, from `seen` if it was modelled before: of the same model, launch and code, byte by byte. */
void gpu_time_seen(const struct gpu_model *model, const struct gpu_launch *launch, struct memo *seen,
                   struct gpu_time *time);

/* ---- what_if.c: a launch's time again, with one limit lifted */

enum gpu_lift {
    GPU_LIFT_CONFLICTS,
    GPU_LIFT_SECTORS,
    GPU_LIFT_L2,
    GPU_LIFT_CODE,
    GPU_LIFT_BARRIERS,
    GPU_LIFT_TAIL,
    GPU_LIFT_COUNT
};
const char *gpu_lift_name(enum gpu_lift lift);    /* "conflicts"; "": no such */
const char *gpu_lift_meaning(enum gpu_lift lift); /* "no bank conflicts" */

struct gpu_what_if {
    enum gpu_lift lift;
    uint32_t line; /* number of the source line at which alone it is lifted; 0: everywhere */
    double factor; /* the launch is so many times as fast, at most; 1 or more */
};
enum { GPU_WHAT_IF_LINES = 3, GPU_WHAT_IFS = GPU_LIFT_COUNT + GPU_WHAT_IF_LINES };
/* Lifts each limit that the launch has, everywhere; then conflicts or unused sectors at the lines
 * that have most. lines: the number of each instruction's line, 1 or more and no more than there are
 * instructions; 0: unknown. time: the launch's. Returns how many; 0 also when out of memory. */
uint32_t gpu_what_ifs(const struct gpu_model *model, const struct gpu_launch *launch,
                      const struct gpu_time *time, const uint32_t *lines,
                      struct gpu_what_if found[GPU_WHAT_IFS]);

/* ---- bands.c: how far a modelled time may be off */

enum gpu_kind {
    GPU_KIND_UNKNOWN,
    GPU_KIND_FULL_GRID,
    GPU_KIND_PART_GRID,
    GPU_KIND_FEW_BLOCKS,
    GPU_KIND_LOADS,
    GPU_KIND_STORES,
    GPU_KIND_ATOMICS,
    GPU_KIND_SHARED_ATOMICS,
    GPU_KIND_LOCAL,
    GPU_KIND_COUNT
};
const char *gpu_kind_name(enum gpu_kind kind);    /* "scattered stores"; "": unknown */
const char *gpu_kind_meaning(enum gpu_kind kind); /* "stores of more than 16 sectors a request" */
/* A share of the time; NAN: unknown. */
double gpu_kind_band(const struct gpu_model *model, enum gpu_kind kind);
/* Of all kinds that a launch is of, that with the widest band. local: it uses local memory, whatever
 * its counters say. */
enum gpu_kind gpu_kind_of(const struct gpu_model *model, const struct counters *counters,
                          const uint32_t grid[3], bool local);

/* The modelled time of a copy within the device, which DRAM reads and writes, and of a fill,
 * which it writes. */
double gpu_copy_us(const struct gpu_model *model, uint64_t bytes);
double gpu_fill_us(const struct gpu_model *model, uint64_t bytes);
const char *gpu_unit_name(enum gpu_unit unit); /* "issue", "fma", "alu", "fp64", "special", "lsu", "l1",
                                                  "shared", "l2", "dram", "latency", "launch", "constant", "atomic" */
/* A person's words for a unit: "the warp schedulers' issue slots". */
const char *gpu_unit_meaning(enum gpu_unit unit);
const char *gpu_stall_name(enum gpu_stall stall); /* ncu's: "long_scoreboard"; "": no such */
/* A person's words for what a warp waits for: "data of global or local memory". */
const char *gpu_stall_meaning(enum gpu_stall stall);
/* The largest of all but "selected", the first of equals: what most warps wait for.
 * GPU_STALL_COUNT: none is above 0. */
enum gpu_stall gpu_stall_top(const double stalls[GPU_STALL_COUNT]);

#endif

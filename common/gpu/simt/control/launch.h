/* launch.h: a running launch: SMs, host threads, faults, and the parts of the interpreter. Private
 * to simt/.
 *
 * Each block belongs to one SM by a fixed rule; SMs run in rounds. One host thread runs an SM's
 * round, and no other SM's counters see it. So counts do not depend on the number of host
 * threads. */
#pragma once

#include "gpu/simt/control/warp.h"

#include <pthread.h>
#include <setjmp.h>

struct printed {
    uint64_t block;
    char *text;
    size_t length;
};

enum {
    SM_ROUND_INSTRUCTIONS = 1 << 20, /* a turn of an SM, in instructions */
    SM_ROUND_LEAST = 1 << 10,        /* a turn in which all blocks wait for others */
    SM_LOG_SOFT = 16384,             /* log entries after which no new block starts in this turn */
    SM_LOG_LIMIT = 65536             /* log entries that end the turn within a block */
};

struct sm {
    uint32_t index;
    struct launch *launch;
    uint64_t next_block;   /* the next to start; steps by the number of SMs */
    struct block **blocks; /* resident */
    uint32_t block_count, turn, started;
    uint64_t instructions; /* of this launch */
    uint64_t round_limit;  /* instructions at which this round's turn ends */
    bool results_alone;    /* requests are not counted */
    struct l1_cache l1;
    bool finished;
    uint64_t given; /* if is_given: a block taken from another SM, which had no room */
    bool is_given;
    bool ended;             /* a block ended in this round */
    bool stuck;             /* in this watched round every block repeats, or waits for one that does */
    uint64_t stuck_changes; /* launch's `changes` at which it was stuck */
    struct printed *printed;
    size_t printed_count, printed_capacity;
    uint64_t largest_block, longest_warp; /* instructions */
    uint64_t longest_warps;               /* of each block that ended, summed */
    struct chain chains, longest_chain;   /* of each block's last warp, summed; the longest */
    uint64_t looked;                      /* warp instructions of blocks in which races were looked for */
    uint64_t busiest_sums;                /* at the busiest word of each block that ended, summed */
    uint64_t longest_sleep, sleeps;       /* ns of the longest sleep of a warp; that of each block, summed */
    struct counters counters;             /* its share of the launch, while caches are simulated */
    bool faulted;
    struct simt_fault fault;
    uint64_t fault_block;
    struct tolerated *tolerated; /* SIMT_REMARKS of them; NULL: none yet */
    uint32_t tolerated_count;
};

struct run_count {
    int64_t runs, threads;
};

/* Counts of an instruction beside its executions: active threads whose guard was false; branches
 * with threads going both ways; divisions and roots of warps with unusual operands
 * (count/slow.c). */
enum tally { TALLY_INACTIVE, TALLY_DIVERGENT, TALLY_SLOW, TALLIES };

/* A host thread that runs a launch. */
struct worker {
    struct launch *launch;
    struct sm *sm;
    struct site *sites;
    struct run_count *counts;    /* differences: [i] counts what starts at i less what ended before i */
    uint64_t *tallies[TALLIES];  /* by flat instruction */
    struct worker_trips *trips;  /* by loop of the module */
    struct register_file *files; /* spare ones */
    struct block *free_blocks;
    struct warp *warp;        /* the warp whose operation may fault */
    struct counters counters; /* events counted one by one */
    struct counters counted;  /* `counters` at the end of the last round */
    bool watching;            /* the launch is watched (endless.h) */
    bool one_by_one; /* run_masked runs each operation: the launch is watched, or the block is checked */
    bool polled;     /* the running path read what others may write, so it may be waiting */
    uint32_t polling_turn; /* backward branches after which a path that polls gives way */
    jmp_buf fault;
    pthread_t thread;
    bool out_of_memory;
};

/* Which SMs are watched in a round (endless.h). */
enum watch { WATCH_NONE, WATCH_ONE, WATCH_ALL };

struct launch {
    struct simt_device *device;
    struct simt_module *module;
    struct code *code;
    const struct simt_launch *shape;
    uint64_t block_total;
    uint32_t cluster[3], cluster_blocks; /* blocks of a cluster */
    struct cluster **clusters;           /* NULL: each block is one */
    bool explicit_cluster;               /* the program gave a size */
    uint32_t threads, warps;             /* per block */
    uint32_t shared_bytes;               /* of a block: the program's and the reserved bytes behind it */
    uint32_t own_shared_bytes;           /* the program's */
    uint32_t resident;
    uint64_t number;
    uint8_t *parameters;
    uint32_t *thread_lanes; /* %tid.x, .y, .z of a block's threads, each padded to whole warps */
    uint32_t sm_count;
    struct sm *sms;
    uint32_t worker_count, running;
    pthread_mutex_t start; /* held until all workers exist */
    struct worker *workers;
    struct observer *observers;
    uint32_t observer_count;
    struct queue *queue; /* of atomics; NULL: no atomic yet */
    uint64_t *owned;     /* by owner of a site: what L2 adds to its counts (cache.h); NULL: no caches */
    bool shared_memory_atomics; /* several host threads run: global atomics are the host's */
    bool caches, races, check, strict;
    bool samples_races;  /* races are looked for in two blocks */
    uint64_t stop_block; /* an earlier block faulted: blocks from here on need not run; atomic */
    uint32_t next_sm;    /* atomic */
    pthread_barrier_t round;
    bool done;
    uint64_t local_stride; /* a thread's local memory in bytes: the entry's frame and the stack */
    enum watch watch;
    uint32_t watched_sm, watch_rounds;
    uint64_t quiet;              /* rounds since a block ended */
    uint64_t watch_instructions; /* of an SM's watched round */
    uint64_t changes;            /* changes of global memory while watched, and rounds without a watch */
};

/* ---- faults: fill the message and leave the running warp for good */
/* simt_fault_place: sets kernel, block, thread and, if there is an instruction, its line.
 * simt_fault_describe_place: the place in words. */
void simt_fault_place(struct simt_fault *fault, const struct launch *launch, const struct warp *warp,
                      const struct ptx_instruction *instruction, uint32_t lane);
int simt_fault_describe_place(const struct simt_fault *fault, char *text, size_t size);
/* Where an instruction stands: "kernel.cu:12". Returns text. */
enum { LINE_WORDS = 288 };
const char *simt_line_words(const struct launch *launch, const struct ptx_instruction *instruction,
                            char text[LINE_WORDS]);
_Noreturn void simt_fault_other(struct worker *worker, struct warp *warp,
                                const struct ptx_instruction *instruction, uint32_t lane,
                                enum simt_status status, const char *format, ...)
    __attribute__((format(printf, 6, 7)));

/* Threads wait at the cluster's barrier for ever. */
#define SIMT_CLUSTER_DEADLOCK                                                                                \
    "threads wait at the barrier of their cluster, and others of the cluster can never reach it: on "        \
    "hardware the kernel would hang"

/* Part of a warp is at a block barrier that the rest will not reach (simt_pass_or_stop). */
void simt_part_of_warp(struct worker *worker, struct warp *warp, const struct path *path);

/* ---- tolerate.c: mistakes that hardware lets pass, as remarks where checks are not strict */
struct simt_mistake {
    const char *kind; /* as in struct simt_remark */
    const struct ptx_instruction *instruction;
    uint32_t lane;
    enum simt_status status; /* of the fault that it is where it stops the launch */
};
/* Whether the SM has a remark on this mistake, which is then counted. */
bool simt_tolerated(const struct sm *sm, const struct simt_mistake *mistake);
void simt_tolerate(struct worker *worker, const struct warp *warp, const struct simt_mistake *mistake,
                   const char *text);
/* With strict checks a fault, which does not return; else a remark. A race is one with check_races too. */
void simt_pass_or_stop(struct worker *worker, struct warp *warp, const struct simt_mistake *mistake,
                       const char *format, ...) __attribute__((format(printf, 4, 5)));
void simt_tolerated_tell(const struct launch *launch); /* hands the remarks to the device */
/* An access that is not aligned, or not whole in memory that the program has. Returns host memory in
 * place of memory that the card has, and remarks on the access. All else is a fault. */
uint8_t *simt_access_stray(struct window_header *window, const struct simt_operation *operation,
                           uint32_t lane, uint64_t address, uint32_t bytes, bool store, enum ptx_space space);

/* ---- the parts of the interpreter */
enum warp_outcome {
    WARP_FINISHED,
    WARP_WAITS,
    WARP_SPINS,
    WARP_REPEATS, /* watched: all that can run of it repeats */
    WARP_OUT_OF_TURN
};
enum warp_outcome simt_warp_run(struct worker *worker, struct warp *warp);
bool simt_warp_start(struct worker *worker, struct warp *warp);
void simt_warp_release(struct worker *worker, struct warp *warp);
/* Lets threads that wait at a join (calls: or a return) go on without the others. False: none. */
bool simt_warp_let_go(struct warp *warp, bool calls);
/* Fills the constant slots of a function's window. local_base: its frame in local memory. */
void simt_warp_fill_constants(struct worker *worker, struct warp *warp, const struct code *code,
                              uint32_t window, uint64_t local_base);
/* Fills a window's registers that may be read before they are written with a fixed pattern. */
void simt_warp_fill_unset(struct warp *warp, const struct code *code, uint32_t window);
/* Makes room for at least `bytes` and keeps the contents. False: out of memory. */
bool simt_register_file_reserve(struct register_file *file, size_t bytes);

/* To be called after an arrival or an exit: completes the barriers that now have all threads. */
void simt_block_check_barriers(struct block *block);
void simt_sm_run_round(struct worker *worker, struct sm *sm);
/* Adds what the worker counted since the last call to the SM's counters. */
void simt_sm_count_round(struct worker *worker, struct sm *sm);
void simt_block_free(struct block *block);
void simt_sm_keep_text(struct sm *sm, struct block *block);

/* Runs a call of vprintf, __assertfail, malloc or free. */
void simt_builtin_call(struct worker *worker, struct warp *warp, const struct path *path,
                       const struct ptx_instruction *instruction, const struct ptx_call *call,
                       const struct ptx_function *function);

/* Host memory behind a generic address of one thread; NULL: nothing is there. */
uint8_t *simt_lane_memory(const struct window_header *window, uint32_t lane, uint64_t address,
                          uint32_t bytes);

/* Returns SIMT_OK, or why this launch cannot start, which result->fault then explains. */
enum simt_status simt_launch_check(const struct simt_device *device, const struct simt_launch *shape,
                                   struct simt_result *result);
enum simt_status simt_launch_refuse(struct simt_result *result, const struct simt_launch *shape,
                                    enum simt_status status, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

void simt_launch_fold(struct launch *launch, struct simt_result *result);
/* Fills in the counts of each SM. False: out of memory. */
bool simt_launch_fold_sms(const struct launch *launch, struct simt_result *result);
bool simt_launch_lines(struct launch *launch, struct simt_result *result);
bool simt_launch_executions(const struct launch *launch, struct simt_result *result);

/* ---- print.c: device printf. */
/* Copies the string at one thread's generic address, cut to size. False: not readable. */
bool simt_lane_string(const struct window_header *window, uint32_t lane, uint64_t address, char *text,
                      size_t size);
/* One thread's printf. Returns the number of arguments, or -1 on error, as CUDA does. */
int32_t simt_lane_print(struct window_header *window, uint32_t lane, uint64_t format_address,
                        uint64_t arguments_address);

/* ---- arrays.c: places in shared memory by the program's names */

/* The shared array that holds this byte of a block's shared memory: an index into shared_arrays,
 * also for the dynamic part, or ARRAY_NONE. */
#define ARRAY_NONE UINT32_MAX
uint32_t simt_array_at(const struct launch *launch, uint64_t offset);
/* A variable's name in the source: "_ZZ6kernelPfE4tile" becomes "tile". */
void simt_array_plain_name(const char *mangled, char *text, size_t size);
/* "byte 48 of tile (index 12, as 4-byte elements)"; without a name "byte 48 of shared memory". */
enum { ARRAY_TEXT = 160 };
void simt_array_describe(const struct launch *launch, uint64_t offset, uint32_t bytes, char *text,
                         size_t size);

/*
 * launch.h: a launch at work: SMs, host threads, faults, and the parts of the interpreter. Private to simt/.
 *
 * A launch gives each block to one SM by a fixed rule and runs the SMs in rounds. Within a round an SM is run by one
 * host thread; nothing an SM does in a round is seen by another SM's counters, so what is counted does not depend on
 * how many host threads there are.
 */
#ifndef SIMT_CONTROL_LAUNCH_H
#define SIMT_CONTROL_LAUNCH_H

#include "gpu/simt/control/warp.h"

#include <pthread.h>
#include <setjmp.h>

struct printed {
    uint64_t block;
    char *text;
    size_t length;
};

enum {
    SM_ROUND_INSTRUCTIONS = 1 << 20, /* a turn of an SM */
    SM_ROUND_LEAST = 1 << 10,        /* and if all that it has waits for others */
    SM_LOG_SOFT = 16384,             /* entries after which no new block starts in this turn */
    SM_LOG_LIMIT = 65536             /* entries that end the turn in the middle of a block */
};

struct sm {
    uint32_t index;
    struct launch *launch;
    uint64_t next_block;   /* not started yet; steps by the number of SMs */
    struct block **blocks; /* resident */
    uint32_t block_count, turn, started;
    uint64_t instructions; /* all of this launch */
    uint64_t round_limit;  /* instructions at which the round's turn is over */
    struct l1_cache l1;
    bool finished;
    uint64_t given; /* a block of another SM's, which had no room for it */
    bool is_given;
    bool ended;             /* a block, in this round */
    bool stuck;             /* in this watched round: every block repeats, or waits for one that does, */
    uint64_t stuck_changes; /* with memory as it was after as many changes */
    struct printed *printed;
    size_t printed_count, printed_capacity;
    uint64_t largest_block, longest_warp; /* instructions */
    uint64_t longest_warps;               /* of each block that ended, added up */
    uint64_t longest_sleep, sleeps;       /* the same of what a warp slept, ns */
    struct counters counters;             /* what it did, while caches are simulated */
    bool faulted;
    struct simt_fault fault;
    uint64_t fault_block;
};

struct run_count {
    int64_t runs, threads;
};

/* Of an instruction, beside how often it ran: active threads whose guard was false; branches, with threads going both ways;
 * divisions and roots, by warps with unusual operands (slow.c). */
enum tally { TALLY_INACTIVE, TALLY_DIVERGENT, TALLY_SLOW, TALLIES };

/* A host thread at work on a launch. */
struct worker {
    struct launch *launch;
    struct sm *sm;
    struct site *sites;
    struct run_count *counts;    /* differences: [i] counts what starts at i less what ended before i */
    uint64_t *tallies[TALLIES];  /* per flat instruction */
    struct worker_trips *trips;  /* per loop of the module */
    struct register_file *files; /* free ones */
    struct block *free_blocks;
    struct warp *warp;        /* whose operation may fault */
    struct counters counters; /* what is counted as it happens */
    struct counters counted;  /* all of it, at the end of the last round */
    bool watching;            /* the launch is watched (endless.h) */
    bool one_by_one;          /* operations run by run_masked: watched, or checked for races */
    bool polled;              /* the running path read what others may write: it may be waiting for them */
    jmp_buf fault;
    pthread_t thread;
    bool out_of_memory;
};

/* Who is looked at in a round, whether it can ever end (endless.h). */
enum watch { WATCH_NONE, WATCH_ONE, WATCH_ALL };

struct launch {
    struct simt_device *device;
    struct simt_module *module;
    struct code *code;
    const struct simt_launch *shape;
    uint64_t block_total;
    uint32_t threads, warps;   /* per block */
    uint32_t shared_bytes;     /* of a block: the program's, and what is reserved behind it */
    uint32_t own_shared_bytes; /* the program's */
    uint32_t resident;
    uint64_t number;
    uint8_t *parameters;
    uint32_t *thread_lanes; /* %tid.x, .y, .z of every thread of a block, each padded to whole warps */
    uint32_t sm_count;
    struct sm *sms;
    uint32_t worker_count, running;
    pthread_mutex_t start; /* held until all workers exist */
    struct worker *workers;
    struct observer *observers;
    uint32_t observer_count;
    struct queue *queue;        /* of atomics; NULL: there are none yet */
    uint64_t *owned;            /* by site's owner: what L2 says of its accesses (cache.h); NULL: no caches */
    bool shared_memory_atomics; /* several host threads: global atomics must be the host's */
    bool caches, races, check, strict;
    uint64_t stop_block; /* blocks from here on need not run: a fault came before them. Atomic. */
    uint32_t next_sm;    /* atomic */
    pthread_barrier_t round;
    bool done;
    uint64_t local_stride; /* local memory of a thread: the entry's frame and the stack */
    enum watch watch;
    uint32_t watched_sm, watch_rounds;
    uint64_t quiet;              /* rounds since a block ended */
    uint64_t watch_instructions; /* of an SM in a watched round */
    uint64_t changes;            /* of global memory while watched, and rounds in which nobody looked */
};

/* ---- faults: fill the message and leave the running warp for good. */
struct access_fault {
    enum simt_status status;
    uint32_t lane;
    uint64_t address;
    uint32_t bytes;
    bool store;
    uint8_t space; /* enum ptx_space */
};
/* Where a lane stands: kernel, block, thread, and the instruction's line where there is one; and in words. */
void simt_fault_place(struct simt_fault *fault, const struct launch *launch, const struct warp *warp,
                      const struct ptx_instruction *instruction, uint32_t lane);
int simt_fault_describe_place(const struct simt_fault *fault, char *text, size_t size);
_Noreturn void simt_fault_access(struct window_header *window, const struct simt_operation *operation,
                                 const struct access_fault *fault);
_Noreturn void simt_fault_other(struct worker *worker, struct warp *warp,
                                const struct ptx_instruction *instruction, uint32_t lane,
                                enum simt_status status, const char *format, ...)
    __attribute__((format(printf, 6, 7)));

/* Part of a warp is at a block barrier, and the rest does not come. */
_Noreturn void simt_fault_part_of_warp(struct worker *worker, struct warp *warp, const struct path *path);

/* ---- the parts of the interpreter */
enum warp_outcome {
    WARP_FINISHED,
    WARP_WAITS,
    WARP_SPINS,
    WARP_REPEATS, /* watched: whatever of it can run repeats */
    WARP_OUT_OF_TURN
};
enum warp_outcome simt_warp_run(struct worker *worker, struct warp *warp);
bool simt_warp_start(struct worker *worker, struct warp *warp);
void simt_warp_release(struct worker *worker, struct warp *warp);
/* Let threads that wait at a join (calls: or at the end of a call) go ahead without the rest; false: none wait. */
bool simt_warp_let_go(struct warp *warp, bool calls);
/* Fill the constant slots of a function's window; local_base: where its frame begins in local memory. */
void simt_warp_fill_constants(struct worker *worker, struct warp *warp, const struct code *code,
                              uint32_t window, uint64_t local_base);
/* Make room for at least `bytes`; what is there stays. false: out of memory. */
bool simt_register_file_reserve(struct register_file *file, size_t bytes);

/* A barrier may be complete after an arrival or an exit: releases who waits at it. */
void simt_block_check_barriers(struct block *block);
void simt_sm_run_round(struct worker *worker, struct sm *sm);
/* What the worker counted since the last call here is the SM's. */
void simt_sm_count_round(struct worker *worker, struct sm *sm);
void simt_block_free(struct block *block);
void simt_sm_keep_text(struct sm *sm, struct block *block);

/* Calls of vprintf, __assertfail, malloc, free. */
void simt_builtin_call(struct worker *worker, struct warp *warp, const struct path *path,
                       const struct ptx_instruction *instruction, const struct ptx_call *call,
                       const struct ptx_function *function);

/* Host memory behind a generic address of one thread, NULL when nothing is there. */
uint8_t *simt_lane_memory(const struct window_header *window, uint32_t lane, uint64_t address,
                          uint32_t bytes);

/* SIMT_OK, or why this launch cannot start: into result->fault, and returned. */
enum simt_status simt_launch_check(const struct simt_device *device, const struct simt_launch *shape,
                                   struct simt_result *result);
enum simt_status simt_launch_refuse(struct simt_result *result, const struct simt_launch *shape,
                                    enum simt_status status, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

void simt_launch_fold(struct launch *launch, struct simt_result *result);
/* Each SM's share; false: out of memory. */
bool simt_launch_fold_sms(const struct launch *launch, struct simt_result *result);
bool simt_launch_lines(struct launch *launch, struct simt_result *result);
bool simt_launch_executions(const struct launch *launch, struct simt_result *result);

/* ---- print.c: device printf. */
/* The string at a generic address as one thread sees it, cut to size; false: not readable. */
bool simt_lane_string(const struct window_header *window, uint32_t lane, uint64_t address, char *text,
                      size_t size);
/* printf as one thread calls it. Returns the number of arguments, -1 on error, as the CUDA function does. */
int32_t simt_lane_print(struct window_header *window, uint32_t lane, uint64_t format_address,
                        uint64_t arguments_address);

/* ---- arrays.c: places in shared memory by the program's own names. */

/* Which of the program's shared arrays lies at this byte of a block's shared memory: an index into shared_arrays, the
 * dynamic part's where it is beyond the static one; ARRAY_NONE. */
#define ARRAY_NONE UINT32_MAX
uint32_t simt_array_at(const struct launch *launch, uint64_t offset);
/* A variable's name as its author wrote it: "_ZZ6kernelPfE4tile" is "tile". */
void simt_array_plain_name(const char *mangled, char *text, size_t size);
/* "byte 48 of tile (index 12, as 4-byte elements)"; "byte 48 of shared memory" where no name is known. */
enum { ARRAY_TEXT = 160 };
void simt_array_describe(const struct launch *launch, uint64_t offset, uint32_t bytes, char *text,
                         size_t size);

#endif

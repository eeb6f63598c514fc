/*
 * machine.h: the simulated GPU from the inside: device memory, decoded functions, warps, blocks, SMs. Private to
 * simt/.
 *
 * A launch gives each block to one SM by a fixed rule and runs the SMs in rounds. Within a round an SM is run by one
 * host thread; nothing an SM does in a round is seen by another SM's counters, so what is counted does not depend on
 * how many host threads there are.
 */
#ifndef SIMT_MACHINE_H
#define SIMT_MACHINE_H

#include "simt/cache.h"
#include "simt/operation.h"
#include "simt/simt.h"

#include <pthread.h>
#include <setjmp.h>

/* ---- addresses. Generic addresses of shared and local memory carry their space in bits no pointer uses. */
#define SIMT_SHARED_WINDOW ((uint64_t)1 << 60)
#define SIMT_LOCAL_WINDOW ((uint64_t)2 << 60)
#define SIMT_CODE_WINDOW ((uint64_t)3 << 60) /* addresses of functions: window + 16 * index, never readable */
#define SIMT_WINDOW_MASK ((uint64_t)15 << 60)

/* ---- device memory */

/* Where a value became unknown (undefined.h): an index, and what has happened to it since. 0: it is known. */
typedef uint32_t cause_id;

/* What is known of a piece of memory, byte by byte. */
struct memory_shadow {
    uint64_t bytes;
    uint8_t *defined; /* a bit is 1 where it is known */
    cause_id *cause;  /* of each 4 bytes: why what was stored there is not known; 0: nothing was stored */
    uint32_t *writer; /* of each byte of device memory: which store (order.c); NULL elsewhere */
};

/* The same of a register file (undefined_follow.c). */
struct register_shadow {
    uint8_t *unknown;
    cause_id *cause;
    uint32_t *lanes;
    size_t bytes;
    bool any;
};

/* A range of device addresses that host memory stands behind: what translation looks up. */
struct segment {
    uint64_t start, bytes;
    uint8_t *host;
    struct memory_shadow *shadow; /* NULL: not watched, all of it counts as written */
    bool mapped;                  /* the host's memory */
    bool touched;                 /* by the launch that runs; atomic */
    struct simt_sectors *sectors; /* where in it; NULL: nobody wants to know */
};

/* What the program allocated, and may free. With strict checks each allocation is a segment of exactly its size. */
struct allocation {
    uint64_t start, bytes;
    uint64_t ordinal; /* 1 for the first cudaMalloc of the program; 0 for variables and mappings */
    uint8_t *host;    /* memory to give back, NULL when it is not ours (mapped) or belongs to a shared page */
    uint64_t host_bytes;
    char what[64];             /* "cudaMalloc #2", "variable 'table'", "src" */
    struct buffer_shape shape; /* name "": not known */
    /* What of it outlives a judged call (kept.c). */
    bool foreign;   /* a judge's */
    bool derived;   /* what lies there may follow from a judge's memory */
    bool changed;   /* what lies there does not, and `kept` is older */
    bool forgotten; /* an earlier call's content is gone */
    bool variable;  /* a module's: never without a value */
    uint8_t *kept;  /* what it goes back to; NULL: as newly allocated */
};

struct simt_device {
    struct simt_config config;
    struct segment *segments; /* sorted by start */
    size_t segment_count, segment_capacity;
    struct allocation *allocations; /* sorted by start */
    size_t allocation_count, allocation_capacity;
    struct allocation *freed; /* a ring: the most recent ones, for messages */
    size_t freed_count, freed_capacity;
    uint64_t next_address; /* where the next search for free addresses starts */
    uint64_t used, ordinal;
    struct {
        uint64_t start;
        uint32_t next;
    } page; /* the page small allocations share when not strict */
    uint64_t stack_bytes, heap_bytes, printf_bytes;
    struct device_heap *heap; /* device malloc, made on first use */
    struct l2_cache *l2;
    enum simt_status (*place_managed)(void *context, uint64_t bytes, uint64_t alignment, uint64_t *address);
    void *place_context;
    struct simt_remark *remarks; /* SIMT_REMARKS of them, NULL: none yet */
    uint32_t remark_count;
    struct checker *checker; /* NULL: nothing is watched */
    uint64_t launches;       /* %gridid */
    uint64_t workspace;      /* where the blocks of a cooperative launch meet; 0: none has been launched */
    uint64_t cycles;         /* instructions run by earlier launches: where %globaltimer starts */
    bool keeps;              /* judged calls: kept.c */
    uint64_t kept_bytes;     /* of all allocations */
    char missed[64];         /* what a launch touched that an earlier call had filled, "" none */
};

const struct segment *device_segment(const struct simt_device *device, uint64_t address);
/* A kernel goes there (kept.c): the sectors of the lanes, `span` bytes each. */
void segment_touch(const struct segment *segment, const uint64_t *address, uint32_t mask, uint32_t span);
const struct allocation *device_allocation(const struct simt_device *device, uint64_t address);
/* How many allocations start at or below the address. */
size_t device_allocation_above(const struct simt_device *device, uint64_t address);
enum simt_status device_allocate_named(struct simt_device *device, uint64_t bytes, const char *what,
                                       uint64_t *address);
/* "4 bytes past the end of the 4096000-byte allocation at 0x..., made by cudaMalloc #2" and the like. True when it is a
 * place in a buffer whose shape is known: "src[17], pixel (1, 1)". */
bool device_describe_address(const struct simt_device *device, uint64_t address, uint32_t bytes, char *text,
                             size_t size);

/* Keep a remark: once for each kind, file and line; the count of the first grows. */
void device_remark(struct simt_device *device, const struct simt_remark *remark);

/* ---- decoded functions */

/* A lane vector or predicate mask that is filled before the program runs and never written by it. */
enum constant_kind {
    CONSTANT_VALUE,        /* the same in every launch */
    CONSTANT_SPECIAL,      /* a special register: per launch, block or warp */
    CONSTANT_LOCAL_ADDRESS /* value + the frame's base in local memory */
};

struct constant {
    uint8_t kind, width;
    uint32_t slot;
    int64_t value; /* or enum ptx_special */
};

/* A loop: what branches back to its head are around. trips.h counts how often warps go round it. */
struct code_loop {
    uint32_t head, last;
    uint32_t outer; /* the smallest that holds it, TRIPS_NO_LOOP: none */
};
#define TRIPS_NO_LOOP UINT32_MAX

/* What a branch does to loops. All zeros, but for `inner`: nothing. */
enum { TRIPS_TAKEN = 1, TRIPS_FALL = 2, TRIPS_ANY = TRIPS_TAKEN | TRIPS_FALL };
struct trip_mark {
    uint32_t back;  /* 1 + the loop to whose head it goes, 0: it goes forward */
    uint32_t inner; /* the smallest loop that holds it, TRIPS_NO_LOOP: none */
    uint8_t leaves; /* that loop: where it is taken, where it is not */
};

/* A function ready to run. operations[i] is instruction i. */
struct code {
    const struct ptx_function *function;
    struct simt_module *module;
    uint32_t index;
    uint32_t count;
    struct simt_operation *operations;
    struct simt_operation *inner; /* what guarded operations run under their predicate */
    uint32_t inner_count;
    uint8_t *control;     /* enum ptx_control, count + 1 entries: the function's end returns */
    uint8_t *together;    /* 1 + source index of the member mask: lanes named there must run it as one */
    uint32_t *run_end;    /* first instruction at or after i that is control */
    uint32_t *leader_end; /* first after i that is a leader (or at i: control) */
    uint32_t slots, predicates; /* with the constants */
    struct constant *constants;
    uint32_t constant_count;
    uint32_t *warp_constants; /* of these, those that differ from warp to warp: filled at each start */
    uint32_t warp_constant_count;
    uint32_t *constant_predicates;                          /* masks from function->predicates on */
    uint32_t predicates_offset, frame_offset, window_bytes; /* bytes from the window's registers */
    uint32_t first_count, first_site, first_loop; /* where its counts start in the module's flat arrays */
    struct code_loop *loops;
    uint32_t loop_count;
    struct trip_mark *trip_marks;  /* of each instruction */
    bool uses_grid, uses_reserved; /* reads where the grid meets; where reserved shared memory lies */
};

/* One memory instruction, per host thread: the allocation it touched last, and its counts. Two cache lines. An
 * instruction has one for what it does to global (or its own) space; generic ones use a second for shared, a third
 * for local memory. */
struct site {
    _Alignas(64) uint64_t start; /* of the segment; what every access needs lies in one cache line */
    uint64_t limit;              /* an access may start at start + [0, limit); 0: none yet */
    uint64_t host_offset;        /* host pointer = address + host_offset */
    uint64_t requests, transactions, ideal, threads, lines;
    uint64_t missed;         /* sectors of loads that L1 does not have */
    uint64_t waited;         /* of those it has: on their way */
    uint64_t late;           /* requests with any such sector */
    uint64_t passes, looked; /* of L1's data banks, where requests to global memory were looked at */
    uint32_t owner;          /* of what L1 asks L2 for: 1 + its number; 0: nobody's, there are too many */
};

enum { SITE_OWN, SITE_SHARED, SITE_LOCAL, SITES_PER_INSTRUCTION };

struct site_info {
    const struct code *code;
    uint32_t instruction;
};

struct simt_kernel {
    struct simt_module *module;
    struct code *code;
    struct simt_resources resources;
};

/* What cooperative groups of several warps keep in shared memory lies behind the program's own. */
enum { SIMT_RESERVED_SHARED = 1024 };

/*
 * A module's constant variables: a space of their own, whose addresses are those in device memory less `base`. Nothing is
 * at 0. The bytes that a load may reach: with strict checks one variable at a time.
 */
struct constant_bank {
    uint64_t base, start, end; /* of device memory; start == end: there are none */
};

struct simt_module {
    struct simt_device *device;
    const struct ptx_module *program;
    struct code *codes;
    struct simt_kernel *kernels; /* one for each function; only entries are handed out */
    uint64_t *symbol_addresses;  /* in device memory */
    struct constant_bank bank;
    uint32_t count_total, site_total, loop_total;
    struct site_info *sites;
};

/* A variable's address in its own space: constant ones have other addresses there than in device memory. */
static inline uint64_t module_symbol(const struct simt_module *module, int32_t symbol) {
    uint64_t address = module->symbol_addresses[symbol];
    return module->program->symbols[symbol].space == PTX_CONST ? address - module->bank.base : address;
}
/* The bytes around an address of device memory that are the module's constants; false: it is none. */
bool module_constants(const struct simt_module *module, uint64_t address, uint64_t *start, uint64_t *end);

/* Decode function `index` of the module into code. False and a message when an instruction is not run. */
bool code_decode(struct simt_module *module, uint32_t index, char *error, size_t size);
void code_free(struct code *code);

/* ---- warps */

enum path_state {
    PATH_READY,
    PATH_AT_BARRIER,
    PATH_AT_WARP_BARRIER,
    PATH_HELD /* at a block barrier, for the rest of its warp */
};

/* Threads of a warp that run together. */
struct path {
    const struct code *code;
    uint32_t pc, mask;
    int32_t join;        /* where these threads meet others, -1: nowhere */
    uint32_t window;     /* byte offset of the registers in the warp's file */
    uint32_t depth;      /* calls deep */
    uint64_t local_base; /* of this function's frame in each thread's local memory */
    uint8_t state;       /* enum path_state */
    uint8_t barrier;
    uint32_t members;  /* all lanes waited for */
    bool at_operation; /* waits to run an operation with the members, not at bar.warp.sync */
    const struct simt_operation *reduction; /* bar.red waited at */
    uint32_t spins;                         /* backward branches since it was last given the turn */
};

/* A place where diverged threads wait for each other: a reconvergence point, or the return of a call. */
struct join {
    const struct code *code;
    uint32_t pc, expected, arrived;
    int32_t parent;
    uint32_t window, depth;
    uint64_t local_base;
    const struct ptx_call *call; /* NULL: a reconvergence point */
    bool used;
    const struct ptx_instruction *branch; /* where its threads parted first; for messages */
    const struct ptx_instruction
        *later; /* and where later_lanes went straight to it, NULL: at several branches */
    uint32_t later_lanes;
};

struct register_file {
    struct register_file *next;
    const struct code *prepared; /* whose constants it holds at window 0 */
    uint64_t prepared_launch;
    size_t bytes;
    uint8_t *memory; /* 64-byte aligned */
    uint8_t *local;  /* local memory of 32 threads */
    size_t local_bytes;
    struct warp_trips *trips;      /* of each loop of the module; all zeros between warps */
    struct register_shadow shadow; /* with `check` */
    struct memory_shadow local_shadow;
};

/* What stands before a window's registers, so that a handler finds its warp. */
struct window_header {
    struct warp *warp;
    struct worker *worker;
    struct site *sites;
    uint8_t *shared;
    uint32_t shared_bytes;
    const struct code *code;
    struct sm *sm;
    struct race_shadow *races; /* NULL: not checked */
    struct observer *observer; /* NULL: not looked at; observe.h */
    bool watched;              /* shared memory goes the slow way: races or observer */
    uint8_t *frame;            /* parameters of the running function, frame_stride bytes for each lane */
    uint32_t frame_stride;
    uint64_t local_stride; /* local memory of a thread */
};
enum { WINDOW_HEADER_BYTES = 128 };
static inline struct window_header *window_header(uint8_t *registers) {
    return (struct window_header *)(void *)(registers - WINDOW_HEADER_BYTES);
}

/* Threads whose way was decided by an unknown value, up to where it no longer matters (undefined_follow.c). */
struct region {
    const struct code *code;
    uint32_t end, window;
    cause_id cause;
};

enum warp_state { WARP_NEW, WARP_RUNNING, WARP_DONE };

struct warp {
    struct block *block;
    uint32_t index;
    uint32_t live;  /* threads that have not exited */
    uint32_t early; /* of those, who went on without others that loop for long; until all meet at a barrier */
    uint8_t state;
    uint32_t path_count;
    struct path paths[SIMT_LANES];
    uint32_t named[SIMT_LANES]; /* of a thread that waits for others: its member mask */
    struct join *joins;
    uint32_t join_count, join_capacity;
    struct register_file *file;
    uint64_t instructions;
    uint32_t l1_place; /* cache.h */
    uint64_t slept_ns;
    const struct simt_operation *run_first; /* operations of the current run: what clock() adds */
    const struct simt_operation *operation; /* the last one that may fault */
    struct warp_watch *watch;               /* endless.c's, of a watched launch */
    uint32_t syncs;                         /* with `check`: what may have ordered it with others (order.c) */
    uint32_t regions;                       /* lanes that are in one */
    struct region region[SIMT_LANES];
};

struct barrier {
    uint32_t arrived;  /* threads */
    uint32_t gone_on;  /* of those: by bar.arrive, which does not wait */
    uint32_t expected; /* as given by the instruction, 0: every live thread of the block */
    uint32_t true_threads, red_threads;
    const struct ptx_instruction *instruction; /* the last to arrive at it */
    bool waiting;
};

enum { SIMT_BARRIERS = 16 };

struct block {
    uint64_t index;
    uint32_t position[3];
    uint32_t threads, warp_count, live_threads;
    uint32_t warps_done;
    struct warp *warps;
    uint32_t slot;    /* among the SM's resident blocks */
    uint32_t ordinal; /* of those that this SM started */
    uint8_t *shared;
    struct barrier barriers[SIMT_BARRIERS];
    uint64_t changes; /* of shared memory, while the launch is watched */
    struct race_shadow *races;
    struct observer *observer;          /* NULL: not looked at */
    struct memory_shadow shared_shadow; /* with `check` */
    uint32_t barriers_passed;
    char *text; /* what it printed */
    size_t text_length, text_capacity;
    struct block *next;
};

/* ---- a launch */

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
 * divisions and roots, by warps with unusual operands (slow.h). */
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

/* Where an instruction stands for the kernel's author: the line of the kernel itself when it is in a function of
 * another file, such as atomicAdd's header. */
static inline uint16_t instruction_file(const struct ptx_instruction *instruction) {
    return instruction->outer_line ? instruction->outer_file
                                   : instruction->file; /* the same unless inlined */
}
static inline uint32_t instruction_line(const struct ptx_instruction *instruction) {
    return instruction->outer_line && instruction->outer_file != instruction->file ? instruction->outer_line
                                                                                   : instruction->line;
}

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
void fault_place(struct simt_fault *fault, const struct launch *launch, const struct warp *warp,
                 const struct ptx_instruction *instruction, uint32_t lane);
int fault_describe_place(const struct simt_fault *fault, char *text, size_t size);
_Noreturn void fault_access(struct window_header *window, const struct simt_operation *operation,
                            const struct access_fault *fault);
_Noreturn void fault_other(struct worker *worker, struct warp *warp,
                           const struct ptx_instruction *instruction, uint32_t lane, enum simt_status status,
                           const char *format, ...) __attribute__((format(printf, 6, 7)));

/* Part of a warp is at a block barrier, and the rest does not come. */
_Noreturn void fault_part_of_warp(struct worker *worker, struct warp *warp, const struct path *path);

/* ---- the parts of the interpreter */
enum warp_outcome {
    WARP_FINISHED,
    WARP_WAITS,
    WARP_SPINS,
    WARP_REPEATS, /* watched: whatever of it can run repeats */
    WARP_OUT_OF_TURN
};
enum warp_outcome warp_run(struct worker *worker, struct warp *warp);
bool warp_start(struct worker *worker, struct warp *warp);
void warp_release(struct worker *worker, struct warp *warp);
/* Let threads that wait at a join (calls: or at the end of a call) go ahead without the rest; false: none wait. */
bool warp_let_go(struct warp *warp, bool calls);
static inline uint8_t *warp_registers(const struct warp *warp, uint32_t window) {
    return warp->file->memory + window + WINDOW_HEADER_BYTES;
}
/* Fill the constant slots of a function's window; local_base: where its frame begins in local memory. */
void warp_fill_constants(struct worker *worker, struct warp *warp, const struct code *code, uint32_t window,
                         uint64_t local_base);
/* Make room for at least `bytes`; what is there stays. false: out of memory. */
bool register_file_reserve(struct register_file *file, size_t bytes);

/* A barrier may be complete after an arrival or an exit: releases who waits at it. */
void block_check_barriers(struct block *block);
void sm_run_round(struct worker *worker, struct sm *sm);
/* What the worker counted since the last call here is the SM's. */
void sm_count_round(struct worker *worker, struct sm *sm);
void block_free(struct block *block);
void sm_keep_text(struct sm *sm, struct block *block);

void device_heap_free(struct device_heap *heap);
/* What of it is whose: keep that, false: out of memory; go back to what was kept, or to nothing is anybody's. */
bool device_heap_keep(struct device_heap *heap);
void device_heap_reset(struct device_heap *heap);
uint64_t device_heap_address(const struct device_heap *heap);
/* What is kept of an allocation goes with it (kept.c). */
void kept_free(struct simt_device *device, struct allocation *allocation);
/* A variable has its initial value (kept.c); zero: it is all zeros. */
void kept_initialised(struct simt_device *device, uint64_t address, bool zero);
/* Calls of vprintf, __assertfail, malloc, free. */
void builtin_call(struct worker *worker, struct warp *warp, const struct path *path,
                  const struct ptx_instruction *instruction, const struct ptx_call *call,
                  const struct ptx_function *function);

/* Host memory behind a generic address of one thread, NULL when nothing is there. */
uint8_t *lane_memory(const struct window_header *window, uint32_t lane, uint64_t address, uint32_t bytes);

/* Handlers of what touches memory, and of address conversions, fences and the like. False when not one of those, or
 * not run. */
bool memory_select(const struct ptx_instruction *instruction, const struct ptx_operand *operands,
                   uint32_t parameter_bytes, struct simt_operation *operation);
bool atomic_select(const struct ptx_instruction *instruction, const struct ptx_operand *operands,
                   struct simt_operation *operation);
bool instruction_has_site(const struct ptx_instruction *instruction);

/* SIMT_OK, or why this launch cannot start: into result->fault, and returned. */
enum simt_status launch_check(const struct simt_device *device, const struct simt_launch *shape,
                              struct simt_result *result);
enum simt_status launch_refuse(struct simt_result *result, const struct simt_launch *shape,
                               enum simt_status status, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* enum line_kind of a site; whether it is an atomic's on shared memory. */
int count_site_kind(const struct simt_module *module, uint32_t site);
bool count_site_is_shared(const struct simt_module *module, uint32_t site);
/* Whether its address is known at load time. */
bool count_site_is_fixed(const struct simt_module *module, uint32_t site);
void launch_fold(struct launch *launch, struct simt_result *result);
/* Each SM's share; false: out of memory. */
bool launch_fold_sms(const struct launch *launch, struct simt_result *result);
bool launch_lines(struct launch *launch, struct simt_result *result);
bool launch_executions(const struct launch *launch, struct simt_result *result);

#endif

/*
 * sm_state.h: the state of the SM that is walked: plan, warps, schedulers, memory system, totals.
 * sm.c advances time; control_flow.c moves warps through the code; sm_memory.c answers accesses.
 * All times are cycles from the first block's start. Private to gpu/time/.
 */
#ifndef TIME_SM_STATE_H
#define TIME_SM_STATE_H

#include "gpu/time/code.h"
#include "gpu/time/gpus.h"
#include "gpu/time/time_model.h"
#include "gpu/time/walk/sm.h"

/* ---- fetch.c: instruction fetch from the SM's own cache, the cache that several SMs share, or L2.
 * While warps go straight on, lines are prefetched in a stream. */
enum { FETCH_LINE = 8 }; /* instructions of 16 bytes in a line */

/* A cache that evicts the least recently used line. */
struct fetch_cache {
    uint32_t room, held;       /* lines */
    uint32_t newest, oldest;   /* lines; UINT32_MAX: none */
    struct fetch_order *order; /* of each line */
};

struct fetch {
    const struct gpu_model *model;
    uint32_t line_count;
    struct fetch_cache own, group;
    double *there; /* per line: cycle at which its last fetch has come */
    double free;   /* cycle at which the next line can come */
};

/* False: out of memory. */
bool fetch_begin(struct fetch *fetch, const struct gpu_model *model, const struct gpu_code *code);
void fetch_end(struct fetch *fetch);
/* Returns the cycle at which instruction `next` is there for a warp that needs it at cycle `at`. */
double fetch_instruction(struct fetch *fetch, uint32_t next, double at);

enum { SCHEDULERS = 4, WARPS = 64, SCHEDULER_WARPS = WARPS / SCHEDULERS, PATHS = 8 };
/* Flag on a stack entry: a return address, not a path that waits for reconvergence. */
static const uint32_t RETURN_ADDRESS = 1u << 31;

/* Kinds of instructions that pass a scheduler's queue, in order, because their unit is shared or
 * slow. */
enum queue_kind { QUEUE_NONE, QUEUE_ANY, QUEUE_GLOBAL, QUEUE_SPECIAL, QUEUE_KINDS };
/* What an instruction needs to issue: a pipe, or an entry of the queue for its kind. */
enum { UNIT_QUEUE = GPU_PIPE_COUNT, UNITS = UNIT_QUEUE + QUEUE_KINDS };

/* How often each edge is to be taken, and how much is to be walked. */
struct sm_plan {
    uint8_t *edge_kind; /* per edge: enum edge_kind */
    /* per edge: fraction of its block's executions that leave by it; of a loop's exit, that end
     * the loop */
    float *edge_share;
    /* per edge: of a loop's exit, fraction of executions in which some threads leave and others
     * stay */
    float *diverging_share;
    uint32_t *leader;        /* per edge of a loop's branch: the edge whose credit ends that loop */
    uint32_t *reconvergence; /* per block: see reconvergence_find */
    bool *block_uniform;     /* per block: see block_uniform_find */
    bool *rare;              /* per edge: see rare_find; all false where all blocks are walked alike */
    double rare_work;        /* instructions behind them, of all warps */
    double per_warp;         /* instructions of a warp, on average */
    double total;            /* instructions of all warps of this SM */
    double budget;           /* instructions to be walked */
    bool round_robin; /* schedulers take warps in turn: only the beginning of all warps can be walked */
};
enum edge_kind { EDGE_PLAIN, EDGE_EXIT, EDGE_STAY }; /* STAY and EXIT: of a branch that ends a loop */

enum { COPY_GROUPS = 8 }; /* of which a warp may await all but some */

struct warp {
    uint32_t resident;                  /* its block, among the resident ones */
    uint32_t index;                     /* since the launch's start; what warps do differs by this */
    uint32_t block, next;               /* block of the code; next instruction */
    double ready;                       /* cycle at which the last instruction's stall count has passed */
    double issued;                      /* cycle of the last issue */
    double scoreboard[GPU_SCOREBOARDS]; /* cycle at which each is released */
    double stores_done;                 /* cycle at which its stores have left the SM */
    double stored;                      /* cycle at which L1 took its last store */
    double copied;                      /* cycle at which all its asynchronous copies are done */
    double groups[COPY_GROUPS];         /* the same of its last groups of copies, as a ring */
    uint32_t committed;                 /* groups ever */
    double began, executed;             /* cycle of its start; instructions since */
    double fetched;                     /* cycle at which its next instruction is fetched */
    uint32_t stack[PATHS], depth; /* blocks at which other threads of it wait, or to which a call returns */
    /* per entry, except return addresses: the block at whose end those go on */
    uint32_t reconvergence[PATHS];
    bool alive, at_barrier;
    double shared_read;    /* cycle at which shared memory gave it the data of its last load */
    bool contends, failed; /* its sum is at the block's busiest word; that another warp's came between */
    /* why it waits (stalls.c) */
    double accounted; /* cycle up to which its time has been given a reason */
    double stalled;   /* cycle up to which the reason is the stall count; then, until `ready`: */
    uint8_t reason;   /* enum gpu_stall */
    uint8_t scoreboard_reason[GPU_SCOREBOARDS]; /* enum gpu_stall */
};

struct resident_block {
    uint32_t alive, arrived; /* warps: not ended; at the barrier */
    double last_arrival;     /* cycle */
    double longest;          /* instructions of its longest warp that has ended */
    double summed;           /* cycle of the last sum at its busiest word */
};

struct scheduler {
    double free;        /* cycle at which it can issue */
    double unit[UNITS]; /* cycle at which a pipe takes another instruction, or the queue has an entry */
    double busy[GPU_PIPE_COUNT]; /* cycle until which each pipe works */
    double operands;             /* cycle at which all operands asked for have been read */
    double operands_low;         /* cycle at which the operand backlog is short enough to issue again */
    double next;                 /* cycle before which it does not issue */
    double queue[GPU_QUEUE_MOST], global[GPU_QUEUE_MOST],
        special[GPU_QUEUE_MOST];        /* cycles at which the last entries left the queue, as rings */
    uint32_t queued, globals, specials; /* entries ever put into each ring */
    double queue_left;                  /* cycle at which the last entry left */
    uint32_t last;                      /* warp that issued last */
    double issued;                      /* cycle of that issue */
    uint32_t samples;                   /* instructions issued: which of them are sampled */
    /* per warp of the scheduler: */
    double warp_ready
        [SCHEDULER_WARPS]; /* cycle at which the warp itself can issue; INFINITY: another event comes first */
    double priority[SCHEDULER_WARPS];   /* the least goes first */
    uint8_t warp_unit[SCHEDULER_WARPS]; /* pipe or queue kind of its next instruction */
    bool chosen;                        /* the choice below still holds */
    uint32_t choice;
    double choice_at; /* cycle */
};

/* Units that all warps share. "Free": the cycle at which a unit takes the next request. */
struct sm_memory {
    double lsu, constant, l2, fabric, dram, atomic,
        barriers;                             /* cycle at which each is free; fabric: between L2's halves */
    double stores_sm, stores_l2, stores_dram; /* cycle at which the SM has sent all stores; L2, DRAM taken */
    double outstanding[GPU_STORE_MOST]; /* cycles at which outstanding stores and atomics reach L2, a ring */
    uint32_t next_outstanding;
    double l2_sector, l2_request, fabric_sector, store_sector,
        dram_sector;                                 /* cycles of each; fabric: 0 where L2 is one */
    double l2_phase;                                 /* 0 to 1: latency of L2's last answer */
    uint32_t *visits;                                /* per warp and instruction: executions */
    float *dram_credit, *active_credit, *sum_credit; /* per instruction: shares added up, of requests to
                                                      * DRAM, of active executions, of contended sums */
};

struct sm_totals {
    double launched;               /* cycle of the last block's start: blocks start one by one */
    double started, ended;         /* blocks */
    double lived, lives, executed; /* warps that ended; their cycles; their instructions */
    double longest;                /* instructions of each block's longest warp, added up */
    double retried;                /* instructions of trips whose sum failed */
    double end;                    /* cycle of the last warp's end */
};

/* Why warps wait, per instruction (stalls.c). */
struct sm_stalls {
    double *found;   /* cycles, GPU_STALL_COUNT each */
    double *wanted;  /* cycles in which a warp could have issued and did not */
    double *samples; /* samples of the reasons for that, GPU_STALL_COUNT each */
};

struct sm {
    const struct sm_load *load;
    const struct gpu_code *code;
    const struct gpu_model *model;
    struct sm_plan plan;
    struct warp warps[WARPS];
    struct resident_block blocks[WARPS];
    float *credit; /* per warp: shares of each edge added up, then of diverging at each edge */
    struct scheduler schedulers[SCHEDULERS];
    double interval[GPU_PIPE_COUNT]; /* cycles between two instructions of a scheduler in each pipe */
    struct sm_memory memory;
    struct fetch fetch;
    struct sm_totals totals;
    struct sm_stalls stalls;
    struct sm_result *result;
};

enum queue_kind issue_queue_kind(const struct gpu_instruction *in);
/* An instruction of that kind enters the queue; it leaves at `leaves`, and after those before
 * it. */
void issue_queue_add(const struct gpu_model *model, struct scheduler *scheduler, enum queue_kind kind,
                     double leaves);
/* The kind of a warp's next instruction, by the warp's place in its scheduler. */
static inline enum queue_kind issue_queue_kind_at(const struct scheduler *scheduler, uint32_t place) {
    uint8_t unit = scheduler->warp_unit[place];
    return unit >= UNIT_QUEUE ? (enum queue_kind)(unit - UNIT_QUEUE) : QUEUE_NONE;
}
/* Returns the cycle at which all scoreboards of the mask are released, and sets *last to the
 * last of them; 0: none is pending. */
static inline double scoreboards_free(const struct warp *warp, uint8_t wait_mask, uint32_t *last) {
    double until = 0;
    for (uint32_t mask = wait_mask & ((1U << GPU_SCOREBOARDS) - 1); mask != 0; mask &= mask - 1) {
        uint32_t i = (uint32_t)__builtin_ctz(mask);
        if (warp->scoreboard[i] > until) {
            until = warp->scoreboard[i];
            *last = i;
        }
    }
    return until;
}

/* Occupies a unit for `cycles`, from cycle `at` or when the unit is free. Returns the cycle at
 * which it is free again. */
static inline double occupy(double *unit, double at, double cycles) {
    *unit = larger(*unit, at) + cycles;
    return *unit;
}

/* Sets the rates of the memory system from the model and the number of SMs that share it. */
void sm_memory_begin(struct sm *sm);
/* Returns the cycle at which the result is there of an instruction that enters its unit at cycle
 * t. */
double sm_memory_result(struct sm *sm, struct warp *warp, const struct gpu_instruction *in, double t);

/* Shares each instruction's waiting time out among the reasons, and adds them up in the result. */
void stalls_end(struct sm *sm);
/* Accounts for the time of the scheduler's warps up to cycle `at`, when `chosen` issues. */
void stalls_issue(struct sm *sm, uint32_t scheduler, struct warp *chosen, double at);
/* Returns the reason (enum gpu_stall) of a warp that waits for this instruction's result. */
uint8_t stalls_kind(const struct gpu_instruction *in);

/* The warp's next instruction, or when it may issue, has changed. */
void scheduler_update(struct sm *sm, const struct warp *warp);
/* Returns the scheduler's next warp, and the cycle of its issue in *at; NULL: none can issue. */
struct warp *scheduler_choose(struct sm *sm, uint32_t scheduler, double *at);

/* Puts a new warp at the first block, with its credits at their beginning. */
void control_flow_begin(struct sm *sm, struct warp *warp);
/* Moves a warp on at the end of its block. False: the warp ends. *taken: it jumped. */
bool control_flow_next(struct sm *sm, struct warp *warp, bool *taken);
/* Fills the plan's arrays per edge. part: fraction of their trips that long outer loops are to
 * make; *per_warp: instructions of a warp then. False: out of memory. */
bool control_flow_plan(struct sm *sm, double part, double *per_warp);
/* Whether warps differ in what they execute: a branch that some of them take, or a loop with
 * differing trips. */
bool control_flow_varies(const struct sm *sm);

/* ---- loops.c: branches that keep a warp in a loop or let it out, and the number of trips. */

/* The loop that a block's last instruction stays in or leaves. */
struct loop {
    uint32_t head, last; /* first and last block, in the code's order */
    /* of a warp until this branch ends the loop, on average; INFINITY: it never does; 0: no such
     * branch */
    double trips;
    double ends; /* executions by which a warp leaves the loop */
    double room; /* further executions by which some of its threads leave */
};

/* loops[b]: of block b. */
void loops_find(const struct gpu_code *code, struct loop *loops);
/* Whether two branches are of the same loop. */
static inline bool loops_same(const struct loop *a, const struct loop *b) {
    return a->trips > 0 && b->trips > 0 && a->head == b->head && a->last == b->last;
}
static inline bool loops_holds(const struct loop *loop, uint32_t block) {
    return block >= loop->head && block <= loop->last;
}
/* Whether a loop is long enough to be shortened, and inside no other such loop. */
bool loops_is_outer(const struct gpu_code *code, const struct loop *loops, const struct loop *loop);
/* Instructions of a warp, on average, when long outer loops make only a part of their trips. */
double loops_shortened(const struct gpu_code *code, const struct loop *loops, double part);

/* ---- reconvergence.c: where the diverged threads of a warp reconverge. */

/* reconvergence[b]: the nearest block that post-dominates block b and reconverges; GPU_LEAVES:
 * none. Edges that no warp of the launch traversed count only in blocks that have no other.
 * False: out of memory. */
bool reconvergence_find(const struct gpu_code *code, uint32_t *reconvergence);

/* ---- block_uniform.c: branches at which all warps of a block take the same edge. */

/* block_uniform[b]: block b's last branch decides whether, or how often, a barrier is reached.
 * False: out of memory. */
bool block_uniform_find(const struct gpu_code *code, bool *block_uniform);

/* ---- latency.c: latencies of L2 and DRAM, without the time in queues. */

/* Cycles until L2 gives the last of so many lines. */
double latency_of_l2(struct sm *sm, double lines);
/* Cycles until DRAM gives the last of its share of so many lines. */
double latency_of_dram(const struct sm *sm, const struct warp *warp, const struct gpu_instruction *in,
                       double lines, double share);
/* Lines per sector: 1 where each line gives one sector, 0.25 where whole lines are asked for. */
static inline double lines_per_sector(const struct gpu_instruction *in) {
    return in->sectors > 0 ? in->lines / in->sectors : 0.25;
}

#endif

/*
 * sm_state.h: what is known of the SM that is walked: warps, schedulers, queues. sm.c lets time go on, way.c leads warps
 * through the code. Private to gpus/.
 */
#ifndef GPUS_SM_STATE_H
#define GPUS_SM_STATE_H

#include "gpus/fetch.h"
#include "gpus/sm.h"

enum { SCHEDULERS = 4, PATHS = 8, WARPS = 64, PLACES = WARPS / SCHEDULERS };
/* In a path: a call comes back there; threads that meet do not go there. */
static const uint32_t COMES_BACK = 1u << 31;

/* What goes through a scheduler's queue of instructions that wait, in their order, for what all schedulers share or what is slow:
 * load/store unit, special functions, constants. */
enum waiting { WAITING_NONE, WAITING_ANY, WAITING_GLOBAL, WAITING_SPECIAL, WAITING_KINDS };

static inline double larger(double a, double b) {
    return a > b ? a : b;
}

struct warp {
    uint32_t slot;        /* of its block on the SM */
    uint32_t index;       /* since the start: what it does differs by this */
    uint32_t block, next; /* of the code */
    double ready, issued; /* when the next one may go by the stall of the last; when the last one went */
    double free[GPU_SCOREBOARDS];
    double stored;          /* when what it stored is on its way */
    double began, executed; /* when; instructions since */
    uint32_t path[PATHS],
        paths; /* blocks where other threads of it wait to go on, or it comes back to from a call */
    uint32_t meets[PATHS]; /* the block at whose end those do; not of a call */
    bool alive, waits;     /* at a barrier */
    double fetched;        /* when its next instruction is there */
    /* Why it waits (stalls.c). */
    double noted;   /* its time until then is accounted for */
    double stalled; /* until then by the last one's stall count; from then until `ready` for: */
    uint8_t behind; /* enum gpu_stall */
    uint8_t kind[GPU_SCOREBOARDS]; /* the same of each scoreboard */
};

struct slot {
    uint32_t alive, arrived;
    double last;    /* arrival */
    double longest; /* of its warps that ended: instructions */
};

/* What an instruction goes to: a pipe, or a kind of what queues. */
enum { UNIT_QUEUE = GPU_PIPE_COUNT, UNITS = UNIT_QUEUE + WAITING_KINDS };

struct scheduler {
    double free; /* when the next instruction can go at all */
    double
        unit[UNITS]; /* when it can go to what it goes to; of what queues, when there is room for another */
    double busy[GPU_PIPE_COUNT]; /* until when each pipe works */
    double operands;             /* when the register file has given what was asked of it */
    double read;                 /* when so little of that is left that another instruction can go */
    double next;                 /* not before this can it issue */
    double queue[GPU_QUEUE_MOST], global[GPU_QUEUE_MOST],
        special[GPU_QUEUE_MOST];        /* when the last ones, in turn, left the queue */
    uint32_t queued, globals, specials; /* that ever went in */
    double left;                        /* when the last one left */
    uint32_t last;                      /* warp that issued */
    double issued;                      /* and when */
    uint32_t sampled;                   /* instructions that it issued */
    /* Of each of its warps: when the next instruction may issue as far as the warp itself goes (INFINITY: not before another does
     * something), and what it goes to. */
    double own[PLACES];
    double order[PLACES]; /* who goes first of those that can */
    uint8_t unit_of[PLACES];
    bool chose; /* nothing changed since it chose: */
    uint32_t choice;
    double choice_at;
};

struct sm {
    const struct sm_load *load;
    const struct gpu_code *code;
    const struct gpu_model *model;
    struct warp warps[WARPS];
    float *credit;    /* of each warp: of its edges, and as many again of how threads part */
    uint8_t *start;   /* of each edge: way_plan */
    float *share;     /* the same */
    float *parted;    /* the same */
    uint32_t *leader; /* of each edge of a loop's branch: the one whose credit ends that loop */
    uint32_t *meets;  /* of each block: code_find_meets */
    bool *together;   /* of each block: its warps go the same way */
    uint32_t *visits; /* of each warp and instruction */
    float *far;       /* of each instruction: requests' share that DRAM answers, added up */
    float *active;    /* the same of executions that access anything */
    struct slot slots[WARPS];
    struct scheduler schedulers[SCHEDULERS];
    double slot[GPU_STORE_MOST]; /* when each is free */
    uint32_t next_slot;
    double written, written_dram;                             /* when L2 and DRAM have what was stored */
    double lsu, constant, l2, fabric, dram, atomic, barriers; /* when each is free */
    double interval[GPU_PIPE_COUNT]; /* cycles between two instructions of a pipe in a scheduler's quarter */
    double l2_sector, l2_request, fabric_sector, written_sector,
        dram_sector;                     /* cycles each; fabric: 0 where L2 is one */
    double launched;                     /* blocks come one by one */
    double drawn;                        /* of 0 to 1: how late the last answer was */
    double per_warp, total;              /* instructions of a warp, on average; of all that come to this SM */
    double budget;                       /* that are walked through */
    bool turns;                          /* warps that can go take turns */
    double started, ended, lives, lived; /* blocks; warps' lives, of so many */
    double executed, longest;            /* instructions of those; of each block's longest */
    double end;
    struct fetch fetch;
    struct sm_result *result;
    double *found, *wanted, *samples; /* stalls.c */
};

enum waiting waiting_kind(const struct gpu_instruction *in);
void waiting_add(const struct gpu_model *model, struct scheduler *scheduler, enum waiting kind,
                 double leaves);
/* What the next instruction of the warp at a place of the scheduler's queues for, as it was settled. */
static inline enum waiting waiting_at(const struct scheduler *scheduler, uint32_t place) {
    uint8_t unit = scheduler->unit_of[place];
    return unit >= UNIT_QUEUE ? (enum waiting)(unit - UNIT_QUEUE) : WAITING_NONE;
}
/* The last of the scoreboards that an instruction waits for, and when it is free; 0: it waits for none. */
static inline double scoreboards_free(const struct warp *warp, uint8_t wait_mask, uint32_t *last) {
    double until = 0;
    for (uint32_t mask = wait_mask & ((1U << GPU_SCOREBOARDS) - 1); mask != 0; mask &= mask - 1) {
        uint32_t i = (uint32_t)__builtin_ctz(mask);
        if (warp->free[i] > until) {
            until = warp->free[i];
            *last = i;
        }
    }
    return until;
}

/* Why warps wait: what was found of each instruction, and how the time was shared out in which a warp could have gone. */
bool stalls_begin(struct sm *sm);
void stalls_end(struct sm *sm);
/* The warp issues, of the scheduler's. */
void stalls_issue(struct sm *sm, uint32_t scheduler, struct warp *warp, double at);
/* What a warp waits for that needs the result of this. */
uint8_t stalls_kind(const struct gpu_instruction *in);

/* The warp's next instruction, or when it may go, has changed. */
void scheduler_settle(struct sm *sm, const struct warp *warp);
/* The scheduler's next warp, and when it goes. NULL: none. */
struct warp *scheduler_choose(struct sm *sm, uint32_t scheduler, double *at);

/* A warp that starts: at the first block, its choices at their beginnings. */
void way_begin(struct sm *sm, struct warp *warp);
/* Goes on at the end of its block. False: the warp ends. taken: not to what follows. */
bool way_on(struct sm *sm, struct warp *warp, bool *taken);
/* The share of a block's runs that go on by each edge (share); of a branch that ends a loop: how often it does so, and how often some
 * threads leave while others stay (parted). In start: of edges that stay in a loop 2, that leave one 1, of others 0. part: of their
 * trips, how many long outer loops are to make; *per_warp: the instructions of a warp then. False: out of memory. */
bool way_plan(struct sm *sm, double part, double *per_warp);
/* Whether warps differ in what they execute: a branch that only some of them take, a loop that they leave at different times. */
bool way_varies(const struct sm *sm);

#endif

/*
 * sm_state.h: what is known of the SM that is walked: warps, schedulers, queues. sm.c lets time go on, way.c leads warps
 * through the code. Private to gpus/.
 */
#ifndef GPUS_SM_STATE_H
#define GPUS_SM_STATE_H

#include "gpus/fetch.h"
#include "gpus/sm.h"

enum { SCHEDULERS = 4, PATHS = 8, WARPS = 64 };

/* Instructions of a scheduler that wait, in their order, for what all schedulers share or what is slow: load/store unit, special
 * functions, constants. So many fit; of accesses to global and local memory, and of special functions, so many. Fitted on ncu's
 * throttle and scoreboard stalls of the half for it. */
enum { QUEUE = 10, QUEUE_GLOBAL = 4, QUEUE_SPECIAL = 2 };
/* What goes through it. */
enum waiting { WAITING_NONE, WAITING_ANY, WAITING_GLOBAL, WAITING_SPECIAL, WAITING_KINDS };

/* What an SM sends to L2 takes slots, of so many sectors each, until it is there. atomic_global_1: 64 atomics of an SM are under way
 * and nothing throttles; atomic_global_32: 34 % of the time of 248 drains; partial_sector_write: 53 % of that of 64 warps' stores. */
enum { SLOTS = 64, SLOT_SECTORS = 8 };

static inline double larger(double a, double b) {
    return a > b ? a : b;
}

struct warp {
    uint32_t slot;        /* of its block on the SM */
    uint32_t index;       /* since the start: what it does differs by this */
    uint32_t block, next; /* of the code */
    double ready, issued; /* when the next one may go by the stall of the last; when the last one went */
    double free[GPU_SCOREBOARDS];
    double stored; /* when what it stored is on its way */
    double began;
    uint32_t path[PATHS], paths; /* blocks where other threads of it wait to go on */
    bool alive, waits;           /* at a barrier */
    double fetched;              /* when its next instruction is there */
    /* Why it waits (stalls.c). */
    double noted;   /* its time until then is accounted for */
    double stalled; /* until then by the last one's stall count; from then until `ready` for: */
    uint8_t behind; /* enum gpu_stall */
    uint8_t kind[GPU_SCOREBOARDS]; /* the same of each scoreboard */
};

struct slot {
    uint32_t alive, arrived;
    double last; /* arrival */
};

struct scheduler {
    double free, pipe[GPU_PIPE_COUNT]; /* when the next instruction can go, at all and into a pipe */
    double busy[GPU_PIPE_COUNT];       /* until when each pipe works */
    double operands;                   /* when the register file has given what was asked of it */
    double read;                       /* when so little of that is left that another instruction can go */
    double next;                       /* not before this can it issue */
    double queue[QUEUE], global[QUEUE_GLOBAL],
        special[QUEUE_SPECIAL];         /* when the last ones, in turn, left the queue */
    uint32_t queued, globals, specials; /* that ever went in */
    double room[WAITING_KINDS];         /* when there is some for another; 0 for what does not queue */
    double left;                        /* when the last one left */
    uint32_t last;                      /* warp that issued */
    double issued;                      /* and when */
    uint32_t sampled;                   /* instructions that it issued */
    /* Of each of its warps: when the next instruction may issue as far as the warp itself goes (INFINITY: not before another does
     * something), and what it goes to. */
    double own[WARPS / SCHEDULERS];
    double order[WARPS / SCHEDULERS]; /* who goes first of those that can */
    uint8_t pipe_of[WARPS / SCHEDULERS], waits_in[WARPS / SCHEDULERS];
    bool chose; /* nothing changed since it chose: */
    uint32_t choice;
    double choice_at;
};

struct sm {
    const struct sm_load *load;
    const struct gpu_code *code;
    const struct gpu_model *model;
    struct warp warps[WARPS];
    float *credit;    /* of each warp and edge */
    uint8_t *start;   /* of each edge: way_plan */
    float *share;     /* the same */
    bool *together;   /* of each block: its warps go the same way */
    uint32_t *visits; /* of each warp and instruction */
    float *far;       /* of each instruction: requests' share that DRAM answers, added up */
    float *active;    /* the same of executions that access anything */
    struct slot slots[WARPS];
    struct scheduler schedulers[SCHEDULERS];
    double slot[SLOTS]; /* when each is free */
    uint32_t next_slot;
    double written, written_dram;                              /* when L2 and DRAM have what was stored */
    double lsu, constant, l2, dram, atomic, barriers;          /* when each is free */
    double l2_sector, l2_request, written_sector, dram_sector; /* cycles each */
    double launched;                                           /* blocks come one by one */
    double drawn;                                              /* of 0 to 1: how late the last answer was */
    double per_warp, total; /* instructions of a warp, on average; of all that come to this SM */
    double budget;          /* that are walked through */
    bool turns;             /* warps that can go take turns */
    double started, ended, lives, lived;
    double end;
    struct fetch fetch;
    struct sm_result *result;
    double *found, *wanted, *samples; /* stalls.c */
};

enum waiting waiting_kind(const struct gpu_instruction *in);
void waiting_add(struct scheduler *scheduler, const struct gpu_instruction *in, double leaves);

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
/* The share of a block's runs that go on by each edge, and what each choice of a warp starts from, less what is drawn for the warp:
 * where a loop ends, no trip is left out the first time; elsewhere warps spread evenly. In start: of edges that stay in a loop 2,
 * that leave one 1, of others 0. part: of their trips, how many long outer loops are to make; *per_warp: the instructions of a
 * warp then. False: out of memory. */
bool way_plan(struct sm *sm, double part, double *per_warp);

#endif

/* warp.h: running threads: paths, joins, registers of a warp, barriers, blocks. Private to simt/. */
#pragma once

#include "gpu/simt/code.h"
#include "gpu/simt/control/chain.h"

enum path_state {
    PATH_READY,
    PATH_AT_BARRIER,
    PATH_AT_WARP_BARRIER,
    PATH_AT_CLUSTER, /* at the cluster's barrier */
    PATH_HELD        /* at a block barrier, until the rest of its warp comes */
};

/* Threads of a warp that run together. */
struct path {
    const struct code *code;
    uint32_t pc, mask;
    int32_t join;        /* where these threads reconverge; -1: nowhere */
    uint32_t window;     /* byte offset of the registers in the warp's file */
    uint32_t depth;      /* depth of calls */
    uint64_t local_base; /* of this function's frame in each thread's local memory */
    uint8_t state;       /* enum path_state */
    uint8_t barrier;
    uint32_t members;  /* all lanes that it waits for */
    bool at_operation; /* waits to run an operation with the members, not at bar.warp.sync */
    const struct simt_operation *reduction; /* bar.red at which it waits */
    uint32_t spins;                         /* backward branches in its turn */
};

/* Where diverged threads wait for each other: a reconvergence point, or the return of a call. */
struct join {
    const struct code *code;
    uint32_t pc, expected, arrived;
    int32_t parent;
    uint32_t window, depth;
    uint64_t local_base;
    const struct ptx_call *call; /* NULL: a reconvergence point */
    bool used;
    const struct ptx_instruction *branch; /* the first divergence of its threads; for messages */
    const struct ptx_instruction *later;  /* where later_lanes branched to it; NULL: at several branches */
    uint32_t later_lanes;
};

struct register_file {
    struct register_file *next;
    const struct code *prepared; /* whose constants are filled in at window 0 */
    uint64_t prepared_launch;
    size_t bytes;
    uint8_t *memory; /* 64-byte aligned */
    uint8_t *local;  /* local memory of 32 threads */
    size_t local_bytes;
    struct warp_trips *trips;      /* of each loop of the module; all zeros between warps */
    struct register_shadow shadow; /* with `check` */
    struct memory_shadow local_shadow;
};

/* The fields before a window's registers, by which a handler finds its warp. */
struct window_header {
    struct warp *warp;
    struct worker *worker;
    struct site *sites;
    uint8_t *shared;
    uint32_t shared_bytes;
    const struct code *code;
    struct sm *sm;
    struct race_shadow *races; /* NULL: not checked */
    struct observer *observer; /* NULL: not observed */
    bool watched;              /* shared memory takes the slow path: races or observer */
    uint8_t *frame;            /* parameters of the running function, frame_stride bytes a lane */
    uint32_t frame_stride;
    uint64_t local_stride; /* local memory of a thread */
};
enum { WINDOW_HEADER_BYTES = 128 };
static inline struct window_header *window_header(uint8_t *registers) {
    return (struct window_header *)(void *)(registers - WINDOW_HEADER_BYTES);
}

/* Threads whose control flow depended on an unknown value, until they reconverge
 * (undefined_follow.c). */
struct region {
    const struct code *code;
    uint32_t end, window;
    cause_id cause;
};

enum { GROUPS = 8 };
enum warp_state { WARP_NEW, WARP_RUNNING, WARP_DONE };

struct warp {
    struct block *block;
    uint32_t index;
    uint32_t live;    /* threads that have not exited */
    uint32_t arrived; /* threads at the cluster's barrier, until all are */
    uint32_t early;   /* of those, gone on without the rest, until all meet at a barrier */
    uint8_t state;
    uint32_t path_count;
    struct path paths[SIMT_LANES];
    uint32_t named[SIMT_LANES]; /* member mask of each waiting thread */
    struct join *joins;
    uint32_t join_count, join_capacity;
    struct register_file *file;
    uint64_t instructions;
    uint32_t l1_place; /* cache.h */
    uint64_t slept_ns;
    struct chain waited;                  /* others' instructions that it waited for; copies: so far */
    struct chain storing, groups[GROUPS]; /* ends of its last bulk store, and of its last committed groups */
    uint32_t committed;
    const struct simt_operation *run_first; /* first operation of the current run, for clock() */
    const struct simt_operation *operation; /* the last one that may fault */
    struct warp_watch *watch;               /* endless.c's, of a watched launch */
    uint32_t syncs;                         /* with `check`: synchronisations with others (order.c) */
    bool acquired;                          /* likewise: it has synchronised, or accessed a volatile */
    uint32_t regions;                       /* lanes that are in a region */
    struct region region[SIMT_LANES];
};

struct barrier {
    uint32_t arrived;  /* threads */
    uint32_t gone_on;  /* of those, by bar.arrive, which does not wait */
    uint32_t expected; /* as the instruction says; 0: every live thread of the block */
    uint32_t true_threads, red_threads;
    const struct ptx_instruction *instruction; /* the last to arrive at it */
    struct chain latest;                       /* of those that arrived */
    bool waiting;
};

enum { SIMT_BARRIERS = 16 };

struct block {
    uint64_t index;
    uint32_t position[3];
    uint32_t threads, warp_count, live_threads;
    uint32_t warps_done;
    struct warp *warps;
    struct cluster *cluster; /* NULL: one of this block alone */
    uint32_t rank;           /* in its cluster */
    bool meets_cluster;      /* it has others in its cluster, or came to the barrier of its own */
    bool waited;             /* a thread waited for the kernel before (griddepcontrol.wait) */
    uint32_t slot;           /* among the SM's resident blocks */
    uint32_t ordinal;        /* number among the blocks that this SM started */
    uint8_t *shared;
    struct barrier barriers[SIMT_BARRIERS];
    uint64_t changes;                   /* of shared memory, while the launch is watched */
    struct race_shadow *races;          /* NULL: races are not looked for in it */
    uint64_t looked;                    /* warp instructions while races were looked for */
    struct observer *observer;          /* NULL: not observed */
    struct memory_shadow shared_shadow; /* with `check` */
    uint32_t barriers_passed;
    struct chain_phase cluster_phase; /* of its warps at the cluster's barrier */
    struct chain_phase *phases;       /* by 8 bytes of shared memory: of mbarriers; NULL: there was none */
    uint32_t *sums; /* per word of shared memory: lanes that summed there in a loop; NULL: none yet */
    char *text;     /* what it printed */
    size_t text_length, text_capacity;
    struct block *next;
};

static inline uint8_t *warp_registers(const struct warp *warp, uint32_t window) {
    return warp->file->memory + window + WINDOW_HEADER_BYTES;
}

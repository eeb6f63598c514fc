/* checker.h: the state of a device's checks. Private to undefined*.c, causes.c and order.c. */
#pragma once

#include "gpu/simt/check/undefined.h"

struct cause {
    const struct ptx_instruction *instruction; /* where it arises; NULL: the module is unloaded */
    uint8_t kind;                              /* enum cause_kind */
    uint8_t copies;                            /* enum cause_copies */
    uint32_t alike;
    uint64_t met, told;        /* occurrences; those that a remark has reported */
    struct simt_remark remark; /* the remark to be made */
};

/* A store of a warp to device memory. */
struct store_event {
    const struct ptx_instruction *instruction;
    uint32_t block, warp;
    uint32_t syncs, releases; /* of its block, before the store */
    uint32_t barriers, warp_syncs;
};

struct checker {
    struct cause *causes; /* [0] is none */
    uint32_t cause_count, cause_capacity, last_cause;
    struct segment *segment; /* the last one found; NULL after segments have moved */
    /* of the running launch: */
    struct store_event *events;
    uint32_t event_count, event_capacity;
    uint32_t first_writer, next_writer; /* number of the first, the next store; 32 an event */
    uint32_t *syncs;                    /* of each block: synchronisations with others */
    uint32_t *releases;                 /* of each block: those that make its earlier stores visible */
    bool judged;                        /* the current reader looks at every byte */
    bool ordered;                       /* look for races */
    bool tainted;                       /* device memory holds a stored value that is unknown */
};

enum { CHECKER_FIRST_WRITER = 64 };

/* The watched segment that holds [address, address + bytes). NULL: there is none. */
struct segment *simt_checker_segment(struct simt_device *device, uint64_t address, uint64_t bytes);

/* ---- order.c: whether two accesses to device memory in one launch are ordered */
bool simt_order_launch(struct checker *checker, const struct launch *launch);
void simt_order_end(struct checker *checker);
/* Called for an atomic, a fence or a volatile access. It may order the warp with others of its
 * block and, if global, with other blocks. */
void simt_order_synchronise(struct checker *checker, struct warp *warp,
                            const struct ptx_instruction *instruction, bool global);
/* Records a store; returns its number for lane 0. 0: races are not looked for. */
uint32_t simt_order_store(struct checker *checker, const struct witness *witness);
/* The cause if the bytes come from a store in this launch that nothing orders before this access;
 * 0: they do not. */
cause_id simt_order_read(struct checker *checker, const struct witness *witness, const uint32_t *writer,
                         uint32_t bytes);
cause_id simt_order_overwrite(struct checker *checker, const struct witness *witness, const uint32_t *writer,
                              uint32_t bytes);

/* checker.h: what the checks of a device share. Private to undefined*.c, causes.c and order.c. */
#ifndef SIMT_CHECKER_H
#define SIMT_CHECKER_H

#include "gpu/simt/check/undefined.h"

struct cause {
    const struct ptx_instruction *instruction; /* who meets it; NULL: its module is gone */
    uint8_t kind;                              /* enum cause_kind */
    uint8_t copies;                            /* enum cause_copies */
    uint32_t alike;
    uint64_t met, told;        /* how often, and how often a remark said so */
    struct simt_remark remark; /* as it will be made */
};

/* A store of a warp to device memory. */
struct store_event {
    const struct ptx_instruction *instruction;
    uint32_t block, warp;
    uint32_t syncs, releases; /* of its block, before */
    uint32_t barriers, warp_syncs;
};

struct checker {
    struct cause *causes; /* [0] is none */
    uint32_t cause_count, cause_capacity, last_cause;
    struct segment *segment; /* the last one looked up, of `segments` as they were */
    /* of the running launch: */
    struct store_event *events;
    uint32_t event_count, event_capacity;
    uint32_t first_writer, next_writer; /* numbers of its stores: 32 for each event, a lane each */
    uint32_t *syncs;                    /* of each block: how often it synchronised with others, */
    uint32_t *releases;                 /* and so that its earlier stores are seen by them */
    bool judged;                        /* whoever reads now looks at every byte */
    bool ordered;                       /* races are looked for */
    bool tainted;                       /* something in device memory is not known though it was stored */
};

enum { CHECKER_FIRST_WRITER = 64 };

/* The segment that holds this address and `bytes` more and whose bytes are watched; NULL: there is none. */
struct segment *simt_checker_segment(struct simt_device *device, uint64_t address, uint64_t bytes);

/* ---- order.c: what stands between two accesses to device memory in one launch */
bool simt_order_launch(struct checker *checker, const struct launch *launch);
void simt_order_end(struct checker *checker);
/* The warp does something that may order it with others, of its block and (global) of other blocks: an atomic, a fence,
 * a volatile access. */
void simt_order_synchronise(struct checker *checker, struct warp *warp,
                            const struct ptx_instruction *instruction, bool global);
/* The number of this store for lane 0; 0: races are not looked for. */
uint32_t simt_order_store(struct checker *checker, const struct witness *witness);
/* Whether what lies there comes from a store in this launch that nothing orders before this access; then the cause. */
cause_id simt_order_read(struct checker *checker, const struct witness *witness, const uint32_t *writer,
                         uint32_t bytes);
cause_id simt_order_overwrite(struct checker *checker, const struct witness *witness, const uint32_t *writer,
                              uint32_t bytes);

#endif

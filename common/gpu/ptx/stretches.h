/*
 * stretches.h: what of a function ptxas takes in one piece when it makes products and sums one operation: basic blocks, joined where
 * one follows another with nothing else to choose, and cut behind what becomes a branch only in the machine code. Private to
 * this room.
 */
#ifndef PTX_STRETCHES_H
#define PTX_STRETCHES_H

#include "gpu/ptx/internal.h"

struct ptx_stretches {
    uint32_t *order;  /* every instruction, stretch by stretch, in the order in which a thread runs them */
    uint32_t *starts; /* where in `order` each stretch begins; one more entry: where the last one ends */
    uint32_t count;   /* some may be empty */
};

/* Both arrays live until the function is analysed. Fails only for want of memory. */
void ptx_find_stretches(struct ptx_parser *parser, const struct ptx_body *body, const struct ptx_flow *flow,
                        struct ptx_stretches *stretches);

#endif

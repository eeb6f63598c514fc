/*
 * contract.h: products and sums of floats that ptxas makes one operation with one rounding, made one here too, so that a
 * kernel's results are those of its machine code to the last bit. Private to this room.
 */
#ifndef PTX_CONTRACT_H
#define PTX_CONTRACT_H

#include "gpu/ptx/internal.h"

/*
 * Rewrites `body`, whose blocks are `flow`, before registers get their slots: a sum that takes a product in becomes PTX_FMA in
 * its place, with its flags and PTX_NEGATED_PRODUCT, PTX_NEGATED_ADDEND for the signs; products, copies and
 * negations that nobody reads any more because of it are removed. The same body gives the same result. Returns whether
 * instructions were removed, so that `flow` no longer fits. Fails only for want of memory.
 */
bool ptx_contract(struct ptx_parser *parser, struct ptx_body *body, const struct ptx_flow *flow);

#endif

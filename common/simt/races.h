/* races.h: two threads of a block touch one shared address without a barrier between, one of them writing.
 * Private to simt/. */
#ifndef SIMT_RACES_H
#define SIMT_RACES_H

#include "simt/machine.h"

struct race_shadow;
struct race_shadow *races_create(uint32_t shared_bytes, uint32_t warps);
void races_destroy(struct race_shadow *races);
void races_begin_block(struct race_shadow *races);
/* All threads of the block passed a barrier together. */
void races_block_barrier(struct race_shadow *races);
/* Threads of one warp are ordered: a bar.warp.sync, or an instruction that synchronises its member lanes. */
void races_warp_barrier(struct race_shadow *races, uint32_t warp);
/* An access to shared memory by the lanes in mask; a race does not return. */
void races_access(struct window_header *window, const struct simt_operation *operation,
                  const uint64_t *address, uint32_t mask, uint32_t span, bool store);
/* Atomics race with plain accesses, not with each other. */
void races_atomic(struct window_header *window, const struct simt_operation *operation,
                  const uint64_t *address, uint32_t mask, uint32_t span);

#endif

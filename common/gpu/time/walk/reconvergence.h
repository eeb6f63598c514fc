/* reconvergence.h: where the diverged threads of a warp reconverge. Private to gpu/time/. */
#ifndef TIME_RECONVERGENCE_H
#define TIME_RECONVERGENCE_H

#include "gpu/time/code.h"

/* reconvergence[b]: the nearest block that post-dominates block b and reconverges; GPU_LEAVES:
 * none. Edges that no warp of the launch traversed count only in blocks that have no other.
 * False: out of memory. */
bool reconvergence_find(const struct gpu_code *code, uint32_t *reconvergence);

#endif

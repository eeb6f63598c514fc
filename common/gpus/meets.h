/*
 * meets.h: where threads of a warp that go different ways meet again. Private to gpus/.
 */
#ifndef GPUS_MEETS_H
#define GPUS_MEETS_H

#include "gpus/code.h"

/* meets[b]: the first block that all ways on from block b come to and where paths become one; GPU_LEAVES: none. Ways that no warp of
 * the launch went count only where it went none. False: out of memory. */
bool code_find_meets(const struct gpu_code *code, uint32_t *meets);

#endif

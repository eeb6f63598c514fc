/* block_uniform.h: branches at which all warps of a block take the same edge. Private to gpu/time/. */
#ifndef TIME_BLOCK_UNIFORM_H
#define TIME_BLOCK_UNIFORM_H

#include "gpu/time/code.h"

/* block_uniform[b]: block b's last branch decides whether, or how often, a barrier is reached.
 * False: out of memory. */
bool block_uniform_find(const struct gpu_code *code, bool *block_uniform);

#endif

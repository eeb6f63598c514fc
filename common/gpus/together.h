/*
 * together.h: which branches all warps of a block take the same way: those that decide whether, and how often, a barrier
 * is reached. Private to gpus/.
 */
#ifndef GPUS_TOGETHER_H
#define GPUS_TOGETHER_H

#include "gpus/code.h"

/* together[b]: block b's last instruction is such a branch. False: out of memory. */
bool code_find_together(const struct gpu_code *code, bool *together);

#endif

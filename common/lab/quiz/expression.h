/* expression.h: computes a number of a question. An expression has + - * / ( ), names of other
 * numbers, and functions:
 *   ceil(x) floor(x) round(x) min(x, y) max(x, y)
 *   occupancy(threads, registers, shared)   resident warps of an SM, in per cent of its most
 *   blocks(threads, registers, shared)      resident blocks of an SM
 *       (for blocks of so many threads, registers a thread and bytes of shared memory)
 *   sectors(width, bytes, pitch, offset)    quiz_sectors
 *   wavefronts(stride)                      quiz_wavefronts
 * and figures of the GPU model: sm_count clock_mhz dram_gbs max_warps max_blocks registers_per_sm
 * shared_per_sm shared_reserved issue_rate fma_rate lsu_rate */
#pragma once

#include "gpu/time/gpus.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct expression_names {
    unsigned count;
    const char *name[16];
    double value[16];
};

/* Computes an expression. False and why: the text is no expression, or its value is not finite. Any
 * text is safe to pass. */
bool expression_value(const char *text, const struct expression_names *names, const struct gpu_model *model,
                      double *value, char *error, size_t size);

/* Number of distinct 32-byte sectors of one load by a warp: lane i reads `bytes` bytes at offset +
 * (i / width) * pitch + (i % width) * bytes. width is 1 to 32. gpu/simt/access/access.h has the
 * same rule, and a test compares both. */
unsigned quiz_sectors(uint64_t width, uint64_t bytes, uint64_t pitch, uint64_t offset);
/* Number of wavefronts when lane i reads word i * stride of shared memory: the largest number of
 * distinct words in one of 32 banks. */
unsigned quiz_wavefronts(uint64_t stride);

/*
 * expression.h: numbers of a question computed from others: + - * / ( ), names, and functions:
 *   ceil(x) floor(x) round(x) min(x, y) max(x, y)
 *   occupancy(threads, registers, shared)   per cent of an SM's warps, of blocks of so many threads, registers a thread
 *   blocks(threads, registers, shared)      and bytes of shared memory; how many of the blocks an SM holds
 *   sectors(width, bytes, pitch, offset)    sectors of 32 bytes that a warp's load touches: quiz_sectors
 *   wavefronts(stride)                      passes of shared memory for one word a lane, so many words apart
 * and of the GPU model: sm_count clock_mhz dram_gbs max_warps max_blocks registers_per_sm
 * shared_per_sm shared_reserved issue_rate fma_rate lsu_rate
 */
#ifndef QUIZ_EXPRESSION_H
#define QUIZ_EXPRESSION_H

#include "gpu/time/gpus.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct expression_names {
    unsigned count;
    const char *name[16];
    double value[16];
};

/* The value of the text. False and why: what is not understood, or no finite number. Any text is
 * safe to pass. */
bool expression_value(const char *text, const struct expression_names *names, const struct gpu_model *model,
                      double *value, char *error, size_t size);

/* Distinct 32-byte sectors of one load by a warp: lane i reads `bytes` bytes at offset + (i /
 * width) * pitch + (i % width) * bytes. width: 1 to 32. The simulator's rule
 * (gpu/simt/access/access.h), which the tests hold it to. */
unsigned quiz_sectors(uint64_t width, uint64_t bytes, uint64_t pitch, uint64_t offset);
/* Passes of 32 banks of 4 bytes for lane i reading word i * stride: distinct words of the
 * fullest bank. */
unsigned quiz_wavefronts(uint64_t stride);

#endif

/*
 * waits.h: why a kernel's warps wait, by Nsight Compute's reasons, of the whole kernel and of its source lines. Known
 * where the time follows from machine code. Part of kernel_report.h, which includes it.
 */
#ifndef REPORT_WAITS_H
#define REPORT_WAITS_H

#include "gpu/time/gpus.h"

/* A source line before whose instructions warps spend their time. */
struct kernel_wait {
    char *file;
    uint32_t line;
    double share; /* of the time of all warps, 0..1, what they issue included */
    enum gpu_stall stall;
    double
        stall_share; /* of that time, what goes to the reason that takes most of it, "selected" apart; 0: none does */
};

enum { KERNEL_WAITS = 64 }; /* lines that are kept, those with the most of the time */

struct kernel_waits {
    bool known;
    double share[GPU_STALL_COUNT]; /* of the time of all warps, in each state; 1 together */
    uint32_t count;
    struct kernel_wait *lines; /* the largest share first */
};

void kernel_waits_free(struct kernel_waits *waits);
/* The largest first; equal ones by file and line; what is too much is left out. */
void kernel_waits_sort(struct kernel_waits *waits);
/* NULL: nothing is known of that line. */
const struct kernel_wait *kernel_waits_find(const struct kernel_waits *waits, const char *file,
                                            uint32_t line);
/* Another launch of the same kernel; weights: of the time of both. False: out of memory. Where one is not known, none is. */
bool kernel_waits_fold(struct kernel_waits *waits, double weight, const struct kernel_waits *other,
                       double other_weight);

/* The words "data of global or local memory 62 %, their turn: other warps issue 11 %": the top reasons of a kernel.
 * "": nothing is known. */
void kernel_waits_words(const struct kernel_waits *waits, char *text, size_t size);

#endif

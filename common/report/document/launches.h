/* launches.h: any number of launches in bounded memory, with an entry for each kernel. Times and
 * counters are sums. Shape, registers, waves and limiter are the longest launch's. Shares are
 * weighted by time. */
#pragma once

#include "report/document/kernel_report.h"

/* Most kernels with different names; most lines of all kernels together. */
enum { LAUNCHES_KERNELS = 256, LAUNCHES_LINES = 4096 };

struct launches {
    /* set by the owner: */
    uint32_t apart;      /* number of first launches that keep entries of their own */
    uint64_t lines_most; /* 0: LAUNCHES_LINES */
    uint32_t count, capacity;
    struct kernel_report *kernels; /* in order of their first launches */
    uint64_t launches;             /* all so far */
    uint64_t lines, lines_left_out;
    uint64_t left_out; /* of kernels for which there was no room */
    double left_out_us;
};

/* Takes a launch. Its report is moved or freed, and is empty afterwards. False: out of memory. */
bool launches_add(struct launches *launches, struct kernel_report *launch);
/* Hands over the entries and begins anew. The caller frees each entry and the array. */
struct kernel_report *launches_take(struct launches *launches, uint32_t *count);
void launches_free(struct launches *launches);

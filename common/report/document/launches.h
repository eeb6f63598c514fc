/*
 * launches.h: a program's launches as they come, in a room that has an end however many there are:
 * the launches of a kernel become one entry. Times and counters are summed, what has no sum (shape,
 * registers, waves, limiter) is the longest launch's, shares of the time are weighted by it.
 */
#ifndef REPORT_LAUNCHES_H
#define REPORT_LAUNCHES_H

#include "report/document/kernel_report.h"

/* What is kept at most: kernels of different names, and lines of all of them together. */
enum { LAUNCHES_KERNELS = 256, LAUNCHES_LINES = 4096 };

struct launches {
    /* Set by the owner: */
    uint32_t apart;      /* the first so many launches stay entries of their own */
    uint64_t lines_most; /* 0: LAUNCHES_LINES */
    uint32_t count, capacity;
    struct kernel_report *kernels; /* in the order of their first launches */
    uint64_t launches;             /* all that came */
    uint64_t lines, lines_left_out;
    uint64_t left_out; /* launches of one kernel more than there is room for; */
    double left_out_us;
};

/* Take a launch: what the report holds moves here, or is freed, and the report is empty. False:
 * out of memory; it is freed then, too. */
bool launches_add(struct launches *launches, struct kernel_report *launch);
/* Hand out the entries, and begin anew. The caller frees each and the array. */
struct kernel_report *launches_take(struct launches *launches, uint32_t *count);
void launches_free(struct launches *launches);

#endif

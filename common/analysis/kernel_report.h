/*
 * kernel_report.h: one kernel launch as report.json has it (the elements of runs[].kernels[]), whoever measured it:
 * the simulated GPU (counters exact, time modelled) or ncu on a real one (counters and time measured; null where absent).
 */
#ifndef ANALYSIS_KERNEL_REPORT_H
#define ANALYSIS_KERNEL_REPORT_H

#include "gpus/gpus.h"
#include <jansson.h>

struct kernel_line { char *file; uint32_t line; char kind[16]; uint64_t requests, transactions, ideal, threads; };

struct kernel_report {
    char *name;                        /* demangled */
    uint32_t grid[3], block[3];
    uint32_t registers, shared_bytes;  /* shared: static + dynamic */
    double time_us;
    char time_source[8];               /* "model", "event", "ncu" */
    char limiter[16];                  /* gpu_unit_name, or "" */
    double unit_share[GPU_UNIT_COUNT]; /* each unit's busy time over the kernel's, 0..1; NAN unknown */
    double waves, tail;
    double occupancy_theoretical, occupancy_achieved; /* 0..1; NAN unknown */
    struct simt_counters counters;
    bool known[SIMT_COUNTER_COUNT];    /* false: null in the report */
    uint32_t line_count;
    struct kernel_line *lines;
};

/* From a simulated launch and its modelled time. Returns false when out of memory. */
bool kernel_report_from_simulation(struct kernel_report *report, const char *name, const struct simt_launch *launch,
                                   const struct simt_result *result, const struct gpu_time *time);
json_t *kernel_report_to_json(const struct kernel_report *report);
/* false and a message when the JSON is not a kernel report. */
bool kernel_report_from_json(struct kernel_report *report, const json_t *json, char *error, size_t size);
void kernel_report_free(struct kernel_report *report);

#endif

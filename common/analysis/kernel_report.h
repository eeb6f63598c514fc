/*
 * kernel_report.h: one kernel launch as report.json has it (the elements of runs[].kernels[]), whoever
 * measured it: the simulated GPU (counters exact, time modelled) or ncu on a real one (counters and time
 * measured; null where absent).
 */
#ifndef ANALYSIS_KERNEL_REPORT_H
#define ANALYSIS_KERNEL_REPORT_H

#include "gpus/gpus.h"
#include <jansson.h>

/* The place of each counter in the list of simt/counters.h: COUNTER_warp_instructions, ... */
enum simt_counter_index {
#define SIMT_COUNTER_INDEX(name, what) COUNTER_##name,
    SIMT_COUNTERS(SIMT_COUNTER_INDEX)
#undef SIMT_COUNTER_INDEX
        COUNTER_COUNT
};

/* Every number of a report is written with this many significant digits: json_dumps(json, JSON_COMPACT |
 * REPORT_JSON_FLAGS). */
enum { REPORT_REAL_DIGITS = 6 };
#define REPORT_JSON_FLAGS (JSON_REAL_PRECISION(REPORT_REAL_DIGITS))

struct kernel_line {
    char *file;
    uint32_t line;
    char kind[16]; /* "global_load", "global_store", "shared_load", ..., "atomic", "branch" */
    uint64_t requests, transactions, ideal, threads; /* as struct simt_line */
};

struct kernel_report {
    char *name; /* demangled */
    uint32_t grid[3], block[3];
    uint32_t registers, shared_bytes; /* shared: static + dynamic */
    double time_us;
    char time_source[8];               /* "model", "event", "ncu" */
    char limiter[16];                  /* gpu_unit_name, or "" */
    double unit_share[GPU_UNIT_COUNT]; /* each unit's busy time over the kernel's, 0..1; NAN unknown */
    double waves, tail;                /* NAN unknown */
    double occupancy_theoretical, occupancy_achieved; /* 0..1; NAN unknown */
    struct simt_counters counters;
    bool known[SIMT_COUNTER_COUNT]; /* false: null in the report */
    uint32_t line_count;
    struct kernel_line *lines;
};

/* From a simulated launch and its modelled time. Returns false when out of memory (*report is then empty). */
bool kernel_report_from_simulation(struct kernel_report *report, const char *name,
                                   const struct simt_launch *launch, const struct simt_result *result,
                                   const struct gpu_time *time);
json_t *kernel_report_to_json(const struct kernel_report *report); /* NULL: out of memory */
/* false and a one-line message when the JSON is not a kernel report (*report is then empty). */
bool kernel_report_from_json(struct kernel_report *report, const json_t *json, char *error, size_t size);
void kernel_report_free(struct kernel_report *report);

/* Name and value of a counter by its place. NULL, 0: no such counter. */
const char *kernel_counter_name(enum simt_counter_index counter);
const char *kernel_counter_meaning(enum simt_counter_index counter);
uint64_t kernel_counter(const struct simt_counters *counters, enum simt_counter_index counter);
void kernel_counter_set(struct simt_counters *counters, enum simt_counter_index counter, uint64_t value);
/* The text of an enum simt_line_kind, and back (-1 if it is none). */
const char *kernel_line_kind_name(enum simt_line_kind kind);
int kernel_line_kind(const char *name);

#endif

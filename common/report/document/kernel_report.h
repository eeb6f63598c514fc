/* kernel_report.h: one kernel launch, or all launches of a kernel: an element of runs[].kernels[]
 * in report.json. The source is the simulated GPU (exact counters, modelled time), or ncu on a real
 * GPU (null where ncu has no value). */
#pragma once

#include "base/counters.h"
#include "base/line_facts.h"
#include "gpu/time/gpus.h"
#include "report/findings/finding_codes.h"
#include <jansson.h>
#include <stddef.h>

/* Schema 1 is read too; what it lacks is then NULL, NAN, 0 or false. Numbers are written with
 * REPORT_REAL_DIGITS significant digits: json_dumps(json, JSON_COMPACT | REPORT_JSON_FLAGS). */
enum { REPORT_SCHEMA = 2, REPORT_REAL_DIGITS = 6 };
#define REPORT_JSON_FLAGS (JSON_REAL_PRECISION(REPORT_REAL_DIGITS))

/* ---- waits.c: why warps wait, by ncu's stall reasons; known if the time follows from machine
 * code */

/* A source line at which warps spend time. */
struct kernel_wait {
    char *file;
    uint32_t line;
    double share; /* of all warps' time, 0..1, issuing included */
    enum gpu_stall stall;
    double stall_share; /* part of the largest reason except "selected", of all warps' time; 0: none */
};

enum { KERNEL_WAITS = 64 }; /* lines kept: those with the largest share */

struct kernel_waits {
    bool known;
    double share[GPU_STALL_COUNT]; /* of all warps' time in each state; the sum is 1 */
    uint32_t count;
    struct kernel_wait *lines; /* largest share first */
};

void kernel_waits_free(struct kernel_waits *waits);
/* Sorts by share, largest first, then by file and line; keeps KERNEL_WAITS lines. */
void kernel_waits_sort(struct kernel_waits *waits);
/* NULL: that line has no waits. */
const struct kernel_wait *kernel_waits_find(const struct kernel_waits *waits, const char *file,
                                            uint32_t line);
/* Adds another launch of the same kernel; the weights are the two times. Unknown if one is unknown.
 * False: out of memory. */
bool kernel_waits_fold(struct kernel_waits *waits, double weight, const struct kernel_waits *other,
                       double other_weight);
/* Prints a kernel's top reasons, "data of global or local memory 62 %, their turn: other warps
 * issue 11 %"; "": unknown. */
void kernel_waits_words(const struct kernel_waits *waits, char *text, size_t size);

/* ---- executed.c: warp instructions by pipe, and requests to shared and local memory in the
 * machine code, by source line and basic block; known if machine code has a line table */

struct executed_line {
    char *file;    /* "": unknown lines, and lines left out */
    uint32_t line; /* 0: as file "" */
    uint64_t counts[MACHINE_COUNTERS];
};

struct executed_block {
    uint32_t first;        /* index of its first instruction in the kernel's code, from 0 */
    uint32_t instructions; /* 0: sum of all blocks left out */
    uint64_t counts[MACHINE_COUNTERS];
};

/* Lines and blocks kept: those with most executed instructions. One more holds the rest. */
enum { EXECUTED_LINES = 64, EXECUTED_BLOCKS = 256 };

/* Each counter's sum over the lines, and over the blocks, is the launch's. */
struct kernel_executed {
    bool known;
    uint32_t count, block_count;
    struct executed_line *lines;   /* most instructions first; the rest last */
    struct executed_block *blocks; /* those that ran, in code order; the rest last */
};

void kernel_executed_free(struct kernel_executed *executed);
/* Sorts the lines and adds those beyond EXECUTED_LINES to the rest. The array has room for one more
 * line. False: out of memory. */
bool kernel_executed_sort(struct kernel_executed *executed);
/* As kernel_executed_sort, for the blocks. */
void kernel_executed_trim(struct kernel_executed *executed);
/* NULL: that line executed nothing. */
const struct executed_line *kernel_executed_find(const struct kernel_executed *executed, const char *file,
                                                 uint32_t line);
/* Adds another launch of the same kernel. Unknown if one is unknown. False: out of memory. */
bool kernel_executed_fold(struct kernel_executed *executed, const struct kernel_executed *other);

/* A line's share of all instructions that the kernel executed. */
double executed_share(const struct kernel_executed *executed, const struct executed_line *line);
/* Prints "alu 62, fma 20, lsu 18": per cent of a line's instructions, for at most three pipes. */
void executed_pipes(const struct executed_line *line, char *text, size_t size);

/* ---- how much faster the kernel is at most without one limit, by the time model */

struct kernel_what_if {
    enum gpu_lift lift;
    char *file;    /* "": everywhere */
    uint32_t line; /* 0: everywhere */
    double factor; /* the time over the time without it, 1 or more */
};

struct kernel_what_ifs {
    uint32_t count;
    struct kernel_what_if items[GPU_WHAT_IFS]; /* those of the whole kernel first */
};

/* Prints "no bank conflicts", "no bank conflicts at kernel.cu:12". */
void kernel_what_if_words(const struct kernel_what_if *what_if, char *text, size_t size);

/* ---- the kernel */

/* Source of a time: the time model, CUDA events, the judge's clock around the call (over a window
 * of calls, or once), ncu, the host's clock. */
enum time_source {
    TIME_UNKNOWN,
    TIME_MODEL,
    TIME_EVENT,
    TIME_WINDOW,
    TIME_WALL,
    TIME_NCU,
    TIME_CLOCK,
    TIME_SOURCES
};
const char *time_source_name(int source); /* "model"; "": unknown; NULL: no such source */

struct kernel_line {
    char *file;
    uint32_t line;
    enum line_kind kind;
    uint64_t requests, transactions, ideal, threads; /* units as in struct simt_line */
    struct line_facts facts;
};

/* Basis of a simulated launch's time: the program's machine code, machine code that ptxas made of
 * its PTX, or the counters. The least certain comes last. */
enum kernel_timed_by { TIMED_BY_UNKNOWN, TIMED_BY_CODE, TIMED_BY_PTXAS, TIMED_BY_COUNTERS, TIMED_BY_COUNT };
enum { KERNEL_TIMED_WHY = 192 };

/* A block shape that was tried for the kernel on the simulated GPU. */
struct kernel_tried {
    enum finding_code why; /* the finding that advises the shape */
    uint32_t block[3];
    double time_us; /* the kernel's time with that block; NAN: the result was wrong */
    bool same;      /* the result was right */
};
enum { KERNEL_TRIED = 2 };

struct findings;

struct kernel_report {
    char *name; /* demangled */
    uint32_t grid[3], block[3];
    uint32_t registers, shared_bytes; /* of a thread; of a block, static and dynamic */
    uint32_t spill_bytes;             /* a thread's registers that machine code stores to local memory */
    bool spill_known;                 /* false: null in the report */
    /* Bytes of machine code: of the kernel; of the blocks that execute 95 % of its instructions. */
    uint32_t code_bytes, hot_code_bytes;
    bool code_known; /* false: null in the report */
    double time_us;
    enum time_source time_source;
    enum kernel_timed_by timed_by;    /* unknown: not simulated, or an older kit's report */
    char timed_why[KERNEL_TIMED_WHY]; /* by counters: why; else what the time leaves out */
    /* The kind of kernel that the model is off by as much, and by how much: a share of the time.
     * Unknown: it is not modelled, or an older kit's report. */
    enum gpu_kind kind;
    bool band_known;
    double band;
    enum gpu_unit limiter;             /* GPU_UNIT_COUNT: unknown */
    double unit_share[GPU_UNIT_COUNT]; /* busy time of each unit / the kernel's time, 0..1; NAN: unknown */
    double waves, tail;                /* NAN: unknown */
    double occupancy_theoretical, occupancy_achieved; /* 0..1; NAN: unknown */
    struct counters counters;
    bool known[COUNTER_COUNT]; /* false: null in the report */
    uint32_t line_count;
    struct kernel_line *lines;
    struct kernel_waits waits;
    struct kernel_executed executed;
    struct kernel_what_ifs what_ifs; /* of several launches, of the longest */
    uint32_t tried_count;
    struct kernel_tried tried[KERNEL_TRIED];
    /* An entry may describe several launches of a kernel (launches.h). */
    uint64_t launches;         /* 0 counts as 1 */
    bool other_shapes;         /* some launches have another grid or block */
    double longest_us;         /* of the longest launch, which has the entry's shape */
    uint64_t first;            /* number of launches of the call before this one; not in the report */
    struct findings *findings; /* NULL until report_add_findings; not in the report */
};

/* Number of launches that the entry describes. */
uint64_t kernel_launches(const struct kernel_report *report);

/* Whether a what-if of it says something: 5 % or more, more than the time may be off, and no line alone gives all of it. */
bool kernel_what_if_counts(const struct kernel_report *report, const struct kernel_what_if *what_if);

/* The band of its time; NAN: unknown. */
double kernel_band(const struct kernel_report *report);

json_t *kernel_report_to_json(const struct kernel_report *report); /* NULL: out of memory */
/* False and a line: the JSON is no kernel report (*report is then empty). */
bool kernel_report_from_json(struct kernel_report *report, const json_t *json, char *error, size_t size);
void kernel_report_free(struct kernel_report *report);

/* Whether the limiter is busy, or warps wait for it, 80 % of the time or more. A limiter of unknown
 * share counts as busy. */
bool kernel_at_limit(const struct kernel_report *report);

/* Prints "timed by its machine code", "timed by its counters; no ptxas was found"; "": unknown. */
void kernel_timed_words(const struct kernel_report *report, char *text, size_t size);

/* Whether the time is modelled by counters alone, and so without the cost of spilled registers. */
bool kernel_report_by_counters(const struct kernel_report *report);

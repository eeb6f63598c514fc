/*
 * kernel_report.h: one kernel launch, or all launches of a kernel, as an element of
 * runs[].kernels[] in report.json. The simulated GPU measures it (counters exact, time modelled),
 * or ncu on a real GPU (null where ncu says nothing).
 */
#ifndef REPORT_KERNEL_REPORT_H
#define REPORT_KERNEL_REPORT_H

#include "base/counters.h"
#include "base/line_facts.h"
#include "gpu/time/gpus.h"
#include "report/findings/finding_codes.h"
#include <jansson.h>
#include <stddef.h>

/* Schema 1 is read too; what it lacks is then NULL, NAN, 0 or false. Every number of a report is
 * written with REPORT_REAL_DIGITS significant digits: json_dumps(json, JSON_COMPACT |
 * REPORT_JSON_FLAGS). */
enum { REPORT_SCHEMA = 2, REPORT_REAL_DIGITS = 6 };
#define REPORT_JSON_FLAGS (JSON_REAL_PRECISION(REPORT_REAL_DIGITS))

/* ---- waits.c: why warps wait, by Nsight Compute's stall reasons; known where the time follows
 * from machine code */

/* A source line before whose instructions warps spend time. */
struct kernel_wait {
    char *file;
    uint32_t line;
    double share; /* of the time of all warps, 0..1, issuing included */
    enum gpu_stall stall;
    double stall_share; /* of all warps' time, the largest reason's part, "selected" apart; 0: none */
};

enum { KERNEL_WAITS = 64 }; /* lines that are kept: those with the largest share */

struct kernel_waits {
    bool known;
    double share[GPU_STALL_COUNT]; /* of the time of all warps, in each state; together 1 */
    uint32_t count;
    struct kernel_wait *lines; /* the largest share first */
};

void kernel_waits_free(struct kernel_waits *waits);
/* Sorts by share, the largest first, then by file and line; drops what is beyond KERNEL_WAITS. */
void kernel_waits_sort(struct kernel_waits *waits);
/* NULL: nothing is known of that line. */
const struct kernel_wait *kernel_waits_find(const struct kernel_waits *waits, const char *file,
                                            uint32_t line);
/* Adds another launch of the same kernel; the weights are the times of both. Unknown where one
 * of them is unknown. False: out of memory. */
bool kernel_waits_fold(struct kernel_waits *waits, double weight, const struct kernel_waits *other,
                       double other_weight);
/* "data of global or local memory 62 %, their turn: other warps issue 11 %": the top reasons of
 * a kernel. "": unknown. */
void kernel_waits_words(const struct kernel_waits *waits, char *text, size_t size);

/* ---- executed.c: warp instructions by pipe, and requests to shared and local memory as
 * compiled, for each source line and each basic block; known where there is machine code with a
 * table of lines */

struct executed_line {
    char *file;    /* "": all of unknown lines, and of lines that were left out */
    uint32_t line; /* 0 likewise */
    uint64_t counts[MACHINE_COUNTERS];
};

/* A basic block of machine code. */
struct executed_block {
    uint32_t first;        /* index of its first instruction in the kernel's code, from 0 */
    uint32_t instructions; /* 0: all blocks that were left out */
    uint64_t counts[MACHINE_COUNTERS];
};

/* Lines and blocks that are kept: those with the most instructions executed. One more holds the
 * rest. */
enum { EXECUTED_LINES = 64, EXECUTED_BLOCKS = 256 };

/* Each counter's sum over the lines is the launch's, and so is its sum over the blocks. */
struct kernel_executed {
    bool known;
    uint32_t count, block_count;
    struct executed_line *lines;   /* the most instructions first; the rest last */
    struct executed_block *blocks; /* those that ran, in the order of the code; the rest last */
};

void kernel_executed_free(struct kernel_executed *executed);
/* Sorts the lines and adds what is beyond EXECUTED_LINES to the rest. The array has room for one
 * more line. False: out of memory. */
bool kernel_executed_sort(struct kernel_executed *executed);
/* Sorts the blocks likewise; the array has room for one more block. */
void kernel_executed_trim(struct kernel_executed *executed);
/* NULL: nothing was executed there. */
const struct executed_line *kernel_executed_find(const struct kernel_executed *executed, const char *file,
                                                 uint32_t line);
/* Adds another launch of the same kernel. Unknown where one of them is unknown. False: out of
 * memory. */
bool kernel_executed_fold(struct kernel_executed *executed, const struct kernel_executed *other);

/* The line's share of all instructions that the kernel executed. */
double executed_share(const struct kernel_executed *executed, const struct executed_line *line);
/* "alu 62, fma 20, lsu 18": percent of a line's instructions, for the three pipes that took
 * most, from 1 on. */
void executed_pipes(const struct executed_line *line, char *text, size_t size);

/* ---- the kernel */

/* Where a time comes from: the time model, CUDA events, the judge's own clock around the call
 * (over a window of calls, or once), ncu, the host's clock. */
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
const char *time_source_name(int source); /* "model"; "" unknown; NULL: there is no such source */

struct kernel_line {
    char *file;
    uint32_t line;
    enum line_kind kind;
    uint64_t requests, transactions, ideal, threads; /* in the units of struct simt_line */
    struct line_facts facts;
};

/* What a simulated launch's time follows from: the program's own machine code, what ptxas made
 * of its PTX, or the counters. The least certain comes last. */
enum kernel_timed_by { TIMED_BY_UNKNOWN, TIMED_BY_CODE, TIMED_BY_PTXAS, TIMED_BY_COUNTERS, TIMED_BY_COUNT };
enum { KERNEL_TIMED_WHY = 192 };

/* A block shape that was tried for the kernel on the simulated GPU. */
struct kernel_tried {
    enum finding_code why; /* the finding whose advice it is */
    uint32_t block[3];
    double time_us; /* the kernel's with that block; NAN where the result was wrong */
    bool same;      /* the result was right */
};
enum { KERNEL_TRIED = 2 };

struct findings;

struct kernel_report {
    char *name; /* demangled */
    uint32_t grid[3], block[3];
    uint32_t registers, shared_bytes; /* of a thread; of a block, static + dynamic */
    uint32_t spill_bytes;             /* registers of a thread that the machine code stores to local memory */
    bool spill_known;                 /* false: null in the report */
    /* Bytes of machine code: of the kernel; of the basic blocks in which 95 of 100 executed
     * instructions lie. */
    uint32_t code_bytes, hot_code_bytes;
    bool code_known; /* false: null in the report */
    double time_us;
    enum time_source time_source;
    enum kernel_timed_by timed_by;     /* unknown: not simulated, or by a kit that did not say */
    char timed_why[KERNEL_TIMED_WHY];  /* by counters: why; else what the time is known to leave out */
    enum gpu_unit limiter;             /* GPU_UNIT_COUNT: unknown */
    double unit_share[GPU_UNIT_COUNT]; /* each unit's busy time over the kernel's, 0..1; NAN unknown */
    double waves, tail;                /* NAN unknown */
    double occupancy_theoretical, occupancy_achieved; /* 0..1; NAN unknown */
    struct counters counters;
    bool known[COUNTER_COUNT]; /* false: null in the report */
    uint32_t line_count;
    struct kernel_line *lines;
    struct kernel_waits waits;
    struct kernel_executed executed;
    uint32_t tried_count;
    struct kernel_tried tried[KERNEL_TRIED];
    /* An entry may stand for several launches of a kernel (launches.h). */
    uint64_t launches;         /* 0 as 1: what was measured as one launch */
    bool other_shapes;         /* some launches have another grid or block */
    double longest_us;         /* of the longest launch, whose shape the entry has */
    uint64_t first;            /* number of launches of the call before this one; not in the report */
    struct findings *findings; /* NULL until report_add_findings; not in the report */
};

/* Number of launches that the entry stands for. */
uint64_t kernel_launches(const struct kernel_report *report);

json_t *kernel_report_to_json(const struct kernel_report *report); /* NULL: out of memory */
/* false and a one-line message when the JSON is not a kernel report (*report is then empty). */
bool kernel_report_from_json(struct kernel_report *report, const json_t *json, char *error, size_t size);
void kernel_report_free(struct kernel_report *report);

/* Whether the limiter is busy, or warps wait for it, for 80 % of the time or more. A limiter
 * whose share is unknown counts as busy. */
bool kernel_at_limit(const struct kernel_report *report);

/* "timed by its machine code", "timed by its counters; no ptxas was found"; "" unknown. */
void kernel_timed_words(const struct kernel_report *report, char *text, size_t size);

/* Whether the time is modelled by the counters alone, and so without the cost of spilled
 * registers. */
bool kernel_report_by_counters(const struct kernel_report *report);

#endif

/*
 * kernel_report.h: one kernel launch, or all of a kernel, as report.json has it (the elements of runs[].kernels[]), whoever
 * measured it: the simulated GPU (counters exact, time modelled) or ncu on a real one (counters and time
 * measured; null where absent).
 */
#ifndef REPORT_KERNEL_REPORT_H
#define REPORT_KERNEL_REPORT_H

#include "base/line_facts.h"
#include "gpu/time/gpus.h"
#include "report/document/executed.h"
#include "report/document/waits.h"
#include "report/findings/finding_codes.h"
#include <jansson.h>

/* Schema 1 is read too; what it does not have is then NULL, NAN, 0 or false. Every number of a report is written with that
 * many significant digits: json_dumps(json, JSON_COMPACT | REPORT_JSON_FLAGS). */
enum { REPORT_SCHEMA = 2, REPORT_REAL_DIGITS = 6 };
#define REPORT_JSON_FLAGS (JSON_REAL_PRECISION(REPORT_REAL_DIGITS))

/* Where a time comes from: the time model, CUDA events, the judge's own clock around the call (over a window of calls, or
 * once), ncu, the host's clock. */
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
    uint64_t requests, transactions, ideal, threads; /* struct simt_line says of what */
    struct line_facts facts;
};

/* What a simulated launch's time follows from: the program's own machine code, what ptxas made of its PTX, or what was
 * counted. The least sure last. */
enum kernel_timed_by { TIMED_BY_UNKNOWN, TIMED_BY_CODE, TIMED_BY_PTXAS, TIMED_BY_COUNTERS, TIMED_BY_COUNT };
enum { KERNEL_TIMED_WHY = 192 };

/* A block shape that the kernel was run with once more, on the simulated GPU. */
struct kernel_tried {
    enum finding_code why; /* the finding whose advice it is */
    uint32_t block[3];
    double time_us; /* the kernel's then; NAN where the result was not right */
    bool same;      /* the result was right */
};
enum { KERNEL_TRIED = 2 };

struct findings;

struct kernel_report {
    char *name; /* demangled */
    uint32_t grid[3], block[3];
    uint32_t registers, shared_bytes; /* shared: static + dynamic */
    uint32_t spill_bytes; /* of a thread's registers: what the machine code stores to local memory */
    bool spill_known;     /* false: null in the report */
    /* Bytes of machine code: of the kernel; of its busiest part, in which 95 of 100 executed instructions lie. */
    uint32_t code_bytes, hot_code_bytes;
    bool code_known; /* false: null in the report */
    double time_us;
    enum time_source time_source;
    enum kernel_timed_by timed_by; /* unknown: not simulated, or by a kit that did not say */
    char timed_why
        [KERNEL_TIMED_WHY]; /* by counters: a line that says why; else what the time is known to leave out */
    enum gpu_unit limiter;  /* GPU_UNIT_COUNT: unknown */
    double unit_share[GPU_UNIT_COUNT]; /* each unit's busy time over the kernel's, 0..1; NAN unknown */
    double waves, tail;                /* NAN unknown */
    double occupancy_theoretical, occupancy_achieved; /* 0..1; NAN unknown */
    struct counters counters;
    bool known[COUNTER_COUNT]; /* false: null in the report */
    uint32_t line_count;
    struct kernel_line *lines;
    struct kernel_waits waits;       /* why its warps wait */
    struct kernel_executed executed; /* machine instructions by source line */
    uint32_t tried_count;
    struct kernel_tried tried[KERNEL_TRIED];
    /* An entry may stand for several launches of a kernel (launches.h). */
    uint64_t launches;         /* 0 as 1: what was measured as one launch */
    bool other_shapes;         /* among them are such with another grid or block */
    double longest_us;         /* of the longest of them, whose shape it is */
    uint64_t first;            /* how many launches of the call came before; not in the report */
    struct findings *findings; /* NULL: report_add_findings was not called; not in the report */
};

/* How many launches it stands for. */
uint64_t kernel_launches(const struct kernel_report *report);

json_t *kernel_report_to_json(const struct kernel_report *report); /* NULL: out of memory */
/* false and a one-line message when the JSON is not a kernel report (*report is then empty). */
bool kernel_report_from_json(struct kernel_report *report, const json_t *json, char *error, size_t size);
void kernel_report_free(struct kernel_report *report);

/* Is the limiter a limit: is it busy, or do warps wait, for 80 % of the time or more? A unit of which that is not known is
 * taken for one. Below that it is only the largest part. */
bool kernel_at_limit(const struct kernel_report *report);

/* "timed by its machine code", "timed by its counters; no ptxas was found"; "" unknown. */
void kernel_timed_words(const struct kernel_report *report, char *text, size_t size);

/* Is the time modelled by the counters alone? Then it does not hold what spilled registers cost. */
bool kernel_report_by_counters(const struct kernel_report *report);

#endif

/* breakdown.h: where a kernel's work goes, in rows: levels of memory, classes of instructions, the
 * roofline, the kernels of a run by time. */
#pragma once

#include "report/document/report.h"
#include "report/writers/table.h"

enum memory_level { MEMORY_SHARED, MEMORY_LOCAL, MEMORY_L1, MEMORY_L2, MEMORY_DRAM, MEMORY_LEVELS };

/* A kernel's use of a level of memory. Rates are over the kernel's whole time. */
struct memory_use {
    const char *name;      /* "shared" */
    const char *unit;      /* of transactions: "passes", "sectors"; "": not counted */
    bool used;             /* false: unused, or a counter is unknown */
    uint64_t requests;     /* of warps; 0: not counted at this level */
    uint64_t transactions; /* 0: not counted */
    double bytes;          /* moved, wanted or not: transactions times their size */
    double gbs, peak_gbs;  /* 10^9 bytes a second; NAN: unknown */
    double hits;           /* share of the sectors read, 0..1; NAN: no cache, or unknown */
};
/* model NULL: no peaks. */
void memory_use(const struct kernel_report *kernel, const struct gpu_model *model,
                struct memory_use levels[MEMORY_LEVELS]);

enum memory_cell {
    MEMORY_CELL_NAME,
    MEMORY_CELL_REQUESTS, /* "959,091,984" */
    MEMORY_CELL_TRANSACTIONS,
    MEMORY_CELL_BYTES, /* "16.4 MB" */
    MEMORY_CELL_RATE,  /* "1234 GB/s" */
    MEMORY_CELL_PEAK,
    MEMORY_CELL_SHARE, /* "28 %" */
    MEMORY_CELL_HITS
};
void memory_row(struct table_row *row, const struct memory_use *use);
/* Begins the table behind `before` and adds the used levels. False: none; nothing is written. */
bool memory_table(const struct table *table, const struct kernel_report *kernel,
                  const struct gpu_model *model, const char *before);

/* The instructions of a kernel by class, the most frequent first. */
enum { MIX_MOST = 16 };
struct mix {
    uint32_t count;
    struct {
        const char *name, *meaning; /* "integer" */
        uint64_t instructions;
        double share; /* of all, 0..1 */
    } classes[MIX_MOST];
};
/* False: unknown, or no instructions. */
bool instruction_mix(const struct kernel_report *kernel, struct mix *mix);

/* A run on the roofline. The unit of work is single-precision operations (an FMA is two) if the
 * profiled kernel does mostly these, else warp instructions. */
struct roofline {
    bool flops;
    double peak;                     /* 10^9 units of work a second */
    double bandwidth[MEMORY_LEVELS]; /* 10^9 bytes a second; 0: not drawn */
};
struct roofline_point {
    double work;                     /* 10^9 units of work a second */
    double intensity[MEMORY_LEVELS]; /* work for each byte; 0: no such traffic */
    enum memory_level roof;          /* the lowest roof above the run; MEMORY_LEVELS: the arithmetic */
    double reached;                  /* share of that roof, 0..1 */
};
/* Puts a run on the roofline. False: model or counters are unknown. */
bool roofline_of(const struct report_run *run, const struct gpu_model *model, struct roofline *roofline);
bool roofline_point(const struct roofline *roofline, const struct report_run *run,
                    struct roofline_point *point);
/* "single-precision operations", "warp instructions". */
const char *roofline_work(const struct roofline *roofline);
const char *memory_level_name(enum memory_level level); /* "DRAM" */

enum roofline_cell {
    ROOFLINE_CELL_NAME,
    ROOFLINE_CELL_WORK,
    ROOFLINE_CELL_L1, /* units of work for each byte of a level */
    ROOFLINE_CELL_L2,
    ROOFLINE_CELL_DRAM,
    ROOFLINE_CELL_ROOF,
    ROOFLINE_CELL_REACHED
};
void roofline_row(struct table_row *row, const struct roofline *roofline, const char *name,
                  const struct roofline_point *point);

/* The kernels of a run by name, the longest first: launches, time, share, and Amdahl's limit. */
enum { RANKED_MOST = 12 };
struct ranked {
    const char *name;
    uint32_t launches, longest; /* longest: index of its longest launch */
    double time_us, share;      /* share of all kernels' time */
    double limit; /* the run's speedup if this kernel took no time; INFINITY: it is the whole run */
};
uint32_t rank_kernels(const struct report_run *run, struct ranked ranked[RANKED_MOST]);

enum ranked_cell {
    RANKED_CELL_NAME,
    RANKED_CELL_LAUNCHES,
    RANKED_CELL_TIME,
    RANKED_CELL_SHARE,
    RANKED_CELL_LIMIT
};
void ranked_row(struct table_row *row, const struct ranked *ranked);

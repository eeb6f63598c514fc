/*
 * breakdown.h: where a kernel's work goes, as rows for a terminal and a page: the levels of memory,
 * the classes of instructions; and the roofline: what its work asks of a memory, and what that
 * memory and the arithmetic allow.
 */
#ifndef REPORT_BREAKDOWN_H
#define REPORT_BREAKDOWN_H

#include "report/document/report.h"
#include "report/writers/table.h"

enum memory_level { MEMORY_SHARED, MEMORY_LOCAL, MEMORY_L1, MEMORY_L2, MEMORY_DRAM, MEMORY_LEVELS };

/* What a kernel asked of a level. Times and rates are of the kernel's whole time. */
struct memory_use {
    const char *name;      /* "shared" */
    const char *unit;      /* of transactions: "passes", "sectors"; "": not counted */
    bool used;             /* anything at all; false also where a counter is not known */
    uint64_t requests;     /* of warps; 0: not counted at this level */
    uint64_t transactions; /* 0: not counted */
    double bytes;          /* moved, also those that nobody asked for: transactions times their size */
    double gbs, peak_gbs;  /* 10^9 bytes a second; NAN unknown */
    double hits;           /* 0..1, of the sectors read; NAN: no cache, or unknown */
};
/* model may be NULL: no peaks. */
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
/* Begins the table and adds the levels that are used, after `before`. False: none is, and
 * nothing was written. */
bool memory_table(const struct table *table, const struct kernel_report *kernel,
                  const struct gpu_model *model, const char *before);

/* The instructions of a kernel by class, the most first. */
enum { MIX_MOST = 16 };
struct mix {
    uint32_t count;
    struct {
        const char *name, *meaning; /* "integer" */
        uint64_t instructions;
        double share; /* of all; 0..1 */
    } classes[MIX_MOST];
};
/* false: not known, or there were none. */
bool instruction_mix(const struct kernel_report *kernel, struct mix *mix);

/* A run on the roofline. Work is single-precision operations (FMA: two) where the profiled
 * kernel does mostly these, else instructions of warps. */
struct roofline {
    bool flops;
    double peak;                     /* 10^9 units of work a second */
    double bandwidth[MEMORY_LEVELS]; /* 10^9 bytes a second; 0: not drawn */
};
struct roofline_point {
    double work;                     /* 10^9 units a second */
    double intensity[MEMORY_LEVELS]; /* work for a byte; 0: no such traffic */
    enum memory_level roof;          /* the lowest roof over it; MEMORY_LEVELS: the arithmetic */
    double reached;                  /* of that roof, 0..1 */
};
/* What is drawn for a run; false: the model or the counters are not known. */
bool roofline_of(const struct report_run *run, const struct gpu_model *model, struct roofline *roofline);
bool roofline_point(const struct roofline *roofline, const struct report_run *run,
                    struct roofline_point *point);
/* "single-precision operations", "warp instructions" */
const char *roofline_work(const struct roofline *roofline);
const char *memory_level_name(enum memory_level level); /* "DRAM" */

enum roofline_cell {
    ROOFLINE_CELL_NAME,
    ROOFLINE_CELL_WORK,
    ROOFLINE_CELL_L1, /* work for a byte of each */
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
    double limit; /* how many times faster the run if this one took no time; INFINITY: it is all */
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

#endif

/* rows.h: the cells of a report's tables, alike on a terminal, a page and in feedback. */
#pragma once

#include "report/document/report.h"
#include "report/writers/table.h"

enum goal_cell {
    GOAL_CELL_NAME,  /* "B: local sectors for a warp's FMA" */
    GOAL_CELL_VALUE, /* "4.84" */
    GOAL_CELL_ZERO,
    GOAL_CELL_FULL,
    GOAL_CELL_RANGE, /* "4.5 .. 2": no points, all points */
    GOAL_CELL_POINTS /* "15.5 of 40" */
};
void goal_row(struct table_row *row, const struct report_goal *goal);

enum run_cell {
    RUN_CELL_NAME,
    RUN_CELL_TIME,    /* "105.6 us"; "! 105.6 us": the time is too short (run_is_too_short) */
    RUN_CELL_SPEEDUP, /* "1.84x" */
    RUN_CELL_BAND,    /* "± 9 %"; "": the time is measured, or nothing is known */
    RUN_CELL_SOURCE,  /* "modelled ± 9 %", "measured" */
    RUN_CELL_LIMITER, /* of its longest kernel; "-": unknown */
    RUN_CELL_SHAPE,   /* "grid 80x800 block 32x2 24 regs"; "3 kernels" */
    RUN_CELL_INTERVAL /* "55.31 .. 55.42 us"; the shape if there is none */
};
/* Until the lab is passed the reference's shape is left out; report NULL: it is shown. */
void run_row(struct table_row *row, const struct report *report, const struct report_run *run);
/* Whether the time is modelled by counters alone while a kernel spills registers, whose cost that
 * model leaves out. */
bool run_is_too_short(const struct report_run *run);
/* Share of a run in which kernels work; NAN: a time is unknown. */
double run_working_share(const struct report_run *run);
/* Whether kernels run for the smaller part: the GPU waits for copies or the host. */
bool run_has_gaps(const struct report_run *run);
/* A run's limiter: that of its longest kernel; "gaps" if run_has_gaps; "": unknown. */
const char *run_limiter(const struct report_run *run);

enum line_cell {
    LINE_CELL_PLACE,    /* "kernel.cu:25" */
    LINE_CELL_NUMBER,   /* "25" */
    LINE_CELL_KIND,     /* "global_load" */
    LINE_CELL_WORDS,    /* "global load" */
    LINE_CELL_REQUESTS, /* "6.27 M" */
    LINE_CELL_TRANSACTIONS,
    LINE_CELL_IDEAL,
    LINE_CELL_EACH, /* transactions for each request: "4.84" */
    LINE_CELL_IDEAL_EACH,
    LINE_CELL_THREADS /* active threads of a request: "32" */
};
enum { LINE_PLACE_WIDTH = 28 };
void line_row(struct table_row *row, const struct kernel_line *line);

enum executed_cell {
    EXECUTED_CELL_PLACE,        /* "kernel.cu:25" */
    EXECUTED_CELL_INSTRUCTIONS, /* "6.27 M" */
    EXECUTED_CELL_SHARE,        /* "31 %" */
    EXECUTED_CELL_PIPES,        /* "alu 62, fma 20, lsu 18" */
    EXECUTED_CELL_MEMORY        /* requests to shared and local memory: "1.2 M, 0"; "": none */
};
enum { EXECUTED_PLACE_WIDTH = 20 };
void executed_row(struct table_row *row, const struct kernel_executed *executed,
                  const struct executed_line *line);

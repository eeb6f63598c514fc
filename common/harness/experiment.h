/*
 * experiment.h: solutions/labN-TOPIC/experiments/NAME.ini, one kernel compiled into many programs. A program is the
 * values that the kernel's macros get; what is shown of each is columns of text, with {...} for what differs: a
 * macro, a counter, {time} or {tflops}.
 */
#ifndef HARNESS_EXPERIMENT_H
#define HARNESS_EXPERIMENT_H

#include "analysis/format.h"
#include "harness/measure.h"

enum {
    EXPERIMENT_PROGRAMS = 256,
    EXPERIMENT_MACROS = 8,
    EXPERIMENT_COLUMNS = 10,
    EXPERIMENT_TEXT = FORMAT_SIZE
};

struct experiment_program {
    char name[48];          /* the values, "256-128-8-16-4": as the build calls it, too */
    double time_us;         /* NAN: refused */
    char reason[80];        /* and why */
    struct report_run *run; /* NULL: only its time was measured */
};

struct experiment_column {
    char heading[24], form[EXPERIMENT_TEXT]; /* "tile", "{TILE_M}x{TILE_N}" */
};

struct experiment {
    char name[32], title[EXPERIMENT_TEXT];
    unsigned fastest; /* so many are shown, the fastest first; 0: all, as they are listed */
    bool counted;     /* a column shows a counter */
    unsigned macro_count, program_count, column_count;
    char macro[EXPERIMENT_MACROS][24];
    struct experiment_column column[EXPERIMENT_COLUMNS];
    struct experiment_program program[EXPERIMENT_PROGRAMS];
};

/* Read the data file, with the programs for the settings' device. False and one line (file, line, what). */
bool experiment_load(const struct settings *settings, const char *name, struct experiment *experiment,
                     char *error, size_t size);

/* A macro's value in a program. */
void experiment_value(const struct experiment_program *program, unsigned macro, char text[EXPERIMENT_TEXT]);

/* A column's text for a program; operations: of the timed case, for {tflops}. */
void experiment_cell(const struct experiment *experiment, const struct experiment_column *column,
                     const struct experiment_program *program, double operations, char text[EXPERIMENT_TEXT]);

#endif

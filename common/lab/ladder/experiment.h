/* experiment.h: solutions/labN-TOPIC/experiments/NAME.ini, one kernel compiled into many programs.
 * A program is a set of values for the kernel's macros, at one of the file's sizes. A column is a
 * text in which {...} stands for a macro, a counter, a figure of the longest kernel, {size}, {time}
 * or {tflops}. */
#pragma once

#include "lab/judge/measure/measure.h"
#include "report/writers/format.h"

enum {
    EXPERIMENT_PROGRAMS = 256,
    EXPERIMENT_MACROS = 8,
    EXPERIMENT_COLUMNS = 10,
    EXPERIMENT_SIZES = 8,
    EXPERIMENT_TEXT = FORMAT_SIZE
};

/* Figures of a kernel that are no counters: X(identifier, name, printed form). */
#define EXPERIMENT_FIGURES(X)                                                                                \
    X(REGISTERS, "registers", "%.0f")                                                                        \
    X(CODE, "code_bytes", "%.0f")                                                                            \
    X(HOT_CODE, "hot_code_bytes", "%.0f")                                                                    \
    X(WAVES, "waves", "%.2f")                                                                                \
    X(NO_INSTRUCTION, "no_instruction", "%.3f")
enum experiment_figure {
#define FIGURE_ENUMERATOR(identifier, name, form) EXPERIMENT_##identifier,
    EXPERIMENT_FIGURES(FIGURE_ENUMERATOR)
#undef FIGURE_ENUMERATOR
        EXPERIMENT_FIGURE_COUNT
};

struct experiment_program {
    char name[48];                          /* macro values "256-128-8-16-4", which also name the build */
    double time_us;                         /* NAN: refused */
    char reason[80];                        /* why it was refused */
    unsigned size;                          /* index of its size in the experiment */
    uint32_t width, height;                 /* of the timed case; 0: as in the lab */
    double operations;                      /* of the timed case; 0: as in the lab */
    double figure[EXPERIMENT_FIGURE_COUNT]; /* NAN: not known */
    struct report_run *run;                 /* NULL: only its time was measured */
};

struct experiment_column {
    char heading[24], form[EXPERIMENT_TEXT]; /* "tile", "{TILE_M}x{TILE_N}" */
};

struct experiment {
    char name[32], title[EXPERIMENT_TEXT];
    unsigned fastest; /* number of programs shown, the fastest first; 0: all, in the file's order */
    bool counted;     /* a column shows a counter */
    bool shows[EXPERIMENT_FIGURE_COUNT]; /* a column shows this figure */
    unsigned size_count;                 /* 0: the lab's own size */
    uint32_t size[EXPERIMENT_SIZES][2];
    unsigned macro_count, program_count, column_count;
    char macro[EXPERIMENT_MACROS][24];
    struct experiment_column column[EXPERIMENT_COLUMNS];
    struct experiment_program program[EXPERIMENT_PROGRAMS];
};

/* Reads the data file, and selects the programs for the settings' device. False and one line (file,
 * line, what is wrong). */
bool experiment_load(const struct settings *settings, const char *name, struct experiment *experiment,
                     char *error, size_t size);

/* Name of a figure; its value for a kernel, NAN: not known. */
const char *experiment_figure_name(enum experiment_figure figure);
double experiment_figure_of(const struct kernel_report *kernel, enum experiment_figure figure);

/* Prints a macro's value in a program. */
void experiment_value(const struct experiment_program *program, unsigned macro, char text[EXPERIMENT_TEXT]);

/* Prints a column's text for a program. operations: of the timed case, for {tflops}. */
void experiment_cell(const struct experiment *experiment, const struct experiment_column *column,
                     const struct experiment_program *program, double operations, char text[EXPERIMENT_TEXT]);

/* times.h: the validation set: compares modelled with measured times, kernel by kernel, and gives
 * counters as ratios, as Markdown. Kernels for fitting and held back are two halves. */
#pragma once

#include "report/document/report.h"
#include "report/ncu/csv.h"

#include <stdio.h>

enum times_half { TIMES_FITTING, TIMES_HELD_BACK, TIMES_HALVES };

struct times_summary {
    uint32_t kernels; /* whose times were compared */
    uint32_t within_10, within_35;
    uint32_t stalls, same_stall; /* top stall reason known on both sides; equal */
    double mean, worst;          /* error of the modelled time, absolute; NAN: no kernel */
    char worst_name[64];         /* "": none */
    uint32_t not_modelled;       /* kernels of the recording that no report has */
    uint32_t not_recorded;       /* kernels of the split that the recording does not have */
};

/* Prints the table of one half and a sentence that sums it up.
 *   recording: as common/tools/record-validation writes it: columns kernel and ncu's metrics, times
 *   in ns
 *   split: columns kernel and half, "fitting" or "held back"; it must name every kernel
 *   reports: the simulator's; a run's kernel with the recording's name is used
 * False and one line: columns are missing, or a kernel is in no half. */
bool times_print(FILE *to, enum times_half half, const struct csv *recording, const struct csv *split,
                 const struct report *reports, uint32_t report_count, struct times_summary *summary,
                 char *error, size_t size);

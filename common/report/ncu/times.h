/*
 * times.h: the validation set: modelled times beside measured ones, kernel by kernel, and counters
 * as ratios, as a Markdown document. Kernels for fitting and kernels held back are kept apart.
 */
#ifndef REPORT_TIMES_H
#define REPORT_TIMES_H

#include "report/document/report.h"
#include "report/ncu/csv.h"

#include <stdio.h>

enum times_half { TIMES_FITTING, TIMES_HELD_BACK, TIMES_HALVES };

struct times_summary {
    uint32_t kernels; /* whose times could be compared */
    uint32_t within_10, within_35;
    uint32_t stalls, same_stall; /* whose top stall reason is known on both sides, and is the same */
    double mean, worst;          /* error of the modelled time, absolute; NAN: no kernel */
    char worst_name[64];         /* "": no kernel */
    uint32_t not_modelled;       /* kernels of the recording that no report has */
    uint32_t not_recorded;       /* kernels of the split that the recording has not */
};

/*
 * Print the table of one half and the sentence that sums it up.
 *   recording: as common/tools/record-validation writes it: columns kernel and ncu's metrics, times in ns
 *   split: columns kernel and half, "fitting" or "held back"; a kernel that it does not name is an error
 *   reports: of the simulator, each a run's kernels; the kernel of the recording's name is taken
 * false and a one-line message when columns are missing or a kernel is in no half.
 */
bool times_print(FILE *to, enum times_half half, const struct csv *recording, const struct csv *split,
                 const struct report *reports, uint32_t report_count, struct times_summary *summary,
                 char *error, size_t size);

#endif

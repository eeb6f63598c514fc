/* text.h: a report for a terminal: 80 columns, colour where asked. */
#ifndef ANALYSIS_TEXT_H
#define ANALYSIS_TEXT_H

#include "analysis/findings.h"
#include "analysis/report.h"

/* The whole report: what ran where, the runs side by side, the profile of the run of interest, findings,
 * goals, score. */
void report_print(FILE *to, const struct report *report, const struct gpu_model *model, bool colour);

/* The same, with the profile of a run of one's choice (NULL: none). */
void report_print_run(FILE *to, const struct report *report, const struct report_run *run,
                      const struct gpu_model *model, bool colour);

/* One kernel: shape, occupancy, how busy each unit is, the lines that cost most, findings. */
void kernel_print(FILE *to, const struct kernel_report *kernel, const struct gpu_model *model, bool colour);

/* The run a profile is about: "yours", else the last one with kernels; NULL: none. */
const struct report_run *report_main_run(const struct report *report);
/* The indices of a run's kernels, the longest first; at most `most`. Returns how many. */
uint32_t run_top_kernels(const struct report_run *run, uint32_t *indices, uint32_t most);

#endif

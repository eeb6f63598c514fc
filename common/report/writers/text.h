/* text.h: a report on a terminal, 80 columns. All that is printed stands in the document. */
#ifndef REPORT_TEXT_H
#define REPORT_TEXT_H

#include "report/document/report.h"
#include "report/findings/findings.h"
#include "report/writers/terminal.h"

/* What `make labN` prints: right or wrong, and where and likely why; the runs side by side; what
 * limits yours; goals and score; what to type next. model: of the GPU; NULL: not known. */
void report_print(const struct terminal *terminal, const struct report *report,
                  const struct gpu_model *model);

/* The whole profile: besides, how busy each unit is, the lines that cost most, more findings.
 * run: whose; NULL: that of report_main_run, in a lab of parts in each. */
void report_print_profile(const struct terminal *terminal, const struct report *report,
                          const struct report_run *run, const struct gpu_model *model);

/* Which lab, on what GPU, how large. */
void report_print_heading(const struct terminal *terminal, const struct report *report,
                          const struct gpu_model *model);
/* "Part A: its title (its timed case)"; nothing in a lab without parts. */
void report_print_part(const struct terminal *terminal, const struct report_part *part);
/* Does the run belong to the part of that name? "": to any. */
bool run_is_of_part(const struct report_run *run, const char *part);

/* ---- shared by the two, private to this room */

/* Which kernels of the run keep registers in local memory, but for `told`, of which findings say
 * it; nothing where none is known to. */
void text_spills(const struct terminal *terminal, const struct report_run *run,
                 const struct kernel_report *told);
/* The lines of a kernel whose accesses cost most; those that are most of the machine
 * instructions executed. Nothing where nothing is known. */
void text_lines(const struct terminal *terminal, const struct kernel_report *kernel);
void text_executed(const struct terminal *terminal, const struct kernel_report *kernel);
/* Right or wrong, where and likely why; what the program printed. */
void text_correctness(const struct terminal *terminal, const struct report *report);
/* What is wrong and stopped nothing, the first few; nothing where there is nothing. */
void text_remarks(const struct terminal *terminal, const struct report *report);
/* The runs side by side, part by part, and what is to be said beside them; the goals and the
 * score. */
void text_runs(const struct terminal *terminal, const struct report *report);
void text_goals(const struct terminal *terminal, const struct report *report);
/* Why the score does not count; nothing where it does. */
void text_not_recorded(const struct terminal *terminal, const struct report *report);

#endif

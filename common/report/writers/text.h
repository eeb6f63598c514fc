/* text.h: a report on a terminal, 80 columns. Everything printed is in the document. */
#pragma once

#include "report/document/report.h"
#include "report/findings/findings.h"
#include "report/writers/terminal.h"

/* Prints what `make labN` prints: verdict, place and likely cause; the runs side by side; what
 * limits yours; goals and score; what to type next. model NULL: unknown. */
void report_print(const struct terminal *terminal, const struct report *report,
                  const struct gpu_model *model);

/* Prints the whole profile, with all units, the most expensive lines and more findings. run: the
 * profiled one; NULL: report_main_run's, in a lab of parts one for each part. */
void report_print_profile(const struct terminal *terminal, const struct report *report,
                          const struct report_run *run, const struct gpu_model *model);

/* Prints the lab, the GPU and the size. */
void report_print_heading(const struct terminal *terminal, const struct report *report,
                          const struct gpu_model *model);
/* Prints "Part A: its title (its timed case)"; nothing in a lab without parts. */
void report_print_part(const struct terminal *terminal, const struct report_part *part);
/* Whether the run belongs to the part with that name; "": any. */
bool run_is_of_part(const struct report_run *run, const char *part);

/* ---- used by both; private to this room */

/* Prints which kernels of the run spill registers, except `told`, whose findings say it. */
void text_spills(const struct terminal *terminal, const struct report_run *run,
                 const struct kernel_report *told);
/* Prints a kernel's lines with the most expensive accesses, and those with most machine
 * instructions. Nothing if nothing is known. */
void text_lines(const struct terminal *terminal, const struct kernel_report *kernel);
void text_executed(const struct terminal *terminal, const struct kernel_report *kernel);
/* Prints the what-ifs that say something; nothing if none does. */
void text_what_ifs(const struct terminal *terminal, const struct kernel_report *kernel);
/* Prints right or wrong, where, the likely cause, and the program's output. */
void text_correctness(const struct terminal *terminal, const struct report *report);
/* Prints the first few remarks. */
void text_remarks(const struct terminal *terminal, const struct report *report);
/* Prints the runs side by side, part by part, with notes; the goals and the score. */
void text_runs(const struct terminal *terminal, const struct report *report);
void text_goals(const struct terminal *terminal, const struct report *report);
/* Prints why the score does not count; nothing if it does. */
void text_not_recorded(const struct terminal *terminal, const struct report *report);

/* show.h: the report on the terminal. Everything shown stands in report.json, but the listed pixels. */
#ifndef HARNESS_SHOW_H
#define HARNESS_SHOW_H

#include "analysis/report.h"
#include "harness/judge.h"
#include "harness/terminal.h"

void show_heading(const struct terminal *terminal, const struct settings *settings,
                  const struct report *report);
/* Correctness, and on failure where and likely why. output: what the program printed. */
void show_correctness(const struct terminal *terminal, const struct settings *settings,
                      const struct report *report, const struct judge_wrong *wrong,
                      const struct failure *failure, const char *output);
/* The table of variants, findings, goals and score. cpu_us: the host's version beside a simulated GPU, NAN
 * none. too_close: the score may change sides in another run. */
void show_results(const struct terminal *terminal, const struct settings *settings,
                  const struct report *report, double cpu_us, bool too_close);
/* Where the files are, and what to type next. */
void show_next(const struct terminal *terminal, const struct settings *settings, const struct report *report);

/* "Part A: its title (its timed case)"; nothing in a lab without parts. */
void show_part(const struct terminal *terminal, const struct settings *settings, unsigned part);

/* Does the run belong to that part? */
bool show_is_of_part(const struct report_run *run, const struct lab_part *part);

/* What limits a run: its longest kernel's limiter, "-" unknown. */
const char *show_limiter(const struct report_run *run);

#endif

/* run_report.h: what a report says of a run of a lab besides verdicts and times. */
#ifndef LAB_RUN_REPORT_H
#define LAB_RUN_REPORT_H

#include "lab/judge/calls/judge.h"
#include "report/document/report.h"

/* Begins a report: lab, device, problem, parts and criterion. False when out of memory. */
bool run_report_begin(struct report *report, const struct settings *settings);

/* Adds the wrong case, if there is one, and how the program's output begins. False when out of
 * memory. */
bool run_report_judged(struct report *report, const struct settings *settings,
                       const struct judge_wrong *wrong, const char *output);

/* Adds the student's file, and the files beside the report in the run's folder. False when out
 * of memory. */
bool run_report_files(struct report *report, const struct settings *settings);

#endif

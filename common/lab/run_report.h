/* run_report.h: what a report says of a run of a lab besides what the judge and the clock put
 * there. */
#ifndef LAB_RUN_REPORT_H
#define LAB_RUN_REPORT_H

#include "lab/judge/calls/judge.h"
#include "report/document/report.h"

/* An empty report with lab, device, problem, parts and what right means there. False when out of
 * memory. */
bool run_report_begin(struct report *report, const struct settings *settings);

/* The wrong case, if there is one, and how the program's output begins. False when out of
 * memory. */
bool run_report_judged(struct report *report, const struct settings *settings,
                       const struct judge_wrong *wrong, const char *output);

/* The student's file, and which files lie beside the report in the run's folder. False when out
 * of memory. */
bool run_report_files(struct report *report, const struct settings *settings);

#endif

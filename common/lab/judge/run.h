/* run.h: one run of a lab: a program is judged, measured beside others and scored; its report. */
#pragma once

#include "lab/judge/measure/measure.h"

/* The variants that are measured side by side, in this order; `judged` is the index of the
 * judged one. */
struct run {
    const struct settings *settings;
    struct measure_variant variants[4];
    unsigned count, judged;
    struct report *known; /* runs of the other variants but libraries (beside.h); NULL: all are measured */
    bool cpu;             /* the lab's function for the host is timed too, where it has one */
};

/* Sets baseline, yours and reference, as make builds them; "yours" is judged. */
void run_init(struct run *run, const struct settings *settings);

/* Judges, measures every part of the lab, and scores. `report` is begun (run_report_begin). False
 * and *failure when the program cannot be judged, is wrong or cannot be measured; run_failed
 * then ends the report. *wrong: the smallest wrong case. output: how the program's output
 * begins. */
bool run_judge(const struct run *run, struct report *report, struct judge_wrong *wrong, char *output,
               size_t output_size, struct failure *failure);
/* Only measures every part of the lab. */
bool run_measure(const struct run *run, struct report *report, struct judge_wrong *wrong,
                 struct failure *failure);

/* Ends the report of a failure: no points, its flag and its words. False when out of memory. */
bool run_failed(const struct settings *settings, const struct failure *failure, struct report *report);

/* ---- run_report.c: what a report says of a run besides verdicts and times */

/* Begins a report: lab, device, problem, parts and criterion. False when out of memory. */
bool run_report_begin(struct report *report, const struct settings *settings);

/* Adds the wrong case, if there is one, and how the program's output begins. False when out of
 * memory. */
bool run_report_judged(struct report *report, const struct settings *settings,
                       const struct judge_wrong *wrong, const char *output);

/* Adds the student's file, and the files beside the report in the run's folder. False when out
 * of memory. */
bool run_report_files(struct report *report, const struct settings *settings);

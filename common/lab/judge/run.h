/* run.h: one run of a lab: a program is judged, measured beside others and scored. */
#ifndef LAB_RUN_H
#define LAB_RUN_H

#include "lab/judge/measure/measure.h"

/* What is measured side by side, in this order, and which of it is judged. */
struct run {
    const struct settings *settings;
    struct measure_variant variants[4];
    unsigned count, judged;
    struct report
        *known; /* has the runs of all but the judged one and libraries, measured before (beside.h), to be
                             taken from there; NULL: all are measured */
    bool cpu;   /* the lab's function for the host is timed, too, where it has one */
};

/* Baseline, yours, reference, as make builds them; "yours" is judged. */
void run_init(struct run *run, const struct settings *settings);

/* Judge, measure every part of the lab, score. `report` is begun (run_report.h). False and
 * *failure when it cannot be judged, is wrong or cannot be measured: run_failed then ends the
 * report. *wrong: the first wrong case; output: how what the program printed begins. */
bool run_judge(const struct run *run, struct report *report, struct judge_wrong *wrong, char *output,
               size_t output_size, struct failure *failure);
/* Measure every part of the lab, no more. */
bool run_measure(const struct run *run, struct report *report, struct judge_wrong *wrong,
                 struct failure *failure);

/* No points, the flag and the words of the failure. False when out of memory. */
bool run_failed(const struct settings *settings, const struct failure *failure, struct report *report);

#endif

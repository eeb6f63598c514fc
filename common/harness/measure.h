/* measure.h: the time and the counters of several variants of one lab, side by side in one run. */
#ifndef HARNESS_MEASURE_H
#define HARNESS_MEASURE_H

#include "analysis/report.h"
#include "harness/judge.h"

enum { MEASURE_VARIANTS = 16 };

struct measure_variant {
    char name[32]; /* as the report has it: "starter", "yours", "reference", "step 1a" */
    char program[SETTINGS_PATH + 96];
};

/* Measure the variants and append a run for each to the report; the device's name goes there too. Every timed
 * call has fresh inputs and poisoned outputs and is judged; the results of variant `watched` count as a case
 * and give the pictures. watched: -1 none. False and *failure when one of them cannot be measured or computes
 * something wrong. */
bool measure_variants(const struct settings *settings, const struct measure_variant *variants, unsigned count,
                      int watched, struct report *report, struct judge_wrong *wrong, struct failure *failure);

#endif

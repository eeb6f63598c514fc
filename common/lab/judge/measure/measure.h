/* measure.h: the time and the counters of several variants of one lab, side by side in one run. */
#pragma once

#include "lab/judge/calls/judge.h"
#include "report/document/report.h"

enum { MEASURE_VARIANTS = 32 };

struct measure_variant {
    char name[32]; /* as in the report: "starter", "yours", "reference", "step 1a" */
    bool beside;   /* a library, timed on a real GPU: wrong results are noted; left out when it cannot run */
    char program[PATH_SIZE];
};

/* What a measurement fills. */
struct measure_results {
    struct report *report;
    struct judge_wrong *wrong;
    struct failure *failure;
};

/* Measures the variants on one part of the lab (0 in a lab without parts). Appends to the report
 * a run for each, the run "copy" where the part asks for it, and the device's name. Every timed
 * call has fresh inputs and poisoned outputs and is judged. The results of variant `watched`
 * count as a case and give the pictures; -1: of none. False and *failure when a variant cannot
 * be measured or computes something wrong. */
bool measure_variants(const struct settings *settings, unsigned part, const struct measure_variant *variants,
                      unsigned count, int watched, const struct measure_results *to);

/* The largest number of calls of a part for which inputs are drawn and solved; on a real GPU
 * each input serves all variants. */
unsigned measure_most_inputs(const struct settings *settings);

/* Judges the lab's function for the host, in `program`, on the timed case. *time_us: the median
 * of some calls in microseconds of the host's clock. */
bool measure_cpu(const struct settings *settings, const char *program, double *time_us,
                 struct failure *failure);

/* ---- statistics.c */

/* Sorts values (count >= 1) and returns the median. */
double statistics_median(double *values, size_t count);

/* The 95 % confidence interval of the median of sorted values, from order statistics, free of
 * any distribution: the narrowest symmetric pair that covers the median with at least 95 %
 * probability. False with fewer than 6. */
bool statistics_median_interval(const double *sorted, size_t count, double interval[2]);

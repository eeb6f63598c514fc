/* measure.h: the time and the counters of several variants of one lab, side by side in one run. */
#ifndef LAB_MEASURE_H
#define LAB_MEASURE_H

#include "report/document/report.h"
#include "lab/judge/calls/judge.h"

enum { MEASURE_VARIANTS = 32 };

struct measure_variant {
    char name[32]; /* as the report has it: "starter", "yours", "reference", "step 1a" */
    bool
        beside; /* a library, timed on a real GPU for comparison: what it computes otherwise is noted, and when it
                    cannot run it is left out */
    char program[PATH_SIZE];
};

/* Where what comes of a measurement goes. */
struct measure_results {
    struct report *report;
    struct judge_wrong *wrong;
    struct failure *failure;
};

/* Measure the variants on one part of the lab (0 for a lab without parts) and append a run for each to the
 * report, and a run "copy" where the part asks for it; the device's name goes there too. Every timed
 * call has fresh inputs and poisoned outputs and is judged; the results of variant `watched` count as a case
 * and give the pictures. watched: -1 none. False and *failure when one of them cannot be measured or computes
 * something wrong. */
bool measure_variants(const struct settings *settings, unsigned part, const struct measure_variant *variants,
                      unsigned count, int watched, const struct measure_results *to);

/* For how many calls of a part, at most, inputs are drawn and solved; on a real GPU each of them is for all variants. */
unsigned measure_most_inputs(const struct settings *settings);

/* Run the lab's function for the host of `program` on the timed case: judged; the median of some calls by the
 * host's clock to *time_us. */
bool measure_cpu(const struct settings *settings, const char *program, double *time_us,
                 struct failure *failure);

#endif

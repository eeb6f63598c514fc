/* goals.h: from measured runs to points. */
#ifndef HARNESS_GOALS_H
#define HARNESS_GOALS_H

#include "analysis/report.h"
#include "problems/lab.h"

/* What a goal is computed from: the runs of its part. */
struct goals_runs {
    const struct report_run *starter, *yours, *reference;
    const struct report_run *copy; /* NULL: none was timed */
    double elements;               /* of the timed case: pixels */
};

/* Value of a measure, NAN when a counter or a time it needs is missing. */
double goals_value(enum lab_measure measure, const struct goals_runs *runs);

/* Append every goal of the lab to the report (its runs are measured already) and set the score. cuda: whose
 * thresholds. elements: of the timed case of each part. False when out of memory. */
bool goals_score(const struct lab *lab, bool cuda, const double elements[LAB_PARTS], struct report *report);

/* Could another run end on the other side of the pass mark, given the runs' confidence intervals? */
bool goals_too_close(const struct lab *lab, bool cuda, const struct report *report);

#endif

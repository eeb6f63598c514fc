/* goals.h: from measured runs to points. */
#ifndef HARNESS_GOALS_H
#define HARNESS_GOALS_H

#include "analysis/report.h"
#include "problems/lab.h"

/* Value of a measure, NAN when a counter or a time it needs is missing. elements: pixels. */
double goals_value(enum lab_measure measure, const struct report_run *starter, const struct report_run *yours,
                   const struct report_run *reference, double elements);

/* Append every goal of the lab to the report (its runs are measured already) and set the score. cuda: whose
 * thresholds. False when out of memory. */
bool goals_score(const struct lab *lab, bool cuda, double elements, struct report *report);

/* Could another run end on the other side of the pass mark, given the runs' confidence intervals? */
bool goals_too_close(const struct lab *lab, bool cuda, const struct report *report);

#endif

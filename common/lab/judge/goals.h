/* goals.h: from measured runs to points. */
#ifndef LAB_GOALS_H
#define LAB_GOALS_H

#include "lab/judge/failure.h"
#include "lab/settings.h"
#include "report/document/report.h"

/* What a goal is computed from: the runs of its part. */
struct goals_runs {
    const struct report_run *starter, *yours, *reference;
    const struct report_run *copy; /* NULL: none was timed */
    double elements;               /* of the timed case: pixels */
};

/* Value of a measure, NAN when a counter or a time it needs is missing. */
double goals_value(enum lab_measure measure, const struct goals_runs *runs);

/* Append every goal of the lab to the report (its runs are measured already) and set the score.
 * cuda: whose thresholds. elements: of the timed case of each part. False when out of memory. */
bool goals_score(const struct lab *lab, bool cuda, const double elements[LAB_PARTS], struct report *report);

/* The same for the parts as these settings time them. False and *failure when out of memory. */
bool goals_score_timed(const struct settings *settings, struct report *report, struct failure *failure);
/* A report of what could not be measured: no goal, no points, and what the full mark would have
 * been. */
void goals_score_nothing(const struct lab *lab, struct report *report);

/* Could another run end on the other side of the pass mark, given the runs' confidence
 * intervals? */
bool goals_too_close(const struct lab *lab, bool cuda, const struct report *report);

#endif

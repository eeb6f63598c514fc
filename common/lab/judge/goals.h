/* goals.h: from measured runs to points. */
#pragma once

#include "lab/judge/failure.h"
#include "lab/settings.h"
#include "report/document/report.h"

/* The runs of a part, from which its goals are computed. */
struct goals_runs {
    const struct report_run *starter, *yours, *reference;
    const struct report_run *copy; /* NULL: none was timed */
    double elements;               /* elements of the timed case: pixels */
};

/* The value of a measure; NAN when a counter or a time that it needs is missing. */
double goals_value(enum lab_measure measure, const struct goals_runs *runs);

/* Appends every goal of the lab to the report, whose runs are measured, and sets the score.
 * cuda: the thresholds of a real GPU count. elements: of the timed case of each part. False when
 * out of memory. */
bool goals_score(const struct lab *lab, bool cuda, const double elements[LAB_PARTS], struct report *report);

/* Likewise for the parts as the settings time them. False and *failure when out of memory. */
bool goals_score_timed(const struct settings *settings, struct report *report, struct failure *failure);
/* Scores a report of what could not be measured: no goal, no points, and the full mark. */
void goals_score_nothing(const struct lab *lab, struct report *report);

/* Whether another run could end on the other side of the pass mark, given the runs' confidence
 * intervals. */
bool goals_too_close(const struct lab *lab, bool cuda, const struct report *report);

/*
 * goals.h: from measured runs to points.
 *
 * No small change of a time decides a grade: 5 % of a time are worth at most about 6 points, which
 * test_goals.c holds for every lab. So nothing about times is a step:
 *
 * - A ratio of times earns points linearly between the lab's two values.
 * - What a counter saves must show in the time. Its points are all kept up to the starter's time (1 % is
 *   noise), and fade, by its logarithm, to none at twice that. A kernel near the starter's time keeps nearly all: nobody
 *   knows a modelled time to 5 %. Twice its time is beyond what the model errs by.
 * - A step of the lab's way that a time tells loses half a point for each percent that is missing.
 */
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

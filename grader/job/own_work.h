/*
 * own_work.h: what a job makes the judge do by itself, however little the submission does: inputs drawn, right answers
 * computed, every element of every call held against them. It is no submission's doing, so limits that count as one's begin
 * above it.
 */
#ifndef JOB_OWN_WORK_H
#define JOB_OWN_WORK_H

#include "lab/settings.h"

struct own_work {
    double seconds; /* of the judge's processor time, on a machine that is slow */
    double
        owner_seconds; /* of processes that are the judge's, and are watched with the submission: owners of buffers */
};

/* For the timed calls of the lab, as the settings have it; what correctness cases need is little. */
void own_work(const struct settings *settings, struct own_work *work);

#endif

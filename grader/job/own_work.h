/*
 * own_work.h: the time that the judge needs for a job whatever the submission does: to draw inputs, compute right answers and
 * compare every element of every call. A submission's limits begin above it.
 */
#pragma once

#include "lab/settings.h"

struct own_work {
    double seconds; /* of the judge's processor time, on a slow machine */
    double
        owner_seconds; /* of the owners of buffers: the judge's processes that are watched with the submission */
};

/* For the lab's timed calls; correctness cases need little. */
void own_work(const struct settings *settings, struct own_work *work);

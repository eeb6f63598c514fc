/* beside.h: the simulated runs of starter and reference, measured once for a kit, a GPU, a size and a seed. */
#ifndef JOB_BESIDE_H
#define JOB_BESIDE_H

#include "analysis/report.h"
#include "harness/settings.h"

/* A report with the runs "starter" and "reference": read from the cache folder, or measured and put there.
 * Several processes may do so at once. False and one line when it cannot be had. */
bool beside_load(const struct settings *settings, const char *kit, const char *cache, struct report *beside,
                 char *error, size_t size);

#endif

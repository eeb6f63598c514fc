/* profiler.h: counters of a real GPU, from Nsight Compute (ncu), and what happened when, from
 * Nsight Systems (nsys). */
#ifndef LAB_PROFILER_H
#define LAB_PROFILER_H

#include "base/path.h"
#include "lab/judge/calls/trial.h"
#include "lab/settings.h"

/* Run the variant's program once under ncu on this trial and read what it counted, launch by
 * launch. False when ncu is not there, may not count (the driver's ERR_NVGPUCTRPERM) or fails;
 * its own words stay in build/labN/ncu.txt. */
bool profiler_count(const struct settings *settings, const char *program, const struct trial *trial,
                    struct kernel_report **kernels, unsigned *count);

/* Run the variant's program under ncu with this trial, called `calls` times; what ncu prints
 * lies in the file named in `output`. False when ncu is not there, may not count or fails. */
bool profiler_run(const struct settings *settings, const char *program, const struct trial *trial,
                  unsigned calls, char output[PATH_SIZE]);
/* Run the variant's program under nsys with this trial, called twice; the second call's
 * recording, exported to SQLite, lies in build/labN/timeline.sqlite, the file named in `output`.
 * False and one line: there is no nsys, it or the program fails. */
bool profiler_timeline(const struct settings *settings, const char *program, const struct trial *trial,
                       char output[PATH_SIZE], char *error, size_t size);
/* The table in what ncu printed: a row of names, one of units, one a launch. "" when there is
 * none; NULL when out of memory. The caller frees it. */
char *profiler_table(const char *path);

#endif

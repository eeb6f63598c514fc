/* profiler.h: counters of a real GPU, from Nsight Compute (ncu), and what happened when, from
 * Nsight Systems (nsys). */
#pragma once

#include "base/path.h"
#include "lab/judge/calls/trial.h"
#include "lab/settings.h"

/* Runs the variant's program once under ncu on this trial and reads the counters of each launch.
 * False when ncu is missing, may not count (the driver's ERR_NVGPUCTRPERM) or fails; its own
 * words stay in build/labN/ncu.txt. */
bool profiler_count(const struct settings *settings, const char *program, const struct trial *trial,
                    struct kernel_report **kernels, unsigned *count);

/* Runs the variant's program under ncu with this trial, called `calls` times. `output`: the path
 * of the file with what ncu printed. False when ncu is missing, may not count or fails. */
bool profiler_run(const struct settings *settings, const char *program, const struct trial *trial,
                  unsigned calls, char output[PATH_SIZE]);
/* Runs the variant's program under nsys with this trial, called twice. `output`: the path of the
 * second call's recording, exported to SQLite, build/labN/timeline.sqlite. False and one line
 * when nsys is missing, or it or the program fails. */
bool profiler_timeline(const struct settings *settings, const char *program, const struct trial *trial,
                       char output[PATH_SIZE], char *error, size_t size);
/* The table in ncu's output: a row of names, one of units, one for each launch. "" when there is
 * none; NULL when out of memory. The caller frees the text. */
char *profiler_table(const char *path);

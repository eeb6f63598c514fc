/* history.h: the learner's runs of a lab, kept beside the kernel
 * (labs/labN-TOPIC/.history.jsonl, not in the build folder): what "since last time" is told
 * from. */
#pragma once

#include "lab/settings.h"
#include "report/document/changes.h"

/* At most so many runs are kept, the latest. */
enum { HISTORY_MOST = 40 };

/* Keep a run that was measured: its figures and the text of its kernel, a line of JSON. A run of
 * the same kernel and problem as the one before it takes its place. False and one line: it
 * cannot be written. */
bool history_keep(const struct settings *settings, const struct report *report, char *error, size_t size);

/* What changed since the last run with another kernel on the same GPU and problem; the runs
 * before. False: there is no such run. Lines of the file that cannot be read are left out. */
bool history_changes(const struct settings *settings, const struct report *report, struct changes *changes);

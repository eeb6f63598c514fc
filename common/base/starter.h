/* starter.h: a learner's file and the one that was handed out: put back, and nothing of the learner's is lost. */
#ifndef BASE_STARTER_H
#define BASE_STARTER_H

#include "base/path.h"
#include <stddef.h>

/* Are both files there, and the same? */
bool starter_untouched(const char *yours, const char *starter);

/* Make `yours` what `starter` is. What it was is written first into the folder `backups`, which is made, under its name
 * with the time in it, kernel-20260102-030405.cu; kept becomes that path, "" where there was no file. False and one line
 * on failure: then `yours` is what it was. */
bool starter_put_back(const char *yours, const char *starter, const char *backups, char kept[PATH_SIZE],
                      char *error, size_t size);

#endif

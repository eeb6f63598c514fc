/* starter.h: puts a learner's file back as it was handed out, and keeps a backup. */
#ifndef BASE_STARTER_H
#define BASE_STARTER_H

#include "base/path.h"
#include <stddef.h>

/* Whether both files exist and are the same. */
bool starter_untouched(const char *yours, const char *starter);

/* Copies `starter` over `yours`. The old file is first copied into the folder `backups` under its name and the time:
 * kernel-20260102-030405.cu. `kept` becomes that path; "": there was no old file. False and one line on failure; `yours`
 * is then unchanged. */
bool starter_put_back(const char *yours, const char *starter, const char *backups, char kept[PATH_SIZE],
                      char *error, size_t size);

#endif

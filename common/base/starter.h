/* starter.h: restores a learner's file to the starter, and keeps a backup. */
#pragma once

#include "base/path.h"
#include <stddef.h>

/* Whether both files exist and are equal. */
bool starter_untouched(const char *yours, const char *starter);

/* Copies `starter` over `yours`. The old file is first copied to the folder `backups` as
 * NAME-DATE-TIME: kernel-20260102-030405.cu. `kept` becomes that path; "": there was no old file.
 * False and one line on failure; `yours` is then unchanged. */
bool starter_put_back(const char *yours, const char *starter, const char *backups, char kept[PATH_SIZE],
                      char *error, size_t size);

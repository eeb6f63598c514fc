/* scratch.h: a student's archive as a file of its own, so that a zip's directory, which stands
 * at its end, can be read. */
#pragma once

#include "class/intake/tree.h"

enum scratch {
    SCRATCH_DONE,
    SCRATCH_REFUSED, /* its bytes cannot be read, or are too many: `why` says so of the archive */
    SCRATCH_FAILED   /* the grader's own trouble, in `why` */
};

/* Copy the entry's bytes, `limit` at most, into a file without a name, which is gone when *fd is
 * closed. *fd is -1 where it failed. */
enum scratch scratch_copy(const struct tree_entry *entry, uint64_t limit, int *fd, char *why, size_t size);

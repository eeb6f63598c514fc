/*
 * lure.h: files that no kernel.cu has a reason to open, as the compiler's sandbox shows them: the reference solutions,
 * secrets of the system. Each is one and the same FIFO. Whoever opens it waits, and the watch sees that there is a
 * reader: what was tried is known by what was opened, and not by what a message quotes.
 */
#ifndef JOB_LURE_H
#define JOB_LURE_H

#include "job/sandbox.h"

struct lure {
    char folder[PATH_SIZE]; /* made for it */
    char fifo[PATH_SIZE];   /* in there */
};

/* Make them below `work`, with the names that the solutions of the project at `root` have. False and one line: they
 * cannot be made. lure_remove in any case. */
bool lure_make(struct lure *lure, const char *work, const char *root, char *error, size_t size);
/* Show them where they would be looked for. False: a path is too long. */
bool lure_show(const struct lure *lure, const char *root, struct sandbox *sandbox);
void lure_remove(const struct lure *lure);

#endif

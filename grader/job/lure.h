/*
 * lure.h: files that no kernel.cu has a reason to open: the reference solutions, secrets of the system. In the compiler's
 * sandbox each of them is one FIFO. A process that opens the FIFO waits, and the watch sees the reader. So an attempt
 * is known by what was opened, not by what a message quotes.
 */
#pragma once

#include "job/sandbox.h"

struct lure {
    char folder[PATH_SIZE]; /* made for it */
    char fifo[PATH_SIZE];   /* in there */
};

/* Make the lures below `work`, named like the solutions of the project at `root`. False and one line on failure. Call
 * lure_remove in any case. */
bool lure_make(struct lure *lure, const char *work, const char *root, char *error, size_t size);
/* Show the lures in the places of the real files. False: a path is too long. */
bool lure_show(const struct lure *lure, const char *root, struct sandbox *sandbox);
void lure_remove(const struct lure *lure);

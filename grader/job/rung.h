/* rung.h: what stands behind sandbox_run: a way for each rung. Limits and environment are set when they are called. */
#ifndef JOB_RUNG_H
#define JOB_RUNG_H

#include "job/sandbox.h"

/* As sandbox_run. */
int rung_bubblewrap(const struct sandbox *sandbox, char **program, char *error, size_t size);
int rung_landlock(const struct sandbox *sandbox, char **program, char *error, size_t size);

/* In the launcher, when the program is a process of its own: let go of what the program has been given, so that the other
 * side sees when the program closes it. All descriptors are closed but errors, and `kept`, which becomes the number that
 * is returned; -1 and a message on failure. */
int rung_let_go(int kept, char *error, size_t size);

#endif

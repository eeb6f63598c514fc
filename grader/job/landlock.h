/*
 * landlock.h: a list of the files that a process may open, held by the kernel (Landlock, Linux 5.13; kernel's
 * Documentation/userspace-api/landlock.rst). What is not on the list can be neither read nor written, nor made, moved or
 * removed, whatever user asks; that it is there, its size and its times can still be seen.
 */
#ifndef JOB_LANDLOCK_H
#define JOB_LANDLOCK_H

#include "job/sandbox.h"

/* The version of the interface that this kernel has; 0: none, or it is switched off or forbidden. */
int landlock_version(void);

/* The files of a sandbox, as a descriptor for landlock_enter. Versions that are newer than this file forbid no more than
 * the last that it knows. -1 and a line on failure. */
int landlock_files(const struct sandbox *sandbox, char *error, size_t size);

/* From here on this process opens nothing else, nor do those that it starts. Its no_new_privs must be set. False and
 * errno. */
bool landlock_enter(int files);

#endif

/* system_calls.h: which system calls a role may not make, as a seccomp filter. */
#ifndef JOB_SYSTEM_CALLS_H
#define JOB_SYSTEM_CALLS_H

#include "job/sandbox.h"

/* A descriptor from which bwrap --seccomp reads the role's filter. -1 and errno when there can be none. */
int system_calls_filter(enum sandbox_role role);

/* Forbid this process, which has no name spaces of its own, the role's calls, and those that reach others all the same. Its
 * no_new_privs must be set. False and errno: it could not be. */
bool system_calls_forbid(enum sandbox_role role);

#endif

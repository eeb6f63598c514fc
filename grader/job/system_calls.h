/* system_calls.h: which system calls a role may not make, as a seccomp filter. */
#ifndef JOB_SYSTEM_CALLS_H
#define JOB_SYSTEM_CALLS_H

#include "job/sandbox.h"

/* A descriptor from which bwrap --seccomp reads the role's filter. -1 and errno when there can be none. */
int system_calls_filter(enum sandbox_role role);

#endif

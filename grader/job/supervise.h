/*
 * supervise.h: the judge works in a process of its own, and this process only waits. So nothing that a submission makes the
 * judge do can make this process large, slow or dead. During a turn too much processor time or memory is the submission's
 * fault. A wall clock that runs out, and all that happens at any other time, is the grader's trouble.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Called within the work: a turn begins, limited to `seconds` of the working process's processor time, `wall_seconds`, and
 * `bytes` of its private memory. seconds 0: the turn is over. False: nobody listens. */
bool supervise_turn(int supervisor, double seconds, double wall_seconds, uint64_t bytes);
/* Private writable memory of this process, in bytes; 0: unknown. */
uint64_t supervise_own_bytes(void);

enum supervise_end {
    SUPERVISE_ENDED,    /* by itself, with *status */
    SUPERVISE_TOO_MUCH, /* it passed a limit of a turn, and was ended */
    SUPERVISE_TROUBLE,  /* it crashed, waited for what did not come, or could not be started */
};

/* The work, in the process that is started for it; what it returns is its exit status. */
typedef int supervise_work(void *context, int supervisor);

/* Do the work, and wait for its end. `why`: a line, unless SUPERVISE_ENDED is returned. */
enum supervise_end supervise(supervise_work *work, void *context, int *status, char *why, size_t size);

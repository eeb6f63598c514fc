/*
 * supervise.h: the judge under a judge. The work is done in a process of its own; what is left of this one only waits, so
 * nothing that a submission makes the judge do can make it large, slow or dead. While the submission has its turn, too
 * much time or memory is the submission's doing; at any other time it is the grader's trouble.
 */
#ifndef JOB_SUPERVISE_H
#define JOB_SUPERVISE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Say, from within the work, that a turn begins: for so many seconds of the working process's own processor time at most, so
 * many on the wall, and so many bytes of its own. seconds 0: it is over, the limits are lifted. False: nobody listens. */
bool supervise_turn(int supervisor, double seconds, double wall_seconds, uint64_t bytes);
/* What the process may write to, now, in bytes of memory that is nobody else's; 0: it cannot be told. */
uint64_t supervise_own_bytes(void);

enum supervise_end {
    SUPERVISE_ENDED,    /* by itself, with *status */
    SUPERVISE_TOO_MUCH, /* it passed a limit of a turn, and was ended */
    SUPERVISE_TROUBLE,  /* it crashed, or could not be started */
};

/* The work, in the process that is started for it; what it returns is its exit status. */
typedef int supervise_work(void *context, int supervisor);

/* Do the work, and wait for its end. `why`: a line for what is not SUPERVISE_ENDED. */
enum supervise_end supervise(supervise_work *work, void *context, int *status, char *why, size_t size);

#endif

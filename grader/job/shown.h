/*
 * shown.h: what a student gets to see of a run. The grader's inputs are secret, and a program can put what it reads into all
 * that is seen of it: its output, the line and the thread that fails, its grids, its counters, how many elements are wrong. So
 * it is run once more with the inputs that everybody has, those of `make labN`, and what is shown is of that run. Of the
 * grader's own inputs a student learns the score, the times and values it is made of, and of which kind a failure was.
 */
#ifndef JOB_SHOWN_H
#define JOB_SHOWN_H

#include "job/job_result.h"
#include "lab/judge/measure/measure.h"

/* So often at most is a program measured for that. */
enum { SHOWN_RUNS = 3 };

struct shown_run {
    const struct settings *settings; /* the grader's: device, size, sandboxes; not its inputs */
    const char *program, *folder;    /* the student's; where files of these runs go */
};

/* The kernels of a program that was right, as runs "yours", one for each part, into the result; where it fails with these
 * inputs, the detail says so. */
void shown_kernels(const struct shown_run *run, struct job_result *result);
/* The message and the detail of a program that failed as `secret` says: of the smallest case that fails the same way with
 * the inputs of `make labN`, or SEED=2, 3; where there is none, in what way it fails and no more. */
void shown_failure(const struct shown_run *run, const struct failure *secret, struct job_result *result);
/* The same where these runs went beyond a limit: nothing of them is shown. failure NULL: it was right. */
void shown_nothing(const struct shown_run *run, const struct failure *failure, struct job_result *result);

#endif

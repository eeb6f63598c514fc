/*
 * shown.h: what a student gets to see. The grader's inputs are secret, and a program can put what it reads into whatever is
 * seen of it: its output, the line and thread that fail, its grids, its counters, the number of wrong elements. So the
 * program runs once more with the inputs of `make labN`, and that run is shown. Of the grader's run a student learns
 * the score, the times and values it is made of, and the kind of a failure.
 */
#pragma once

#include "job/job_result.h"
#include "lab/judge/measure/measure.h"

/* The most runs of a program for that. */
enum { SHOWN_RUNS = 3 };

struct shown_run {
    const struct settings *settings; /* the grader's: device, size, sandboxes; not its inputs */
    const char *program, *folder;    /* the student's; where files of these runs go */
};

/* Put the kernels of a right program into the result, as runs "yours", one for each part. If the program fails with these
 * inputs, the detail says so. */
void shown_kernels(const struct shown_run *run, struct job_result *result);
/* Message and detail of a program that failed as `secret` says. They describe the smallest case that fails the same way with
 * the inputs of `make labN`, or of SEED=2, 3. If there is none, they give the kind of failure and no more. */
void shown_failure(const struct shown_run *run, const struct failure *secret, struct job_result *result);
/* The same if these runs passed a limit, or (busy) the machine had no time for them: nothing of them is shown. failure
 * NULL: the program was right. */
void shown_nothing(const struct shown_run *run, const struct failure *failure, bool busy,
                   struct job_result *result);

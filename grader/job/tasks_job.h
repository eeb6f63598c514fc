/*
 * tasks_job.h: grade-job's work for a lab of small tasks (lab/tasks/tasks.h). The file that is judged
 * holds the tasks' files, one after the other, each behind a line that names it:
 *
 *   //// task01-launch.cu 1234 bytes
 *
 * A task is done when its program is right as `make lab0` has it. The report has a goal for each task,
 * of equal points, 100 in all. A task's program checks itself: who has it print "right" is done.
 */
#pragma once

#include "job/job.h"

/* As job_run and job_print_kit. */
int tasks_job_run(const struct job_options *options);
int tasks_job_print_kit(const struct job_options *options);

/* The next file of those at *at, of *left bytes, which both move behind it: its name, text and
 * length. NULL: there is no more, or what is there is no such file. */
const char *tasks_job_next(const char **at, size_t *left, char name[64], size_t *length);

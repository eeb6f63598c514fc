/*
 * job_end.h: whose fault it is that a submission did not come to its end. A limit that it passed is its own, with a flag. A
 * machine without time or memory for it is the grader's trouble, and nothing follows for the submission.
 */
#pragma once

#include "job/job.h"
#include "job/job_result.h"
#include "job/watch.h"
#include "lab/judge/failure.h"

enum { JOB_THREADS = 1024 }; /* of all processes of a run */

/* Of a run that failed: the watch's verdict, or WATCH_MEMORY where the system was the first to end what was large. */
enum watch_verdict job_end_verdict(const struct watch_end *end);
/* Of a run that failed. True: the outcome is JOB_TROUBLE, and the message says why. */
bool job_end_is_trouble(struct job_result *result, const struct failure *failure,
                        const struct watch_end *end);
/* Where job_end_verdict is a limit of the submission's: the outcome is JOB_FAILED, with message and flag. */
void job_end_limit(struct job_result *result, const struct job_options *options, const struct watch_end *end);

/*
 * queue.h: the jobs of a gradebook. A job is a kernel to be judged once, whoever handed it in. Its key is a hash of all that
 * the result depends on: identical kernels run once, and another version of the kit runs anew. The limits are part of
 * the key. With other limits it is another job, unless a job with no larger limits was judged within them.
 *
 * A kernel that met a limit of time or memory is judged once more, alone, because other jobs may have had to do with it;
 * so is one whose attempt was the grader's trouble.
 */
#pragma once

#include "class/gradebook.h"

enum { QUEUE_KEY = 65, QUEUE_TRIES = 3 };

struct queue_job {
    char key[QUEUE_KEY];
    char sha256[KERNEL_SHA256];
    char lab[16], device[8], gpu[32], size[32], kit[128];
    char key_name[DRAW_NAME]; /* of the key that draws its inputs */
    double build_seconds, run_seconds, memory_mib;
    char place[32]; /* Slurm's number of a running job, "123_4" */
    int attempt;    /* of a claimed job: 1, 2, ... over all runs of the grader */
    bool alone;     /* it is judged while no other is */
};

struct queue_counts {
    unsigned wanted, done, trouble, running, queued;
    unsigned alone; /* of the queued */
};

/* Fills in the key. */
void queue_job_key(struct queue_job *job);
/* OUT/keys/NAME, where grade-job reads the key that draws a job's inputs. */
bool queue_key_path(const struct gradebook *book, const char *name, char path[PATH_SIZE]);
/* OUT/jobs/KEY-ATTEMPT, where an attempt writes its result.json. */
bool queue_job_folder(const struct gradebook *book, const struct queue_job *job, char path[PATH_SIZE]);

/* A new plan: no job is wanted until queue_add says so. Jobs in trouble may be tried again. */
bool queue_plan(struct gradebook *book);
bool queue_add(struct gradebook *book, const struct queue_job *job);
/* For a while other jobs are wanted than the plan's: none at first. queue_aside_end: the plan's
 * again. */
bool queue_aside(struct gradebook *book);
bool queue_aside_end(struct gradebook *book);
/* Wanted jobs in trouble are tried again. */
bool queue_retry(struct gradebook *book);
/* Jobs that were running when the grader was killed: take in their results; queue those without one again. With
 * keep_running the latter stay running (a cluster continues without the grader). */
bool queue_recover(struct gradebook *book, bool keep_running);

/* Judge the wanted jobs of a kernel once more, alone. Their results count until then. */
bool queue_again(struct gradebook *book, const char *sha256, const char *lab);
/* The next queued job becomes running; alone: of those that must run alone, else of the others. *found false: there is
 * none. */
bool queue_claim(struct gradebook *book, bool alone, struct queue_job *job, bool *found);
/* Take in the result in an attempt's folder, then remove the folder. Without a valid result the attempt counts as trouble,
 * for `reason`, and the job is queued again, to run alone, up to QUEUE_TRIES times in a run. */
bool queue_finish(struct gradebook *book, const struct queue_job *job, const char *reason);
/* Back to the queue as if it had not been claimed (the grader was interrupted). */
bool queue_release(struct gradebook *book, const struct queue_job *job);
/* Keep a running job's place, for a grader that is started later. */
bool queue_place(struct gradebook *book, const struct queue_job *job, const char *place);
/* Has the attempt written its result? */
bool queue_has_result(const struct gradebook *book, const struct queue_job *job);

/* Each job that is running, by key. */
typedef bool queue_visitor(void *context, const struct queue_job *job);
bool queue_each_running(struct gradebook *book, queue_visitor *visit, void *context);
bool queue_count(struct gradebook *book, struct queue_counts *counts);

/* ---- progress_line.c: one line on a terminal that says how far the class is:
 * "212 of 600 judged  35 %  13.1 a minute  30 min left".
 * Where the output is no terminal, a line of its own every half minute. */

struct progress_line {
    FILE *to; /* NULL: quiet */
    bool terminal;
    double started, shown; /* seconds of a steady clock */
    unsigned done_before;  /* when this run began */
    unsigned done;         /* when it was shown last */
    double since;          /* when that was reached */
};

void progress_line_begin(struct progress_line *progress, FILE *to, const struct queue_counts *counts);
/* At most ten times a second; free to call more often. */
void progress_line_show(struct progress_line *progress, const struct queue_counts *counts);
void progress_line_end(struct progress_line *progress, const struct queue_counts *counts);
/* Would progress_line_show write something now? */
bool progress_line_due(const struct progress_line *progress);

/* The line itself. seconds: since the beginning; still: since the last kernel was done. */
void progress_line_text(char *text, size_t size, const struct queue_counts *counts, unsigned done_before,
                        double seconds, double still);

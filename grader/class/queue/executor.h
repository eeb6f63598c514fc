/*
 * executor.h: who runs the queue's jobs: processes of this machine, or a Slurm cluster. Both start grade-job,
 * one for each job, and read nothing but its result.json.
 */
#pragma once

#include "class/queue/queue.h"

enum executor_end {
    EXECUTOR_DONE,        /* nothing is queued or running any more */
    EXECUTOR_INTERRUPTED, /* by SIGINT or SIGTERM: the next run goes on */
    EXECUTOR_FAILED       /* book->error says why */
};

struct executor {
    struct gradebook *book;
    const char *grade_job; /* the program */
    unsigned jobs;         /* at a time */
    bool unsafe;
    char sandbox[24]; /* by name (executor_sandbox); "": each grade-job finds out which works */
    struct progress_line *progress;
    const char *slurm_options; /* added to sbatch's, separated by spaces; NULL: none */
};

/* Before a class: grade-job tries which sandbox works on this machine. True: executor->sandbox, and a line on what that is
 * and does not cover. False: lines that say why none works, and what to do. */
bool executor_sandbox(struct executor *executor, char *lines, size_t size);

enum executor_end executor_local(const struct executor *executor);
enum executor_end executor_slurm(const struct executor *executor);

enum { EXECUTOR_ARGUMENTS = 32 };
/* grade-job's command line for a job; to be freed by executor_command_free. */
struct executor_command {
    char *arguments[EXECUTOR_ARGUMENTS]; /* ends with NULL */
    unsigned count;
};
bool executor_command(struct executor_command *command, const struct executor *executor,
                      const struct queue_job *job);
void executor_command_free(struct executor_command *command);
/* Seconds after which a job is taken to hang, whatever its own limits are. Waiting for a processor does not count
 * (base/processor.h), where the job runs on this machine. */
double executor_patience(const struct queue_job *job);

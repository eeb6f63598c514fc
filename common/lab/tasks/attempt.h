/* attempt.h: one attempt at a task: its program built and run, on the simulated GPU with all that it checks, then on a real
 * one where that is wanted; and what is wrong, in words. */
#ifndef TASKS_ATTEMPT_H
#define TASKS_ATTEMPT_H

#include "lab/tasks/tasks.h"

/* What attempts need; paths relative to the present folder, which is the project's, so that messages name short paths. */
struct workshop {
    const char *nvcc;    /* the CUDA compiler */
    const char *source;  /* the folder with the tasks' headers: labs/lab0-first-kernel */
    const char *folder;  /* where programs go: build/tasks/lab0 */
    const char *library; /* the folder of the simulated GPU's libcudart */
    const char *gpu;     /* the simulated model; NULL: the default one */
    const char
        *real; /* the folder of the toolkit's libcudart, "" where the system finds it; NULL: no real GPU */
    unsigned architecture; /* 90 */
};

enum attempt_stage { ATTEMPT_RIGHT, ATTEMPT_BUILD, ATTEMPT_RUN, ATTEMPT_REAL };

struct attempt {
    enum attempt_stage stage; /* where it went wrong */
    char text[8192];          /* what compiler or program said, names of files without their folders */
    const char *say;          /* the message of the tasks that explains it; NULL: none does */
};

/* Build and run the file `path` as this task. False and one line: it could not be tried (no compiler, disk full, ...). */
bool attempt(const struct workshop *workshop, const struct tasks *tasks, unsigned task, const char *path,
             struct attempt *attempt, char *error, size_t size);

#endif

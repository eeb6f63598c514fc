/*
 * tasks.h: a lab of small tasks, as data, and attempts at them. labs/labN-TOPIC/tasks.ini lists the
 * tasks. Each is a whole program beside that file, taskNAME.cu, unfinished in one way.
 *
 *   [lab]                    title = ...
 *   [messages]               of all tasks, tried after those of the task
 *   [task 01-launch]         title, task: what is to do; arguments: of the program; expects: a line that the simulated
 *                            GPU is to say; learnt: what the learner knows afterwards; hint: one each
 *
 * A message is a pair: `if` is a pattern of fnmatch(3) for a line that compiler or program print,
 * `say` explains that line. The first pattern that fits counts. `more` continues the text of the
 * line before.
 */
#pragma once

#include "base/path.h"
#include <stdbool.h>
#include <stddef.h>

enum { TASKS_MOST = 32, TASK_NAME = 40, TASK_HINTS = 8, TASK_MESSAGES = 64, TASK_ARGUMENTS = 8 };

struct task_message {
    char *pattern, *say;
};

struct task_messages {
    unsigned count;
    struct task_message list[TASK_MESSAGES];
};

struct task {
    char name[TASK_NAME]; /* "01-launch" */
    char *title, *task;
    char *learnt;  /* NULL: no such text */
    char *expects; /* pattern of the line that the simulated GPU is to say; NULL: it is to say nothing */
    unsigned argument_count;
    char *arguments[TASK_ARGUMENTS];
    unsigned hint_count;
    char *hints[TASK_HINTS];
    struct task_messages messages;
};

struct tasks {
    char id[16], topic[64]; /* "lab0", "first-kernel" */
    char *title;
    unsigned count; /* at least 1 */
    struct task list[TASKS_MOST];
    struct task_messages messages;
};

/* Parses the text of a data file; `name` stands for it in messages. Any bytes are safe to pass.
 * False and one line (file, line, what is wrong); else the caller calls tasks_free. */
bool tasks_parse(const char *text, size_t length, const char *name, struct tasks *tasks, char *error,
                 size_t size);
/* Reads root/labs/ID-TOPIC/tasks.ini and checks that every task's program exists. Returns as
 * tasks_parse. */
bool tasks_load(const char *root, const char *id, struct tasks *tasks, char *error, size_t size);
void tasks_free(struct tasks *tasks);

/* The smallest number of a lab of tasks that is at least `from`; -1: there is none. */
int tasks_next_lab(const char *root, int from);
/* Is "lab0" a lab of tasks? */
bool tasks_is_lab(const char *root, const char *id);

/* A task's file root/labs/labN-TOPIC/taskNAME.cu; its file in solutions/labN-TOPIC/FOLDER, "."
 * or "starters". */
void tasks_file(const char *root, const struct tasks *tasks, unsigned task, char path[PATH_SIZE]);
void tasks_solution(const char *root, const struct tasks *tasks, const char *folder, unsigned task,
                    char path[PATH_SIZE]);

/* The explanation of a text of several lines: `say` of the first message that fits; NULL: none
 * fits. */
const char *tasks_explain(const struct tasks *tasks, unsigned task, const char *text);

/* ---- attempt.c */

/* ---- attempt.c: one attempt at a task. Its program is built and run on the simulated GPU with
 * all checks, then, where wanted, on a real one. */

/* What attempts need. Paths are relative to the present folder, the project's, so that messages
 * name short paths. */
struct workshop {
    const char *nvcc;      /* the CUDA compiler */
    const char *source;    /* the folder with the tasks' headers: labs/lab0-first-kernel */
    const char *folder;    /* where programs go: build/tasks/lab0 */
    const char *library;   /* the folder of the simulated GPU's libcudart */
    const char *gpu;       /* the simulated model; NULL: the default one */
    const char *real;      /* folder of the toolkit's libcudart; "": the system finds it; NULL: no real GPU */
    unsigned architecture; /* 90 */
};

enum attempt_stage { ATTEMPT_RIGHT, ATTEMPT_BUILD, ATTEMPT_RUN, ATTEMPT_REAL };

struct attempt {
    enum attempt_stage stage; /* where it went wrong */
    char text[8192];          /* what compiler or program said, names of files without their folders */
    const char *say;          /* explanation of the text (tasks_explain); NULL: none */
};

/* Builds and runs the file `path` as this task. False and one line when it could not be tried
 * (no compiler, disk full, ...). */
bool attempt(const struct workshop *workshop, const struct tasks *tasks, unsigned task, const char *path,
             struct attempt *attempt, char *error, size_t size);

/* The same for a program that is built and run elsewhere: what the compiler said that made none;
 * what the program said, and its exit status as child_wait has it. They set stage and text. */
void attempt_not_built(const char *said, struct attempt *attempt);
void attempt_ran(const struct task *task, int status, const char *said, bool real, struct attempt *attempt);

/* What the simulated GPU is to be told when it runs a task, as NAME=VALUE; NULL ends the list. */
extern const char *const attempt_environment[];

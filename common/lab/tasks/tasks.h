/*
 * tasks.h: a lab of small tasks, as data. labs/labN-TOPIC/tasks.ini lists them; each is a whole program that lies beside
 * it, taskNAME.cu, unfinished in one way.
 *
 *   [lab]                    title = ...
 *   [messages]               of all tasks, tried after a task's own
 *   [task 01-launch]         title, task: what is to do; arguments: of the program; expects: a line that the simulated
 *                            GPU is to say; learnt: what the learner knows when it is done; hint: one each
 *
 * A message is a pair: `if` is a pattern of fnmatch(3) for a line of what compiler or program say, `say` explains it. The
 * first that fits counts. `more` goes on with the text of the line before.
 */
#ifndef TASKS_TASKS_H
#define TASKS_TASKS_H

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
    char *learnt;  /* NULL: nothing is said */
    char *expects; /* a pattern; NULL: the simulated GPU is to say nothing */
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

/* From the text of a data file; `name` stands in messages. Any bytes are safe to pass. False and one line (file, line,
 * what) on failure; else tasks_free. */
bool tasks_parse(const char *text, size_t length, const char *name, struct tasks *tasks, char *error,
                 size_t size);
/* Read root/labs/ID-TOPIC/tasks.ini, and look that the program of every task is there. As tasks_parse. */
bool tasks_load(const char *root, const char *id, struct tasks *tasks, char *error, size_t size);
void tasks_free(struct tasks *tasks);

/* The number of the first lab of tasks that is at least `from`; -1: there is none. */
int tasks_next_lab(const char *root, int from);

/* A file of a task: root/labs/labN-TOPIC/taskNAME.cu; in `folder` of solutions/labN-TOPIC: "." or "starters". */
void tasks_file(const char *root, const struct tasks *tasks, unsigned task, char path[PATH_SIZE]);
void tasks_solution(const char *root, const struct tasks *tasks, const char *folder, unsigned task,
                    char path[PATH_SIZE]);

/* What explains a text of several lines; NULL: nothing does. */
const char *tasks_explain(const struct tasks *tasks, unsigned task, const char *text);

#endif

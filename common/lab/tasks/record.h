/* record.h: which tasks a learner has done, and how many hints were shown; kept beside them,
 * labs/labN-TOPIC/.progress.ini. */
#pragma once

#include "lab/tasks/tasks.h"

struct record {
    bool done[TASKS_MOST]; /* once is enough */
    unsigned hints[TASKS_MOST];
};

/* root/labs/labN-TOPIC/.progress.ini; none is an empty record, and tasks of another kit's in it
 * are left out. False and one line when the file is damaged or cannot be written. */
bool record_load(const char *root, const struct tasks *tasks, struct record *record, char *error,
                 size_t size);
bool record_save(const char *root, const struct tasks *tasks, const struct record *record, char *error,
                 size_t size);

/* From its text, as tasks_parse. */
bool record_parse(const char *text, size_t length, const char *name, const struct tasks *tasks,
                  struct record *record, char *error, size_t size);

unsigned record_done(const struct record *record, const struct tasks *tasks);
/* The first task from `from` on that is not done; tasks->count: all are. */
unsigned record_next(const struct record *record, const struct tasks *tasks, unsigned from);

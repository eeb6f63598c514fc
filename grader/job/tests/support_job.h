/* support_job.h: a scratch folder, the built programs, and grade-job run over a kernel. */
#pragma once

#include "base/home.h"
#include "base/test.h"
#include "job/sandbox.h"
#include <jansson.h>

struct bench {
    struct home home;
    char folder[PATH_SIZE]; /* scratch */
    char grade_job[PATH_SIZE], launcher[PATH_SIZE];
    enum sandbox_rung rung;
    char why_not[SANDBOX_LINE]; /* no such sandbox here; "": there is one */
};

enum { BENCH_WORKERS_MOST = 64 };

/* Seconds that no machine needs: no verdict hangs on how fast this one is. */
#define NO_HURRY "3600"

/* For a group's set-up and tear-down: 0 when it went well. KEEP=1 in the environment leaves the folder. rung: by name; NULL:
 * the strongest that works here. simgpu: it will run in a sandbox, which one that is built with sanitisers cannot. */
int bench_open(struct bench *bench, const char *rung, bool simgpu);
int bench_close(struct bench *bench);
/* The test kernels of these texts (patterns of the shell's, from the project's folder) as files in folder/NAME
 * (common/tools/expand-fixtures). False: an edit finds no place; it is said. */
bool bench_expand(const struct bench *bench, const char *name, const char *texts);
/* How many jobs to run side by side. */
unsigned bench_workers(void);
/* Skip the test, and say why, where there can be no sandbox. */
void bench_need_isolation(const struct bench *bench);
/* This sandbox works for an ordinary user, too; skipped where this one is no root. */
void bench_as_nobody(const struct bench *bench, enum sandbox_rung rung);

/* Run grade-job with these arguments, which end with NULL, its output in folder/NAME; without hurry, unless they say
 * otherwise. Its exit status. */
int bench_grade(const struct bench *bench, const char *name, const char *const *arguments);
/* The result in folder/NAME, for the caller to free; fails the test when there is none. */
json_t *bench_result(const struct bench *bench, const char *name);
/* A text of a result; fails the test when it has none. */
const char *bench_text(const json_t *result, const char *key);

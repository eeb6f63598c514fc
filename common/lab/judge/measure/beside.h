/*
 * beside.h: the simulated runs of starter and reference that stand beside a student's run, measured
 * once and kept; and the list of files that a simulated result depends on, for these runs and for
 * the grader.
 */
#pragma once

#include "lab/settings.h"
#include "report/document/report.h"

/* Takes the path of one file. False and one line when the file cannot be read. */
typedef bool depends_take(void *context, const char *path, char *error, size_t size);

/* Calls `take` for each file that a simulated result depends on besides the submission, always
 * in the same order: simulator, runtime libraries, starter (or baseline), reference, data of the
 * lab, data of the GPU. The settings are resolved. False and one line when a file is missing or
 * `take` fails. */
bool depends_each(const struct settings *settings, depends_take *take, void *context, char *error,
                  size_t size);

enum { BESIDE_KEY = 17 }; /* bytes of a key */

/* 16 hexadecimal digits: a hash of this program, the files of depends_each, STRICT and the
 * picture. GPU, size and seed are not part of the hash. It detects changes, not forgery. False
 * and one line when a file cannot be read. */
bool beside_key(const struct settings *settings, char key[BESIDE_KEY], char *error, size_t size);

/* A report with the runs "starter" (or "baseline"), "reference" and "copy" of each part. It is
 * read from `folder` where it is kept under `key`, else measured and kept there. Several
 * processes may do so at once. False and one line when a run cannot be measured or kept. */
bool beside_load(const struct settings *settings, const char *key, const char *folder, struct report *beside,
                 char *error, size_t size);

/* support_class.h: a scratch folder with a class in it, archives made on the spot, and the grader run over
 * them. */
#ifndef CLASS_TESTS_SUPPORT_CLASS_H
#define CLASS_TESTS_SUPPORT_CLASS_H

#include "base/path.h"
#include "class/text.h"

#include "base/test.h"
#include <sys/types.h>

/* A key for policies, so that two gradebooks have the same results. */
#define CLASS_KEY "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

/* The class of the running test: a scratch folder, and paths in it: in, out, out/kernels, policy.ini, roster.csv, trace. */
extern char folder[PATH_SIZE], in[PATH_SIZE], out[PATH_SIZE], store[PATH_SIZE], policy[PATH_SIZE],
    roster[PATH_SIZE], trace[PATH_SIZE], error[TEXT_ERROR];
int class_set_up(void **state);
int class_tear_down(void **state);
/* How many times the fake judge ran, where FAKE_GRADE_JOB_TRACE is `trace`. */
unsigned class_runs(void);

/* A new folder; removed by class_remove. */
void class_make(char folder[PATH_SIZE]);
void class_remove(const char *folder);
/* folder/name with this text; folders on the way are made. modified: seconds since 1970, 0: now. */
void class_write(const char *folder, const char *name, const char *text, int64_t modified);
/* Remove folder/name, if it is there. */
void class_delete(const char *folder, const char *name);
/* Wait until folder/name is there; a test that waits in vain fails after ten minutes. */
void class_wait_for(const char *folder, const char *name);
/* The whole of folder/name, for the caller to free. */
char *class_read(const char *folder, const char *name);

/* The judge's honest test kernels as files in folder/NAME (common/tools/expand-fixtures). */
void class_honest(const char *folder, const char *name);

/* A member of an archive to be made. */
struct class_member {
    const char *path;
    const char *text;
    size_t size; /* 0: of the text */
    int64_t modified;
    const char *link; /* a symbolic link to this; NULL: a file */
};
/* folder/name as .zip or .tar.gz, by its name. */
void class_archive(const char *folder, const char *name, const struct class_member *members, size_t count);

/* The build folder's program: bin/grade. */
void class_program(const char *name, char path[PATH_SIZE]);
/* Start grade with the fake judge: arguments end with NULL; stdout and stderr go to folder/output. */
pid_t class_start(const char *folder, const char *const *arguments);
/* The same to its end: the exit status. */
int class_grade(const char *folder, const char *const *arguments);

/* Start it and read what it said: it has to end with this status, and to say these words ("": whatever). */
void class_grade_says(const char *folder, const char *const *arguments, int status, const char *words);

/* Does the text have these words? Fails the test with both when not. */
void assert_has(const char *text, const char *words);
void assert_has_not(const char *text, const char *words);

/* Is folder/out/NAME byte for byte what stands in grader/class/tests/golden? GOLDEN=1 writes it anew, to be looked at and
 * kept. */
void class_golden(const char *folder, const char *name);

#endif

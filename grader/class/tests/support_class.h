/* support_class.h: a scratch folder with a class in it, archives made on the spot, and the grader run over
 * them. */
#pragma once

#include "base/path.h"
#include "class/text.h"

#include "base/test.h"
#include <sys/types.h>

/* A key for policies, so that two gradebooks have the same results. */
#define CLASS_KEY "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

/* The class of the running test: a scratch folder, and paths in it: in, out, out/kernels, policy.ini, roster.csv, trace. A
 * name of a file here is a path in that folder. */
extern char folder[PATH_SIZE], in[PATH_SIZE], out[PATH_SIZE], store[PATH_SIZE], policy[PATH_SIZE],
    roster[PATH_SIZE], trace[PATH_SIZE], error[TEXT_ERROR];
int class_set_up(void **state);
int class_tear_down(void **state);
#define CLASS_TEST(name) cmocka_unit_test_setup_teardown(name, class_set_up, class_tear_down)
/* How many times the fake judge ran. */
unsigned class_runs(void);

/* A new folder elsewhere; it goes with folder_remove. */
void class_make(char folder[PATH_SIZE]);
/* A file with this text, and the folders on its way; modified: seconds since 1970. */
void class_write(const char *name, const char *text);
void class_write_at(const char *name, const char *text, int64_t modified);
/* Several, each by name and text; or by student and text of in/STUDENT/kernel.cu. */
#define class_files(...) class_write_all("%s", (const char *const[]){__VA_ARGS__, NULL})
#define class_kernels(...) class_write_all("in/%s/kernel.cu", (const char *const[]){__VA_ARGS__, NULL})
void class_write_all(const char *form, const char *const *names_and_texts);
/* policy.ini: a class with CLASS_KEY, then this text. */
void class_policy(const char *text);
/* Remove the file, if it is there. */
void class_delete(const char *name);
bool class_is_there(const char *name);
/* Wait until the file is there; a test that waits in vain fails after an hour. */
void class_wait_for(const char *name);
/* The whole of the file; it is freed when the test ends. */
char *class_read(const char *name);
/* A file of the kit, and a text of this form: both are freed when the test ends. */
char *class_kits(const char *path);
char *class_print(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Has the file all of these words, or none of them? Fails the test with both when not. */
#define class_has(name, ...) class_look(name, true, (const char *const[]){__VA_ARGS__, NULL})
#define class_has_not(name, ...) class_look(name, false, (const char *const[]){__VA_ARGS__, NULL})
void class_look(const char *name, bool has, const char *const *words);

/* The judge's honest test kernels as files in a folder NAME (common/tools/expand-fixtures). */
void class_honest(const char *name);

/* A member of an archive to be made. */
struct class_member {
    const char *path;
    const char *text;
    int64_t modified;
    const char *link; /* a symbolic link to this; NULL: a file */
    size_t size;      /* 0: of the text */
};
#define MEMBER(path, text)                                                                                   \
    { path, text, 0, NULL, 0 }
#define MEMBER_AT(path, text, modified)                                                                      \
    { path, text, modified, NULL, 0 }
/* .zip or .tar.gz, by its name. */
#define class_archive(name, ...)                                                                             \
    class_archive_of(name, (const struct class_member[]){__VA_ARGS__},                                       \
                     sizeof((const struct class_member[]){__VA_ARGS__}) / sizeof(struct class_member))
void class_archive_of(const char *name, const struct class_member *members, size_t count);

/* The build folder's program: bin/grade. */
void class_program(const char *name, char path[PATH_SIZE]);
/* grade with the fake judge and these options, a blank between two: a word that begins with @ is a path in the folder, a
 * tab in a word is a blank there, and without --out it is @out. stdout and stderr go to the file output. */
#define LAB1 "--lab lab1 --submissions @in"
pid_t class_start(const char *options, ...) __attribute__((format(printf, 1, 2)));
/* The same to its end: it has to end with this status, and to say these words. */
void class_grade(int status, const char *options, ...) __attribute__((format(printf, 2, 3)));
void class_grade_says(const char *words, int status, const char *options, ...)
    __attribute__((format(printf, 3, 4)));
/* For a platform's script, in the shell's words: KIT, BUILD and GRADE_OPTIONS, with the fake judge. */
const char *class_grader(void);
/* A command of the shell's, in the project's folder: it has to end with this status; -1: any but 0. What it said, freed
 * when the test ends. */
char *class_shell(int status, const char *command, ...) __attribute__((format(printf, 2, 3)));

/* Does the text have these words? Fails the test with both when not. */
void assert_has(const char *text, const char *words);
void assert_has_not(const char *text, const char *words);

/* Is out/NAME byte for byte what stands in grader/class/tests/golden? GOLDEN=1 writes it anew, to be looked at and
 * kept. */
void class_golden(const char *name);

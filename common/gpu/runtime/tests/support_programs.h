/* support_programs.h: running the CUDA programs of tests/programs against the library, as a user would. */
#ifndef RUNTIME_TESTS_SUPPORT_PROGRAMS_H
#define RUNTIME_TESTS_SUPPORT_PROGRAMS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct run {
    int status;         /* as waitpid gives it */
    char output[65536]; /* standard output, then standard error */
};

/* Whether build/tests/runtime/programs/NAME was built; if not, the reason is printed ("skipped: ..."). */
bool have_program(const char *name);
/* Run a program to its end, at most `seconds` (then it is killed and the test fails). `environment`:
 * NAME=VALUE strings added to the test's own, NULL at the end; it may itself be NULL. */
void run_program(struct run *run, const char *name, const char *argument, const char *const environment[],
                 int seconds);
/* The test fails, with the program's output, unless it exited with this status. */
void assert_exit(const struct run *run, int status);
/* The test fails unless the output holds this text. */
void assert_says(const struct run *run, const char *text);

/* A program that runs beside the test: its process, its input, its output. */
struct running {
    pid_t process;
    int input, output;
};
void start_program(struct running *running, const char *name, const char *argument,
                   const char *const environment[]);
/* Read a line of its output, waiting at most `seconds`. */
void expect_line(struct running *running, const char *line, int seconds);
/* Wait for its end, at most `seconds`; the rest of its output comes along. */
void finish_program(struct running *running, struct run *run, int seconds);

/* A file for the test alone, whose path is written; it is to be unlinked. */
void temporary_file(char path[64]);
/* Whether a process is there (a zombie is not). */
bool process_lives(pid_t process);

/* Files, seen from a running test: build/tests/runtime/test_x. */

/* The build folder, with no slash at its end. */
const char *build_directory(void);
/* A file of common/gpu/runtime/tests. Whole, with a NUL behind it; the test fails when it cannot be read. To be
 * freed. */
unsigned char *read_test_file(const char *name, size_t *size);
/* One of the fuzzer's fat binaries (its seeds), in the same way. */
unsigned char *read_fat_binary(const char *name, size_t *size);

#endif

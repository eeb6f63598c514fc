/* A grader that is killed at any moment and run again: nothing is lost, nothing is counted twice. */
#include "support_class.h"

#include "base/file.h"
#include "class/gradebook.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { STUDENTS = 40, KILLS = 50 };

static void set_variable(const char *variable, const char *folder, const char *name) {
    char path[PATH_SIZE];
    assert_true(path_join(path, folder, name));
    setenv(variable, path, 1);
}

/* 40 students: wrong, flagged, unbuildable and slow ones among them, and some with the same file. And one more, who is
 * judged once folder/gate is there: until then the class does not end, however fast this machine is. */
static void write_class(const char *folder, unsigned students) {
    static const char *const kinds[] = {"", "SLOW ", "WRONG ", "FLAG ", "BUILD ", "", "SECOND ", ""};
    for (unsigned i = 0; i < students; i++) {
        char name[64], text[64];
        snprintf(name, sizeof name, "in/student%04u/kernel.cu", i);
        snprintf(text, sizeof text, "// %sSLOW %u\n", kinds[i % 8], i % 10 == 9 ? 1000 : i);
        class_write(folder, name, text, 1767225600 + i);
    }
    class_write(folder, "in/zoe/kernel.cu", "// GATE\n", 1767225600);
    set_variable("FAKE_GRADE_JOB_GATE", folder, "gate");
}

static char *dump(const char *folder, const char *out) {
    struct gradebook book;
    char path[PATH_SIZE], *text = NULL;
    size_t length;
    assert_true(path_join(path, folder, out));
    if (!gradebook_open(&book, path))
        fail_msg("%s", book.error);
    FILE *memory = open_memstream(&text, &length);
    if (!gradebook_dump(&book, memory))
        fail_msg("%s", book.error);
    fclose(memory);
    gradebook_close(&book);
    return text;
}

static void nap(unsigned microseconds) {
    struct timespec time = {.tv_nsec = (long)microseconds * 1000};
    nanosleep(&time, NULL);
}

/* Five classes, each killed ten times on its way, then left to end. */
static void killed_at_random_moments(void **state) {
    char folder[PATH_SIZE], in[PATH_SIZE], out[PATH_SIZE], policy[PATH_SIZE];
    class_make(folder);
    write_class(folder, STUDENTS);
    class_write(folder, "policy.ini", "[class]\nkey = " CLASS_KEY "\ndeadline = 2026-01-01 00:00:20 Z\n", 0);
    assert_true(path_join(in, folder, "in") && path_join(policy, folder, "policy.ini"));
    const char *arguments[] = {"--lab",  "lab1", "--submissions", in,  "--policy", policy,
                               "--jobs", "2",    "--out",         out, NULL};
    assert_true(path_join(out, folder, "whole"));
    class_write(folder, "gate", "", 0);
    assert_int_equal(class_grade(folder, arguments), 0);
    char *undisturbed = dump(folder, "whole"), *grades = class_read(folder, "whole/grades.csv");
    assert_has(undisturbed, "|done\n");
    assert_has_not(undisturbed, "|queued\n");

    srand(20261121);
    assert_true(path_join(out, folder, "killed"));
    for (unsigned kills = 1; kills <= KILLS; kills++) {
        int status;
        class_delete(folder, "gate");
        pid_t process = class_start(folder, arguments);
        /* short: while submissions are read and the plan is made; long: while kernels are judged */
        nap((unsigned)rand() % (kills % 3 == 0 ? 20000 : 200000));
        kill(process, SIGKILL);
        assert_int_equal(waitpid(process, &status, 0), process);
        if (!WIFSIGNALED(status)) {
            char *output = class_read(folder, "output");
            fail_msg("kill %u: it had ended with status %d and said:\n%s", kills, WEXITSTATUS(status),
                     output);
        }
        if (kills % 10 != 0)
            continue;
        class_write(folder, "gate", "", 0);
        assert_int_equal(class_grade(folder, arguments), 0);
        char *resumed = dump(folder, "killed"), *again = class_read(folder, "killed/grades.csv");
        assert_string_equal(resumed, undisturbed);
        assert_string_equal(again, grades);
        free(resumed);
        free(again);
        folder_remove(out);
    }
    free(undisturbed);
    free(grades);
    class_remove(folder);
}

/* Interrupted by a person, it says how to go on, and goes on. */
static void interrupted(void **state) {
    char folder[PATH_SIZE], in[PATH_SIZE], out[PATH_SIZE];
    int status;
    class_make(folder);
    write_class(folder, STUDENTS);
    assert_true(path_join(in, folder, "in") && path_join(out, folder, "out"));
    const char *arguments[] = {"--lab", "lab1", "--submissions", in, "--jobs", "2", "--out", out, NULL};
    set_variable("FAKE_GRADE_JOB_TRACE", folder, "trace");
    pid_t process = class_start(folder, arguments);
    class_wait_for(folder, "trace");
    kill(process, SIGINT);
    assert_int_equal(waitpid(process, &status, 0), process);
    assert_int_equal(WEXITSTATUS(status), 1);
    char *output = class_read(folder, "output");
    assert_has(output, "the same command goes on");
    free(output);
    class_write(folder, "gate", "", 0);
    assert_int_equal(class_grade(folder, arguments), 0);
    unsetenv("FAKE_GRADE_JOB_TRACE");
    unsetenv("FAKE_GRADE_JOB_GATE");
    class_remove(folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(killed_at_random_moments),
                                       cmocka_unit_test(interrupted)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* A grader that is killed at any moment and run again: nothing is lost, nothing is counted twice. */
#include "support_class.h"

#include "base/file.h"
#include "class/gradebook.h"

#include <signal.h>
#include <sys/wait.h>
#include <time.h>

enum { STUDENTS = 40, KILLS = 50 };

/* 40 students: wrong, flagged, unbuildable and slow ones among them, and some with the same file. And one more, who is
 * judged once folder/gate is there: until then the class does not end, however fast this machine is. */
static void write_class(void) {
    static const char *const kinds[] = {"", "SLOW ", "WRONG ", "FLAG ", "BUILD ", "", "SECOND ", ""};
    for (unsigned i = 0; i < STUDENTS; i++) {
        const char *text = class_print("// %sSLOW %u\n", kinds[i % 8], i % 10 == 9 ? 1000 : i);
        class_write_at(class_print("in/student%04u/kernel.cu", i), text, 1767225600 + i);
    }
    class_write_at("in/zoe/kernel.cu", "// GATE\n", 1767225600);
    setenv("FAKE_GRADE_JOB_GATE", class_print("%s/gate", folder), 1);
}

static char *dump(const char *name) {
    struct gradebook book;
    char *text = NULL;
    size_t length;
    if (!gradebook_open(&book, class_print("%s/%s", folder, name)))
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
    char killed[PATH_SIZE];
    write_class();
    class_policy("deadline = 2026-01-01 00:00:20 Z\n");
    class_write("gate", "");
    class_grade(0, LAB1 " --policy @policy.ini --jobs 2 --out @whole");
    char *undisturbed = dump("whole"), *grades = class_read("whole/grades.csv");
    assert_has(undisturbed, "|done\n");
    assert_has_not(undisturbed, "|queued\n");

    srand(20261121);
    assert_true(path_join(killed, folder, "killed"));
    for (unsigned kills = 1; kills <= KILLS; kills++) {
        int status;
        class_delete("gate");
        pid_t process = class_start(LAB1 " --policy @policy.ini --jobs 2 --out @killed");
        /* short: while submissions are read and the plan is made; long: while kernels are judged */
        nap((unsigned)rand() % (kills % 3 == 0 ? 20000 : 200000));
        kill(process, SIGKILL);
        assert_int_equal(waitpid(process, &status, 0), process);
        if (!WIFSIGNALED(status)) {
            char *output = class_read("output");
            fail_msg("kill %u: it had ended with status %d and said:\n%s", kills, WEXITSTATUS(status),
                     output);
        }
        if (kills % 10 != 0)
            continue;
        class_write("gate", "");
        class_grade(0, LAB1 " --policy @policy.ini --jobs 2 --out @killed");
        char *resumed = dump("killed"), *again = class_read("killed/grades.csv");
        assert_string_equal(resumed, undisturbed);
        assert_string_equal(again, grades);
        free(resumed);
        folder_remove(killed);
    }
    free(undisturbed);
}

/* Interrupted by a person, it says how to go on, and goes on. */
static void interrupted(void **state) {
    int status;
    write_class();
    pid_t process = class_start(LAB1 " --jobs 2");
    class_wait_for("trace");
    kill(process, SIGINT);
    assert_int_equal(waitpid(process, &status, 0), process);
    assert_int_equal(WEXITSTATUS(status), 1);
    class_has("output", "the same command goes on");
    class_write("gate", "");
    class_grade(0, LAB1 " --jobs 2");
    unsetenv("FAKE_GRADE_JOB_GATE");
}

TESTS(CLASS_TEST(killed_at_random_moments), CLASS_TEST(interrupted))

/* Where no sandbox works nothing is judged: the class stops before its first kernel, says so, and goes on elsewhere. */
#include "support_class.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int set_up(void **state) {
    assert_int_equal(class_set_up(state), 0);
    class_write(folder, "in/ada/kernel.cu", "// one\n", 0);
    class_write(folder, "in/bob/kernel.cu", "// two\n", 0);
    return 0;
}

static int grade_class(const char *option) {
    return class_grade(
        folder, (const char *const[]){"--lab", "lab1", "--submissions", in, "--out", out, option, NULL});
}

static void stops_before_judging(void **state) {
    char grades[PATH_SIZE];
    setenv("FAKE_GRADE_JOB_TRACE", trace, 1);
    setenv("FAKE_GRADE_JOB_NO_SANDBOX", "no sandbox works here. bubblewrap: it may not\nGrade elsewhere.", 1);
    assert_int_equal(grade_class(NULL), 1);
    char *said = class_read(folder, "output");
    assert_has(said, "no sandbox works here. bubblewrap: it may not\nGrade elsewhere.");
    assert_has_not(said, "could not be judged");
    free(said);
    assert_int_equal(access(trace, F_OK), -1); /* nobody was asked to judge */
    assert_true(path_join(grades, out, "grades.csv"));
    assert_int_equal(access(grades, F_OK), -1); /* and nobody has a zero */
    /* without a sandbox, because it is wished */
    assert_int_equal(grade_class("--unsafe"), 0);
    unsetenv("FAKE_GRADE_JOB_NO_SANDBOX");
    unsetenv("FAKE_GRADE_JOB_TRACE");
}

static void says_which(void **state) {
    class_write(folder, "in/cyd/kernel.cu", "// three\n", 0);
    assert_int_equal(grade_class(NULL), 0);
    char *said = class_read(folder, "output");
    assert_has(said, "Sandbox bubblewrap: as ever\n");
    free(said);
    /* nothing is left to judge: nothing is tried */
    setenv("FAKE_GRADE_JOB_NO_SANDBOX", "no sandbox works here", 1);
    assert_int_equal(grade_class(NULL), 0);
    unsetenv("FAKE_GRADE_JOB_NO_SANDBOX");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(stops_before_judging), cmocka_unit_test(says_which)};
    return cmocka_run_group_tests(tests, set_up, class_tear_down);
}

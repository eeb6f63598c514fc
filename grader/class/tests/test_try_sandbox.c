/* Where no sandbox works nothing is judged: the class stops before its first kernel, says so, and goes on elsewhere. */
#include "support_class.h"

static int set_up(void **state) {
    assert_int_equal(class_set_up(state), 0);
    class_kernels("ada", "// one\n", "bob", "// two\n");
    return 0;
}

static void stops_before_judging(void **state) {
    setenv("FAKE_GRADE_JOB_NO_SANDBOX", "no sandbox works here. bubblewrap: it may not\nGrade elsewhere.", 1);
    class_grade(1, LAB1);
    class_has("output", "no sandbox works here. bubblewrap: it may not\nGrade elsewhere.");
    class_has_not("output", "could not be judged");
    assert_false(class_is_there("trace"));          /* nobody was asked to judge */
    assert_false(class_is_there("out/grades.csv")); /* and nobody has a zero */
    /* without a sandbox, because it is wished */
    class_grade(0, LAB1 " --unsafe");
    unsetenv("FAKE_GRADE_JOB_NO_SANDBOX");
}

static void says_which(void **state) {
    class_write("in/cyd/kernel.cu", "// three\n");
    class_grade(0, LAB1);
    class_has("output", "Sandbox bubblewrap: as ever\n");
    /* nothing is left to judge: nothing is tried */
    setenv("FAKE_GRADE_JOB_NO_SANDBOX", "no sandbox works here", 1);
    class_grade(0, LAB1);
    unsetenv("FAKE_GRADE_JOB_NO_SANDBOX");
}

TESTS_BETWEEN(set_up, class_tear_down, UNIT(stops_before_judging), UNIT(says_which))

/* Starter and reference before the class: under a policy that makes nonsense of the points
 * nobody is graded. The stand-in for the judge does by size what real kernels do at small sizes. */
#include "support_class.h"

#include "base/file.h"

#include <stdlib.h>
#include <unistd.h>

static int set_up(void **state) {
    if (class_set_up(state) != 0)
        return -1;
    class_write(folder, "in/ann/kernel.cu", "// ann", 1000);
    class_write(folder, "in/bob/kernel.cu", "// WRONG", 1000);
    return setenv("FAKE_GRADE_JOB_TRACE", trace, 1);
}

static int tear_down(void **state) {
    unsetenv("FAKE_GRADE_JOB_TRACE");
    return class_tear_down(state);
}

static unsigned rehearsed(void) {
    char path[PATH_SIZE];
    unsigned lines = 0;
    if (!path_join(path, folder, "trace.rehearsal") || access(path, F_OK) != 0)
        return 0;
    char *text = class_read(folder, "trace.rehearsal");
    for (const char *c = text; *c != '\0'; c++)
        lines += *c == '\n';
    free(text);
    return lines;
}

static bool is_there(const char *name) {
    char path[PATH_SIZE];
    return path_join(path, folder, name) && access(path, F_OK) == 0;
}

/* Grade under this policy: the exit status, and words of what is said. */
static void grade(const char *rules, int status, const char *words) {
    class_write(folder, "policy.ini", rules, 0);
    class_grade_says(
        folder,
        (const char *[]){"--lab", "lab1", "--submissions", in, "--policy", policy, "--out", out, NULL},
        status, words);
}

static void rescore(const char *rules, int status, const char *words) {
    class_write(folder, "policy.ini", rules, 0);
    class_grade_says(folder, (const char *[]){"--rescore", "--policy", policy, "--out", out, NULL}, status,
                     words);
}

#define KEY "[class]\nkey = " CLASS_KEY "\n"

static void nobody_is_graded(void **state) {
    grade(
        KEY "size = 64x40\n", 1,
        "rehearsal: at 64x40 on h200 lab1's reference is slower than its starter (0.89x): take another size "
        "(the lab's own: size = 2560x1600)\n");
    grade(KEY "size = 64x40\n", 1, "nothing was graded");
    grade(KEY "size = 64x41\n", 1, "lab1's untouched starter earns 7.5 of 100 points");
    grade(KEY "size = 64x42\ngpu = gtx980\n", 1,
          "take another size (the lab's own: size = 2560x1600) or another gpu");
    assert_int_equal(class_runs(), 0); /* nobody's kernel was judged */
    assert_false(is_there("out/grades.csv"));
    /* and no such policy is kept */
    class_grade_says(folder, (const char *[]){"--lab", "lab1", "--submissions", in, "--out", out, NULL}, 0,
                     "the starter earns 0, the reference 100 of 100 points");
    assert_int_equal(class_runs(), 2);
}

/* A class that has grades keeps them, byte for byte. */
static void grades_stay(void **state) {
    grade(KEY, 0, "");
    char *before = class_read(folder, "out/grades.csv");
    class_write(folder, "in/cid/kernel.cu", "// cid", 1000);
    grade(KEY "size = 64x40\n", 1, "nothing was graded, and no grade was changed");
    rescore(KEY, 0, "");
    char *after = class_read(folder, "out/grades.csv");
    assert_string_equal(before, after);
    free(before);
    free(after);
}

static void it_is_made_once(void **state) {
    grade(KEY, 0, "Rehearsal: starter and reference");
    assert_int_equal(rehearsed(), 2);
    class_write(folder, "in/cid/kernel.cu", "// cid", 1000);
    grade(KEY "points = 50\n", 0, "");
    char *said = class_read(folder, "output");
    assert_has_not(said, "Rehearsal");
    free(said);
    assert_int_equal(rehearsed(), 2);
    grade(KEY "size = 640x400\n", 0, "Rehearsal  lab1 at 640x400 on h200: the starter earns 0");
    assert_int_equal(rehearsed(), 4);
}

static void thresholds(void **state) {
    static const char hard[] = KEY "[lab1 goal speedup]\nsim = 0.65 2\n";
    grade(KEY, 0, "");
    char *before = class_read(folder, "out/grades.csv");
    rescore(hard, 1, "change the thresholds in [lab1 goal speedup]");
    rescore(KEY "[lab1 goal speedup]\nsim = 0.1 0.9\n", 1, "lab1's untouched starter earns ");
    rescore(KEY, 0, "");
    char *after = class_read(folder, "out/grades.csv");
    assert_string_equal(before, after);
    free(before);
    free(after);
    /* who means it says so */
    rescore(KEY "reference_percent = 50\n[lab1 goal speedup]\nsim = 0.65 2\n", 0, "Grades");
    assert_int_equal(class_runs(), 2);
}

static void by_itself(void **state) {
    class_grade_says(folder, (const char *[]){"--rehearse", "--lab", "lab1", "--out", out, NULL}, 0,
                     "Rehearsal  lab1 on h200: the starter earns 0, the reference 100 of 100 points");
    assert_int_equal(class_runs(), 0);
    assert_false(is_there("out/grades.csv"));
    class_grade_says(folder, (const char *[]){"--rehearse", "--lab", "lab1", "--out", out, NULL}, 0,
                     "Rehearsal  lab1");
    assert_int_equal(rehearsed(), 2);
    class_grade_says(folder,
                     (const char *[]){"--dry-run", "--lab", "lab1", "--submissions", in, "--out", out, NULL},
                     0, "REHEARSE=1");
    class_grade_says(folder, (const char *[]){"--rehearse", "--out", out, NULL}, 2, "which submissions?");
}

/* Without --lab the labs of the download are rehearsed, each. */
static void labs_of_the_folders(void **state) {
    class_write(folder, "two/ann/lab1/kernel.cu", "// ann", 1000);
    class_write(folder, "two/ann/lab3/kernel.cu", "// ann 3", 1000);
    class_write(folder, "policy.ini", KEY "[lab3]\nsize = 64x40\n", 0);
    char two[PATH_SIZE];
    assert_true(path_join(two, folder, "two"));
    class_grade_says(folder, (const char *[]){"--submissions", two, "--policy", policy, "--out", out, NULL},
                     1, "at 64x40 on h200 lab3's reference is slower");
    assert_int_equal(rehearsed(), 4);
    assert_int_equal(class_runs(), 0);
}

/* Lab 0 is handed in as tasks, and its points are the share of those that are done. */
static void small_tasks(void **state) {
    char in0[PATH_SIZE];
    class_write(folder, "lab0/ann/lab0/task01-launch.cu", "// ann", 1000);
    class_write(folder, "lab0/bob/lab1/kernel.cu", "// bob", 1000);
    assert_true(path_join(in0, folder, "lab0"));
    class_write(folder, "policy.ini", KEY "[lab0]\npoints = 10\n", 0);
    class_grade_says(folder, (const char *[]){"--submissions", in0, "--policy", policy, "--out", out, NULL},
                     0, "Rehearsal  lab0 on h200: the starter earns 0, the reference 10 of 10 points");
    assert_int_equal(class_runs(), 2);
    char *grades = class_read(folder, "out/grades.csv");
    assert_has(grades, "ann,lab0,");
    assert_has(grades, "bob,lab1,");
    free(grades);
    class_write(folder, "policy.ini", KEY "[lab0]\ndevices = cuda\n", 0);
    class_grade_says(folder, (const char *[]){"--submissions", in0, "--policy", policy, "--out", out, NULL},
                     1, "lab0 is judged on the simulated GPU alone: write devices = sim below [lab0]");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(nobody_is_graded, set_up, tear_down),
        cmocka_unit_test_setup_teardown(grades_stay, set_up, tear_down),
        cmocka_unit_test_setup_teardown(it_is_made_once, set_up, tear_down),
        cmocka_unit_test_setup_teardown(thresholds, set_up, tear_down),
        cmocka_unit_test_setup_teardown(by_itself, set_up, tear_down),
        cmocka_unit_test_setup_teardown(labs_of_the_folders, set_up, tear_down),
        cmocka_unit_test_setup_teardown(small_tasks, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

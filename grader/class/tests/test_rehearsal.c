/* Starter and reference before the class: under a policy that makes nonsense of the points
 * nobody is graded. The stand-in for the judge does by size what real kernels do at small sizes. */
#include "support_class.h"

static int set_up(void **state) {
    if (class_set_up(state) != 0)
        return -1;
    class_write_at("in/ann/kernel.cu", "// ann", 1000);
    class_write_at("in/bob/kernel.cu", "// WRONG", 1000);
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
    char *text = class_read("trace.rehearsal");
    for (const char *c = text; *c != '\0'; c++)
        lines += *c == '\n';
    return lines;
}

static bool is_there(const char *name) {
    char path[PATH_SIZE];
    return path_join(path, folder, name) && access(path, F_OK) == 0;
}

/* Grade under this policy: the exit status, and words of what is said. */
static void grade(const char *rules, int status, const char *words) {
    class_write("policy.ini", rules);
    class_grade_says(words, status, LAB1 " --policy @policy.ini");
}

static void rescore(const char *rules, int status, const char *words) {
    class_write("policy.ini", rules);
    class_grade_says(words, status, "--rescore --policy @policy.ini");
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
    class_grade_says("the starter earns 0, the reference 100 of 100 points", 0, LAB1);
    assert_int_equal(class_runs(), 2);
}

/* A class that has grades keeps them, byte for byte. */
static void grades_stay(void **state) {
    grade(KEY, 0, "");
    char *before = class_read("out/grades.csv");
    class_write_at("in/cid/kernel.cu", "// cid", 1000);
    grade(KEY "size = 64x40\n", 1, "nothing was graded, and no grade was changed");
    rescore(KEY, 0, "");
    assert_string_equal(class_read("out/grades.csv"), before);
}

static void it_is_made_once(void **state) {
    grade(KEY, 0, "Rehearsal: starter and reference");
    assert_int_equal(rehearsed(), 2);
    class_write_at("in/cid/kernel.cu", "// cid", 1000);
    grade(KEY "points = 50\n", 0, "");
    class_has_not("output", "Rehearsal");
    assert_int_equal(rehearsed(), 2);
    grade(KEY "size = 640x400\n", 0, "Rehearsal  lab1 at 640x400 on h200: the starter earns 0");
    assert_int_equal(rehearsed(), 4);
}

static void thresholds(void **state) {
    static const char hard[] = KEY "[lab1 goal speedup]\nsim = 0.65 2\n";
    grade(KEY, 0, "");
    char *before = class_read("out/grades.csv");
    rescore(hard, 1, "change the thresholds in [lab1 goal speedup]");
    rescore(KEY "[lab1 goal speedup]\nsim = 0.1 0.9\n", 1, "lab1's untouched starter earns ");
    rescore(KEY, 0, "");
    assert_string_equal(class_read("out/grades.csv"), before);
    /* who means it says so */
    rescore(KEY "reference_percent = 50\n[lab1 goal speedup]\nsim = 0.65 2\n", 0, "Grades");
    assert_int_equal(class_runs(), 2);
}

static void by_itself(void **state) {
    class_grade_says("Rehearsal  lab1 on h200: the starter earns 0, the reference 100 of 100 points", 0,
                     "--rehearse --lab lab1");
    assert_int_equal(class_runs(), 0);
    assert_false(is_there("out/grades.csv"));
    class_grade_says("Rehearsal  lab1", 0, "--rehearse --lab lab1");
    assert_int_equal(rehearsed(), 2);
    class_grade_says("REHEARSE=1", 0, "--dry-run --lab lab1 --submissions @in");
    class_grade_says("which lab?", 2, "--rehearse");
}

/* Without --lab the labs of the download are rehearsed, each. */
static void labs_of_the_folders(void **state) {
    class_write_at("two/ann/lab1/kernel.cu", "// ann", 1000);
    class_write_at("two/ann/lab3/kernel.cu", "// ann 3", 1000);
    class_write("policy.ini", KEY "[lab3]\nsize = 64x40\n");
    char two[PATH_SIZE];
    assert_true(path_join(two, folder, "two"));
    class_grade_says("at 64x40 on h200 lab3's reference is slower", 1,
                     "--submissions @two --policy @policy.ini");
    assert_int_equal(rehearsed(), 4);
    assert_int_equal(class_runs(), 0);
}

/* Lab 0 is handed in as tasks, and its points are the share of those that are done. */
static void small_tasks(void **state) {
    char in0[PATH_SIZE];
    class_write_at("lab0/ann/lab0/task01-launch.cu", "// ann", 1000);
    class_write_at("lab0/bob/lab1/kernel.cu", "// bob", 1000);
    assert_true(path_join(in0, folder, "lab0"));
    class_write("policy.ini", KEY "[lab0]\npoints = 10\n");
    class_grade_says("Rehearsal  lab0 on h200: the starter earns 0, the reference 10 of 10 points", 0,
                     "--submissions @lab0 --policy @policy.ini");
    assert_int_equal(class_runs(), 2);
    class_has("out/grades.csv", "ann,lab0,", "bob,lab1,");
    class_write("policy.ini", KEY "[lab0]\ndevices = cuda\n");
    class_grade_says("lab0 is judged on the simulated GPU alone: write devices = sim below [lab0]", 1,
                     "--submissions @lab0 --policy @policy.ini");
}

TESTS(cmocka_unit_test_setup_teardown(nobody_is_graded, set_up, tear_down),
      cmocka_unit_test_setup_teardown(grades_stay, set_up, tear_down),
      cmocka_unit_test_setup_teardown(it_is_made_once, set_up, tear_down),
      cmocka_unit_test_setup_teardown(thresholds, set_up, tear_down),
      cmocka_unit_test_setup_teardown(by_itself, set_up, tear_down),
      cmocka_unit_test_setup_teardown(labs_of_the_folders, set_up, tear_down),
      cmocka_unit_test_setup_teardown(small_tasks, set_up, tear_down))

/* Every lab as shipped: the starter is right and does not pass, the reference is right and gets full marks.
 * Simulated, at a quarter of the labs' size so that it is quick; thresholds and counters per pixel are the
 * same there. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/file.h"
#include "harness/goals.h"
#include "harness/measure.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char folder[] = "/tmp/test_labs.XXXXXX", error[SETTINGS_ERROR];

static int set_up(void **state) {
    (void)state;
    return mkdtemp(folder) == NULL;
}

static int tear_down(void **state) {
    (void)state;
    folder_remove(folder);
    return 0;
}

/* Judge, time and score `variant` as if it were the student's. */
static void score(const char *lab, const char *variant, struct report *report) {
    static struct settings s;
    struct measure_variant variants[3] = {{.name = "yours"}, {.name = "yours"}, {.name = "reference"}};
    const char *programs[] = {NULL, variant, "reference"};
    struct judge_wrong wrong = {0};
    struct failure failure = {0};
    char output[4096];
    assert_true(settings_init(&s, error, sizeof error));
    s.device = DEVICE_SIM;
    if (!settings_resolve(&s, lab, error, sizeof error))
        fail_msg("%s", error);
    programs[0] = lab_baseline(&s.lab);
    snprintf(variants[0].name, sizeof variants[0].name, "%s", programs[0]);
    s.width /= 2;
    s.height /= 2;
    snprintf(s.folder, sizeof s.folder, "%s", folder);
    for (int i = 0; i < 3; i++)
        settings_program(&s, programs[i], variants[i].program);
    assert_true(report_init(report, lab, "T"));
    if (!judge_correctness(&s, variants[1].program, report, &wrong, output, sizeof output, &failure))
        fail_msg("%s of %s: %s", variant, lab, failure.message);
    double elements[LAB_PARTS] = {0};
    for (unsigned part = 0; part < s.lab.part_count; part++) {
        struct problem_case timed;
        struct problem_work work;
        if (!measure_variants(&s, part, variants, 3, 1, report, &wrong, &failure))
            fail_msg("%s of %s: %s", variant, lab, failure.message);
        settings_timed_case(&s, part, s.seed, &timed);
        s.lab.problem->work(&timed, &work);
        elements[part] = work.elements;
    }
    assert_true(goals_score(&s.lab, false, elements, report));
}

static void check_starter(const char *lab) {
    struct report report;
    score(lab, "starter", &report);
    if (report.score_passed || report.score_points > 0.25 * report.score_max)
        fail_msg("the starter of %s gets %g of %g points", lab, report.score_points, report.score_max);
    report_free(&report);
}

static void check_reference(const char *lab) {
    struct report report;
    score(lab, "reference", &report);
    if (!report.score_passed || report.score_points < report.score_max)
        fail_msg("the reference of %s gets %g of %g points", lab, report.score_points, report.score_max);
    report_free(&report);
}

static void check(const char *lab) {
    check_starter(lab);
    check_reference(lab);
}

/* The large labs take minutes there, and bring nothing that the others and the wrong solutions do not. */
static void skip_when_sanitised(void) {
    if (getenv("SANITIZED") == NULL)
        return;
    print_message("skipped: built with sanitisers the simulator would take minutes\n");
    skip();
}

static void test_lab1(void **state) {
    (void)state;
    check("lab1");
}

static void test_lab2(void **state) {
    (void)state;
    check("lab2");
}

static void test_lab3(void **state) {
    (void)state;
    check("lab3");
}

static void test_lab4(void **state) {
    (void)state;
    skip_when_sanitised();
    check("lab4");
}

/* Its starter is a skeleton that computes nothing, and is told so. */
static void test_lab5(void **state) {
    (void)state;
    skip_when_sanitised();
    static struct settings s;
    struct report report;
    struct judge_wrong wrong = {0};
    struct failure failure = {0};
    char program[PATH_SIZE], output[4096];
    check_reference("lab5");
    assert_true(settings_init(&s, error, sizeof error));
    s.device = DEVICE_SIM;
    assert_true(settings_resolve(&s, "lab5", error, sizeof error));
    snprintf(s.folder, sizeof s.folder, "%s", folder);
    settings_program(&s, "starter", program);
    assert_true(report_init(&report, "lab5", "T"));
    assert_false(judge_correctness(&s, program, &report, &wrong, output, sizeof output, &failure));
    assert_int_equal(report.cases_passed, 0);
    assert_non_null(strstr(wrong.verdict.hint, "Nothing was written"));
    assert_non_null(strstr(wrong.verdict.hint, "README.md"));
    report_free(&report);
}

/* The reference divides by multiplying: the same for every range and level. On the simulated GPU. */
static void test_lab5_arithmetic(void **state) {
    (void)state;
    static struct settings s;
    char command[3 * PATH_SIZE], line[128] = "";
    assert_true(settings_init(&s, error, sizeof error));
    snprintf(command, sizeof command, "LD_LIBRARY_PATH=%s/lib/cuda %s/kernels/lab5/enumerate-90", s.build,
             s.build);
    FILE *output = popen(command, "r");
    assert_non_null(output);
    bool said = fgets(line, sizeof line, output) != NULL;
    assert_int_equal(pclose(output), 0);
    assert_true(said);
    assert_string_equal(line, "2829056 combinations, 0 wrong\n");
}

static void test_lab6(void **state) {
    (void)state;
    skip_when_sanitised();
    check("lab6");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_lab1), cmocka_unit_test(test_lab2),
                                       cmocka_unit_test(test_lab3), cmocka_unit_test(test_lab4),
                                       cmocka_unit_test(test_lab5), cmocka_unit_test(test_lab5_arithmetic),
                                       cmocka_unit_test(test_lab6)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}

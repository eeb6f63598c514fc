/* Wrong solutions, each stopped or refused with the right words. On the simulated GPU. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "harness/judge.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct settings settings;
static char folder[] = "/tmp/test_wrong.XXXXXX", error[SETTINGS_ERROR];

static int set_up(void **state) {
    (void)state;
    if (!settings_init(&settings, error, sizeof error) || mkdtemp(folder) == NULL)
        return -1;
    settings.device = DEVICE_SIM;
    settings.timeout_s = 60;
    if (!settings_resolve(&settings, "lab1", error, sizeof error))
        return -1;
    snprintf(settings.folder, sizeof settings.folder, "%s", folder);
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    static const char *const names[] = {"input.png", "output.png", "difference.png", "output.txt"};
    for (size_t i = 0; i < 4; i++) {
        char path[256];
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        unlink(path);
    }
    return rmdir(folder);
}

static void expect(const char *name, const char *stage, const char *says, const char *also) {
    char program[SETTINGS_PATH + 64], output[4096], all[4096];
    struct report report;
    struct judge_wrong wrong = {0};
    struct failure failure = {{0}, {0}};
    snprintf(program, sizeof program, "%s/kernels/wrong/%s-90", settings.build, name);
    assert_true(report_init(&report, "lab1", "T"));
    assert_false(judge_correctness(&settings, program, &report, &wrong, output, sizeof output, &failure));
    assert_true(report.cases_failed > 0);
    snprintf(all, sizeof all, "%s | %s | %s", failure.message, wrong.verdict.message, wrong.verdict.hint);
    if (strcmp(failure.stage, stage) != 0 || strstr(all, says) == NULL || strstr(all, also) == NULL)
        fail_msg("%s: expected %s, '%s' and '%s'; stage %s, %s", name, stage, says, also, failure.stage, all);
    report_free(&report);
}

static void test_border(void **state) {
    (void)state;
    expect("border", "correctness", "Only the border is wrong", "Outside the image counts as 0");
}

static void test_shifted(void **state) {
    (void)state;
    expect("shifted", "correctness", "shifted by one pixel right",
           "your pixel (x, y) is the right one of (x - 1, y)");
}

static void test_rows(void **state) {
    (void)state;
    expect("rows", "correctness", "never written", "round up");
}

static void test_outside(void **state) {
    (void)state;
    expect("outside", "fault", "outside.cu:13", "cudaErrorIllegalAddress");
}

static void test_race(void **state) {
    (void)state;
    expect("race", "fault", "race.cu:21", "race on byte");
}

static void test_on_host(void **state) {
    (void)state;
    expect("on_host", "fault", "signal 11", "cannot be dereferenced on the host");
}

static void test_on_cpu(void **state) {
    (void)state;
    expect("on_cpu", "measure", "gaussian_blur copies", "computed by kernels");
}

static void test_endless(void **state) {
    (void)state;
    settings.timeout_s = 2; /* before the instruction budget is spent */
    expect("endless", "timeout", "does not end", "TIMEOUT");
    settings.timeout_s = 60;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_border),  cmocka_unit_test(test_shifted), cmocka_unit_test(test_rows),
        cmocka_unit_test(test_outside), cmocka_unit_test(test_race),    cmocka_unit_test(test_on_host),
        cmocka_unit_test(test_on_cpu),  cmocka_unit_test(test_endless),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}

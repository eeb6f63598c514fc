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

static struct settings settings, gemm_settings;
static char folder[] = "/tmp/test_wrong.XXXXXX", error[SETTINGS_ERROR];

static int set_up(void **state) {
    (void)state;
    if (!settings_init(&settings, error, sizeof error) || mkdtemp(folder) == NULL)
        return -1;
    settings.device = DEVICE_SIM;
    settings.timeout_s = 60;
    gemm_settings = settings;
    if (!settings_resolve(&gemm_settings, "lab6", error, sizeof error))
        return -1;
    snprintf(gemm_settings.folder, sizeof gemm_settings.folder, "%s", folder);
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

static void expect_of(const struct settings *s, const char *name, const char *stage, const char *says,
                      const char *also) {
    char program[SETTINGS_PATH + 64], output[4096], all[4096];
    struct report report;
    struct judge_wrong wrong = {0};
    struct failure failure = {0};
    snprintf(program, sizeof program, "%s/kernels/wrong/%s-90", s->build, name);
    assert_true(report_init(&report, "lab1", "T"));
    assert_false(judge_correctness(s, program, &report, &wrong, output, sizeof output, &failure));
    assert_true(report.cases_failed > 0);
    snprintf(all, sizeof all, "%s | %s | %s", failure.message, wrong.verdict.message, wrong.verdict.hint);
    if (strcmp(failure.stage, stage) != 0 || strstr(all, says) == NULL || strstr(all, also) == NULL)
        fail_msg("%s: expected %s, '%s' and '%s'; stage %s, %s", name, stage, says, also, failure.stage, all);
    report_free(&report);
}

static void expect(const char *name, const char *stage, const char *says, const char *also) {
    expect_of(&settings, name, stage, says, also);
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

static void test_gemm_no_beta(void **state) {
    (void)state;
    expect_of(&gemm_settings, "gemm_no_beta", "correctness", "elements of C are wrong",
              "beta * C is missing");
}

static void test_gemm_reads_c(void **state) {
    (void)state;
    expect_of(&gemm_settings, "gemm_reads_c", "correctness", "elements of C are wrong", "C never read");
}

static void test_gemm_no_ldc(void **state) {
    (void)state;
    expect_of(&gemm_settings, "gemm_no_ldc", "correctness", "elements of C are wrong", "row + column * ldc");
}

/* The stray access lies outside an exactly sized buffer: it is stopped where it happens. */
static void test_gemm_no_edge(void **state) {
    (void)state;
    expect_of(&gemm_settings, "gemm_no_edge", "fault", "gemm_no_edge.cu", "cudaErrorIllegalAddress");
}

/* On hardware this computes the right thing on most days. */
static void test_gemm_no_wait(void **state) {
    (void)state;
    expect_of(&gemm_settings, "gemm_no_wait", "fault", "asynchronous copy", "gemm_no_wait.cu:16");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_border),       cmocka_unit_test(test_shifted),
        cmocka_unit_test(test_rows),         cmocka_unit_test(test_outside),
        cmocka_unit_test(test_race),         cmocka_unit_test(test_on_host),
        cmocka_unit_test(test_on_cpu),       cmocka_unit_test(test_gemm_no_beta),
        cmocka_unit_test(test_gemm_reads_c), cmocka_unit_test(test_gemm_no_ldc),
        cmocka_unit_test(test_gemm_no_edge), cmocka_unit_test(test_gemm_no_wait),
        cmocka_unit_test(test_endless),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}

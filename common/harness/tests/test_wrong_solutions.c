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

static struct settings settings, gemm_settings, contrast_settings, increment_settings;
static char folder[] = "/tmp/test_wrong.XXXXXX", error[SETTINGS_ERROR];

static int set_up(void **state) {
    (void)state;
    if (!settings_init(&settings, error, sizeof error) || mkdtemp(folder) == NULL)
        return -1;
    settings.device = DEVICE_SIM;
    settings.timeout_s = 60;
    gemm_settings = increment_settings = settings;
    if (!settings_resolve(&increment_settings, "lab4", error, sizeof error))
        return -1;
    snprintf(increment_settings.folder, sizeof increment_settings.folder, "%s", folder);
    if (!settings_resolve(&gemm_settings, "lab6", error, sizeof error))
        return -1;
    contrast_settings = settings;
    if (!settings_resolve(&contrast_settings, "lab5", error, sizeof error))
        return -1;
    snprintf(contrast_settings.folder, sizeof contrast_settings.folder, "%s", folder);
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
    char program[SETTINGS_PATH + 64], output[4096] = "", all[8192];
    struct report report;
    struct judge_wrong wrong = {0};
    struct failure failure = {0};
    snprintf(program, sizeof program, "%s/kernels/wrong/%s-90", s->build, name);
    assert_true(report_init(&report, "lab1", "T"));
    assert_false(judge_correctness(s, program, &report, &wrong, output, sizeof output, &failure));
    assert_true(report.cases_failed > 0);
    snprintf(all, sizeof all, "%s | %s | %s | %s", failure.message, wrong.verdict.message, wrong.verdict.hint,
             output);
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

static void contrast(const char *name, const char *stage, const char *says, const char *also) {
    expect_of(&contrast_settings, name, stage, says, also);
}

static void test_contrast_signed(void **state) {
    (void)state;
    contrast("contrast_signed", "correctness", "GPU, 8 x 8: 64 of 64 pixels differ", "unsigned byte");
    contrast("contrast_cpu_signed", "correctness", "CPU, 8 x 8: 64 of 64 pixels differ", "unsigned byte");
}

static void test_contrast_pitch(void **state) {
    (void)state;
    contrast("contrast_pitch", "correctness", "16 x 8, gaps", "src[y * src_pitch + x]");
    contrast("contrast_gaps_read", "correctness", "Computed with min 0 and max 255; they are",
             "bytes between the rows");
    contrast("contrast_gaps_written", "correctness", "bytes outside the image were written",
             "dst_pitch - width");
}

static void test_contrast_arithmetic(void **state) {
    (void)state;
    contrast("contrast_one_level", "correctness", "1 x 1", "max - min is 0");
    contrast("contrast_rounding", "correctness", "Every result is rounded down", "a half up");
    contrast("contrast_tail", "correctness", "Computed with", "Does the reduction see every pixel");
}

static void test_contrast_host(void **state) {
    (void)state;
    contrast("contrast_on_host", "measure", "contrast copies", "computed by kernels");
    contrast("contrast_no_cpu", "fault", "contrast_cpu: there is no such function", "extern \"C\"");
}

/* A read-back of a few bytes between the passes is slow, and allowed. */
static void test_contrast_read_back(void **state) {
    (void)state;
    char program[SETTINGS_PATH + 64], output[4096];
    struct report report;
    struct judge_wrong wrong = {0};
    struct failure failure = {0};
    snprintf(program, sizeof program, "%s/kernels/wrong/contrast_read_back-90", contrast_settings.build);
    assert_true(report_init(&report, "lab5", "T"));
    if (!judge_correctness(&contrast_settings, program, &report, &wrong, output, sizeof output, &failure))
        fail_msg("%s", failure.message);
    report_free(&report);
}

static void test_increment_no_tail(void **state) {
    (void)state;
    expect_of(&increment_settings, "increment_no_tail", "correctness", "part A: ", "The tail is missing");
}

/* The stray access lies outside an exactly sized buffer: it is stopped where it happens. */
static void test_increment_past_end(void **state) {
    (void)state;
    expect_of(&increment_settings, "increment_past_end", "fault", "increment_past_end.cu:7",
              "cudaErrorIllegalAddress");
}

static void test_increment_unaligned(void **state) {
    (void)state;
    expect_of(&increment_settings, "increment_unaligned", "fault", "increment_unaligned.cu:9",
              "cudaErrorMisalignedAddress");
}

static void test_increment_reversed(void **state) {
    (void)state;
    expect_of(&increment_settings, "increment_reversed", "correctness",
              "part B: ", "coefficients are taken in the reverse order");
}

static void test_increment_half(void **state) {
    (void)state;
    expect_of(&increment_settings, "increment_half", "correctness",
              "part B: ", "further off than single precision");
}

static void test_increment_missing(void **state) {
    (void)state;
    expect_of(&increment_settings, "increment_missing", "correctness", "part B: 8 of 8 elements are wrong",
              "kernel.cu has no function polynomial");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_border),
        cmocka_unit_test(test_shifted),
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_outside),
        cmocka_unit_test(test_race),
        cmocka_unit_test(test_on_host),
        cmocka_unit_test(test_on_cpu),
        cmocka_unit_test(test_gemm_no_beta),
        cmocka_unit_test(test_gemm_reads_c),
        cmocka_unit_test(test_gemm_no_ldc),
        cmocka_unit_test(test_gemm_no_edge),
        cmocka_unit_test(test_gemm_no_wait),
        cmocka_unit_test(test_endless),
        cmocka_unit_test(test_contrast_signed),
        cmocka_unit_test(test_contrast_pitch),
        cmocka_unit_test(test_contrast_arithmetic),
        cmocka_unit_test(test_contrast_host),
        cmocka_unit_test(test_contrast_read_back),
        cmocka_unit_test(test_increment_no_tail),
        cmocka_unit_test(test_increment_past_end),
        cmocka_unit_test(test_increment_unaligned),
        cmocka_unit_test(test_increment_reversed),
        cmocka_unit_test(test_increment_half),
        cmocka_unit_test(test_increment_missing),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}

/* Counting under ncu: a stand-in for ncu runs the program it is given, as ncu would, and prints a table. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "harness/profiler.h"
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static struct settings settings;
static char folder[] = "/tmp/test_profiler.XXXXXX", program[PATH_MAX], error[SETTINGS_ERROR];

static int set_up(void **state) {
    (void)state;
    const char *build = getenv("BUILD");
    char relative[512], path[4096];
    snprintf(relative, sizeof relative, "%s/tests/harness/fake-runner", build != NULL ? build : "build");
    if (mkdtemp(folder) == NULL || realpath(relative, program) == NULL ||
        !settings_init(&settings, error, sizeof error))
        return -1;
    snprintf(settings.folder, sizeof settings.folder, "%s", folder);
    snprintf(path, sizeof path, "%s:%s", folder, getenv("PATH"));
    return setenv("PATH", path, 1);
}

static void remove_file(const char *name) {
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    unlink(path);
}

static int tear_down(void **state) {
    (void)state;
    remove_file("ncu");
    remove_file("ncu.txt");
    remove_file("seen");
    return rmdir(folder); /* fails when a case is left behind */
}

/* ncu as a shell script: its last argument is the program. */
static void make_ncu(const char *after) {
    char path[256];
    snprintf(path, sizeof path, "%s/ncu", folder);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file,
            "#!/bin/sh\n"
            "echo \"$@\" > %s/seen\n"
            "for last; do :; done\n"
            "echo '==PROF== Connected to process 1'\n"
            "echo 'a line the program printed'\n"
            "\"$last\" || exit 1\n"
            "%s\n",
            folder, after);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(chmod(path, 0755), 0);
}

static bool count(struct kernel_report **kernels, unsigned *launches) {
    struct problem_case c = {.name = "test", .size = {33, 17}, .key = {{5}}, .pattern = PATTERN_NOISE};
    struct trial t;
    assert_true(trial_create(&t, problem_find("gaussian_blur"), &c));
    bool right = profiler_count(&settings, program, &t, kernels, launches);
    trial_free(&t);
    return right;
}

static void test_counts(void **state) {
    (void)state;
    struct kernel_report *kernels;
    unsigned launches;
    setenv("FAKE", "right", 1);
    make_ncu("echo '\"ID\",\"Kernel Name\",\"Block Size\",\"Grid Size\",\"gpu__time_duration.sum\","
             "\"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum\"'\n"
             "echo '\"\",\"\",\"\",\"\",\"ns\",\"\"'\n"
             "echo '\"0\",\"blur(int)\",\"(32, 2, 1)\",\"(80, 800, 1)\",\"56384\",\"6,265,280\"'\n"
             "echo '==PROF== Disconnected'");
    assert_true(count(&kernels, &launches));
    assert_int_equal(launches, 1);
    assert_int_equal(kernels[0].grid[1], 800);
    assert_int_equal(kernels[0].counters.global_load_requests, 6265280);
    assert_true(kernels[0].known[COUNTER_global_load_requests]);
    assert_false(kernels[0].known[COUNTER_shared_load_requests]);
    assert_true(kernels[0].time_us > 56.38 && kernels[0].time_us < 56.39);
    kernel_report_free(&kernels[0]);
    free(kernels);
}

static void test_failures(void **state) {
    (void)state;
    struct kernel_report *kernels;
    unsigned launches;
    setenv("FAKE", "right", 1);
    make_ncu("echo '==ERROR== ERR_NVGPUCTRPERM'"); /* no table: not permitted */
    assert_false(count(&kernels, &launches));
    make_ncu("exit 1");
    assert_false(count(&kernels, &launches));
    make_ncu("echo '\"damaged"); /* a shell error and half a table */
    assert_false(count(&kernels, &launches));
    setenv("FAKE", "cuda-error", 1); /* the replayed kernel faults */
    make_ncu("exit 0");
    assert_false(count(&kernels, &launches));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_counts), cmocka_unit_test(test_failures)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}

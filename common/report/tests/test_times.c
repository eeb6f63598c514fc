/* test_times.c: errors are computed and summed for each half alone. */
#include "report/ncu/times.h"
#include "report/tests/support_analysis.h"

#include <math.h>

static const char recording_text[] =
    "# Taken: today\n"
    "program,kernel,grid,gpu__time_duration.sum,smsp__inst_executed.sum,dram__bytes_read.sum,"
    "smsp__average_warps_issue_stalled_selected_per_issue_active.ratio,"
    "smsp__average_warps_issue_stalled_wait_per_issue_active.ratio,"
    "smsp__average_warps_issue_stalled_barrier_per_issue_active.ratio\n"
    ",unit,,ns,,byte,,,\n"
    "a,one,1 1 1,100000,1000,0,9,1,2\n"
    "a,two,1 1 1,50000,1000,64,9,3,2\n"
    "a,three,1 1 1,20000,1000,64,9,3,2\n"
    "a,absent,1 1 1,20000,1000,64,9,3,2\n";
static const char split_text[] = "kernel,half\none,fitting\ntwo,held back\nthree,fitting\nabsent,fitting\n";

static void parsed(struct csv *csv, const char *text) {
    char error[256];
    assert_true(csv_parse(csv, text, strlen(text), "x", error, sizeof error));
}

static void made(struct report *report) {
    static const char *const names[] = {"one", "two", "three"};
    assert_true(report_init(report, "run", "x"));
    struct report_run *run = report_add_run(report, "run");
    for (int i = 0; i < 3; i++) {
        struct kernel_report *kernel = report_run_add_kernel(run);
        kernel->name = strdup(names[i]);
        memset(kernel->known, true, sizeof kernel->known);
        kernel->time_us = i == 0 ? 109 : i == 1 ? 100 : 10;
        kernel->counters.warp_instructions = 1500;
        kernel->counters.dram_read_bytes = 32;
        kernel->limiter = GPU_DRAM;
        kernel->waits.known = true;
        kernel->waits.share[GPU_STALL_SELECTED] = 0.5;
        kernel->waits.share[GPU_STALL_BARRIER] = 0.3;
        kernel->waits.share[GPU_STALL_WAIT] = 0.2;
    }
}

static char *printed(enum times_half half, const char *split_of, struct times_summary *summary, bool *right) {
    ENDED(csv_free) struct csv recording, split;
    ENDED(report_free) struct report report;
    char *text = NULL, error[256] = "";
    size_t size = 0;
    parsed(&recording, recording_text);
    parsed(&split, split_of);
    made(&report);
    FILE *to = open_memstream(&text, &size);
    assert_non_null(to);
    *right = times_print(to, half, &recording, &split, &report, 1, summary, error, sizeof error);
    fclose(to);
    if (!*right)
        assert_non_null(strstr(error, "neither half"));
    return text;
}

static void test_fitting(void **state) {
    struct times_summary summary;
    bool right;
    FREED char *text = printed(TIMES_FITTING, split_text, &summary, &right);
    assert_true(right);
    assert_int_equal(summary.kernels, 2);
    assert_int_equal(summary.not_modelled, 1);
    assert_int_equal(summary.not_recorded, 0);
    assert_true(fabs(summary.mean - (0.09 + 0.5) / 2) < 1e-9);
    assert_true(fabs(summary.worst - 0.5) < 1e-9);
    assert_string_equal(summary.worst_name, "three");
    assert_int_equal(summary.within_10, 1);
    assert_int_equal(summary.within_35, 1);
    assert_int_equal(summary.stalls, 2);
    assert_int_equal(summary.same_stall, 1);
    assert_non_null(strstr(text, "is what ncu finds in 1 of 2 (50 %)"));
    assert_non_null(
        strstr(text, "| one | 100.0 | 109.0 | +9 % | dram | barrier | the same | 1.50 | | | | none |\n"));
    assert_non_null(
        strstr(text, "| three | 20.0 | 10.0 | -50 % | dram | wait | barrier | 1.50 | | | | 0.50 |\n"));
    assert_null(strstr(text, "two"));
}

static void test_held_back(void **state) {
    struct times_summary summary;
    bool right;
    FREED char *text = printed(TIMES_HELD_BACK, split_text, &summary, &right);
    assert_true(right);
    assert_int_equal(summary.kernels, 1);
    assert_true(fabs(summary.mean - 1) < 1e-9);
    assert_null(strstr(text, "three"));
}

/* A kernel that is not measured yet is counted, and no error. */
static void test_not_recorded(void **state) {
    static const char split_of[] =
        "kernel,half\none,fitting\ntwo,fitting\nthree,fitting\nabsent,fitting\nnew,held back\n";
    struct times_summary summary;
    bool right;
    FREED char *text = printed(TIMES_HELD_BACK, split_of, &summary, &right);
    assert_true(right);
    assert_int_equal(summary.kernels, 0);
    assert_int_equal(summary.not_recorded, 1);
    assert_non_null(strstr(text, "1 kernels are not recorded.\n"));
    assert_non_null(strstr(text, "No kernel could be compared.\n"));
    assert_null(strstr(text, "| new"));
    free(printed(TIMES_FITTING, split_of, &summary, &right));
    assert_true(right);
    assert_int_equal(summary.kernels, 3);
    assert_int_equal(summary.not_recorded, 0);
}

static void test_every_kernel_is_in_a_half(void **state) {
    struct times_summary summary;
    bool right;
    free(printed(TIMES_FITTING, "kernel,half\none,fitting\ntwo,held back\nabsent,fitting\n", &summary,
                 &right));
    assert_false(right);
    free(printed(TIMES_FITTING, "kernel,half\none,both\n", &summary, &right));
    assert_false(right);
}

/* A shell's exit status, with BUILD set. */
static int shell(const char *command) {
    assert_int_equal(setenv("BUILD", "build", 0), 0);
    return system(command);
}

/* Every recorded kernel has its program in the folder or archive; some are held back. */
static void test_split(void **state) {
    assert_int_equal(shell("test $(grep -c ',held back' $BUILD/validation/split.csv) -ge 40"), 0);
    assert_int_equal(
        shell("for k in $(grep -v '^[#,]' common/gpu/time/validation/h200.csv | sed 1d | cut -d, -f2); do "
              "grep -q \"^$k,\" $BUILD/validation/split.csv || exit 1; done"),
        0);
}

/* The mean error of the time model on the programs in the folder is 5.4 %. */
static void test_regression(void **state) {
    if (getenv("SANITIZED") != NULL ||
        shell("common/tools/find-cuda version 2>/dev/null | grep -q '^13\\.'") != 0) {
        print_message("skipped: the recording is of nvcc 13's code, and a sanitised simulator is slow\n");
        skip();
    }
    static const char *const most[] = {"6", "1"};
    for (int i = 0; i < 2; i++) {
        char command[512];
        snprintf(
            command, sizeof command,
            "set --; for f in common/gpu/time/validation/*.cu; do set -- \"$@\" $BUILD/validation/$(basename $f .cu).json; done; "
            "$BUILD/bin/compare-times --check %s common/gpu/time/validation/h200.csv $BUILD/validation/split.csv \"$@\" "
            "2>&1 >$BUILD/TIMES.tested.md",
            most[i]);
        assert_int_equal(shell(command) == 0, i == 0);
    }
}

TESTS(UNIT(test_fitting), UNIT(test_held_back), UNIT(test_not_recorded), UNIT(test_every_kernel_is_in_a_half),
      UNIT(test_split), UNIT(test_regression))

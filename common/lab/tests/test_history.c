/* The learner's runs: what is kept, what is compared, and what a damaged file loses. */
#include "support_lab.h"

#include "base/file.h"
#include "lab/learner/history.h"

#define OWN_FOLDER "labs/lab1-memory-layout"

/* Settings whose learner and whose kernel are this test's. */
static int set_up(void **state) {
    if (make_folder(state) != 0)
        return -1;
    resolve_lab(&settings, "lab1");
    snprintf(settings.keep, sizeof settings.keep, "%s", folder);
    snprintf(settings.root, sizeof settings.root, "%s", folder);
    return 0;
}

static struct report measured(double time_us, uint32_t width) {
    struct report report;
    assert_true(report_init(&report, "lab1", "T"));
    assert_true(report_set_device(&report, DEVICE_SIM, "NVIDIA H200", "h200", "13.0"));
    report.problem = (struct report_problem){width, 1600, 1, NULL};
    assert_true(report_add_case(&report, "1x1", true, NULL));
    const char *const names[] = {"starter", "yours"};
    for (int i = 0; i < 2; i++) {
        struct report_run *run = report_add_run(&report, names[i]);
        assert_non_null(run);
        run->time_source = TIME_MODEL;
        run->time_us = i == 0 ? 100 : time_us;
    }
    report.score_points = 10;
    report.score_max = 100;
    return report;
}

static void keep(const char *source, double time_us, uint32_t width) {
    ENDED(report_free) struct report report = measured(time_us, width);
    put(OWN_FOLDER, "kernel.cu", source);
    if (!history_keep(&settings, &report, error, sizeof error))
        fail_msg("%s", error);
}

/* What is told after the run of this kernel, of this time; false: nothing. */
static bool compared(const char *source, double time_us, uint32_t width, struct changes *changes) {
    ENDED(report_free) struct report report = measured(time_us, width);
    keep(source, time_us, width);
    return history_changes(&settings, &report, changes);
}

static void the_last_other_kernel_is_compared(void **state) {
    struct changes changes;
    assert_false(compared("one\n", 100, 2560, &changes)); /* the first */
    assert_false(compared("one\n", 100, 2560, &changes)); /* the same again: nothing to tell, kept once */
    assert_true(compared("two\n", 50, 2560, &changes));
    assert_string_equal(changes.items[0].text, "time 100.0 us -> 50.00 us, 2.00x faster");
    assert_int_equal(changes.past_count, 2);
    assert_true(compared("two\n", 50, 2560, &changes)); /* shown again: still beside the one before */
    assert_int_equal(changes.past_count, 2);
    assert_false(compared("three\n", 1, 64, &changes)); /* another problem */
    assert_true(compared("four\n", 25, 2560, &changes));
    assert_string_equal(changes.items[0].text, "time 50.00 us -> 25.00 us, 2.00x faster");
    assert_int_equal(changes.past_count, 3);
    assert_true(changes.past[0].time_us == 100 && changes.past[2].time_us == 25);
}

static void a_damaged_line_is_left_out(void **state) {
    struct changes changes;
    put(OWN_FOLDER, ".history.jsonl",
        "{\"when\": \"cut of\n[]\n{\"when\": 1, \"source\": 2, \"report\": 3}\n"
        "{\"when\": \"x\", \"source\": \"y\", \"report\": {}}\n");
    assert_false(compared("one\n", 100, 2560, &changes));
    assert_true(compared("two\n", 50, 2560, &changes));
}

static void only_so_many_are_kept(void **state) {
    struct changes changes;
    char source[32];
    put(OWN_FOLDER, ".history.jsonl", "");
    for (int i = 0; i < HISTORY_MOST + 3; i++) {
        snprintf(source, sizeof source, "kernel %d\n", i);
        keep(source, 100 + i, 2560);
    }
    char path[PATH_SIZE];
    path_print(path, "%s/labs/lab1-memory-layout/.history.jsonl", folder);
    FREED char *text = file_read(path, 1 << 24, NULL, error, sizeof error);
    assert_non_null(text);
    int lines = 0;
    for (const char *at = text; *at != '\0'; at++)
        lines += *at == '\n';
    assert_int_equal(lines, HISTORY_MOST);
    assert_true(compared("last\n", 1, 2560, &changes));
    assert_int_equal(changes.past_count, PAST_MOST);
}

static void a_run_that_failed_is_not_kept(void **state) {
    ENDED(report_free) struct report report = measured(1, 2560);
    put(OWN_FOLDER, ".history.jsonl", "");
    assert_true(report_set_failure(&report, STAGE_CORRECTNESS, "why"));
    assert_true(history_keep(&settings, &report, error, sizeof error));
    char path[PATH_SIZE];
    path_print(path, "%s/labs/lab1-memory-layout/.history.jsonl", folder);
    FREED char *text = file_read(path, 100, NULL, error, sizeof error);
    assert_string_equal(text, "");
}

TESTS_BETWEEN(set_up, remove_folder, UNIT(the_last_other_kernel_is_compared),
              UNIT(a_damaged_line_is_left_out), UNIT(only_so_many_are_kept),
              UNIT(a_run_that_failed_is_not_kept))

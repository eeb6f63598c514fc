/* What measures of goals compute from a report's kernels. */
#include "base/test.h"
#include "lab/judge/goals.h"
#include <math.h>

/* The largest busiest part of any kernel; waves of the longest one, the last counted whole, and why its warps wait. Where one does not know its
 * code, nothing is known. */
static void test_code_and_waves(void **state) {
    struct report report;
    assert_true(report_init(&report, "lab9", "T"));
    struct report_run *run = report_add_run(&report, "yours");
    assert_non_null(run);
    assert_non_null(report_run_add_kernel(run));
    assert_non_null(report_run_add_kernel(run));
    run->kernels[0].time_us = 50;
    run->kernels[1].time_us = 70;
    run->kernels[0].waves = 3.5;
    run->kernels[1].waves = 1.4;
    run->kernels[0].hot_code_bytes = 4096;
    run->kernels[1].hot_code_bytes = 512;
    run->kernels[0].code_known = true;
    struct goals_runs runs = {.yours = run};
    assert_true(isnan(goals_value(MEASURE_HOT_CODE, &runs)));
    run->kernels[1].code_known = true;
    assert_true(goals_value(MEASURE_HOT_CODE, &runs) == 4096);
    assert_true(goals_value(MEASURE_WAVES, &runs) == 2);
    run->kernels[1].waves = 1;
    assert_true(goals_value(MEASURE_WAVES, &runs) == 1);
    run->kernels[0].waits.known = true;
    assert_true(isnan(goals_value(MEASURE_NO_INSTRUCTION, &runs)));
    run->kernels[1].waits.known = true;
    run->kernels[0].waits.share[GPU_STALL_NO_INSTRUCTION] = 0.5;
    run->kernels[1].waits.share[GPU_STALL_NO_INSTRUCTION] = 0.25;
    assert_true(goals_value(MEASURE_NO_INSTRUCTION, &runs) == 0.25);
    report_free(&report);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_code_and_waves)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

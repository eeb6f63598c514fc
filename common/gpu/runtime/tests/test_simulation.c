/* test_simulation.c: what a model makes of the simulator, and what a launch makes of a report. */
#include "base/test.h"
#include "gpu/runtime/server/launch_report.h"

#include <math.h>

static void config_follows_the_model(void **state) {
    struct gpu_model model;
    char error[512] = "";
    if (!gpu_model_load(NULL, "h200", &model, error, sizeof error))
        fail_msg("%s", error);
    struct simt_config config;
    simulation_config(&model, &config);
    assert_int_equal(config.sm_count, 132);
    assert_int_equal(config.shared_per_block, 227 * 1024);
    assert_int_equal(config.shared_per_block_static, 48 * 1024);
    assert_int_equal(config.clock_khz, 1980000);
    assert_int_equal(config.l2_bytes, 36 << 20); /* what of 60 MB holds different data */
    model.l2_bytes = (uint64_t)5 << 32;          /* more than the simulator counts */
    simulation_config(&model, &config);
    assert_int_equal(config.l2_bytes, UINT32_MAX);
}

static void report_follows_the_launch(void **state) {
    struct simt_line lines[] = {
        {.file = "kernel.cu",
         .line = 7,
         .kind = LINE_SHARED_STORE,
         .requests = 3,
         .transactions = 6,
         .ideal = 4},
        {.line = 9, .kind = LINE_BRANCH, .requests = 5, .threads = 80},
    };
    struct simt_result result = {.counters.warp_instructions = 42, .line_count = 2, .lines = lines};
    struct simt_launch launch = {.grid = {3, 2, 1}, .block = {32, 4, 1}, .dynamic_shared = 512};
    struct gpu_time time = {.time_us = 4, .limiter = GPU_DRAM, .unit_us[GPU_DRAM] = 3};
    struct kernel_report report;
    assert_true(simulation_report(&report, "blur", &launch, &result, &time));
    assert_string_equal(report.name, "blur");
    assert_int_equal(report.limiter, GPU_DRAM);
    assert_int_equal(report.time_source, TIME_MODEL);
    assert_int_equal(report.grid[1], 2);
    assert_int_equal(report.block[1], 4);
    assert_int_equal(report.shared_bytes, 512);
    assert_true(fabs(report.unit_share[GPU_DRAM] - 0.75) < 1e-12);
    assert_true(report.known[COUNTER_warp_instructions] && report.known[COUNTER_COUNT - 1]);
    assert_int_equal(report.counters.warp_instructions, 42);
    assert_int_equal(report.line_count, 2);
    assert_int_equal(report.lines[0].kind, LINE_SHARED_STORE);
    assert_string_equal(report.lines[0].file, "kernel.cu");
    assert_int_equal(report.lines[0].transactions, 6);
    assert_int_equal(report.lines[0].ideal, 4);
    assert_string_equal(report.lines[1].file, "");
    assert_int_equal(report.lines[1].threads, 80);
    kernel_report_free(&report);

    time.time_us = 0; /* nothing ran: no share of it is known */
    result.line_count = 0;
    assert_true(simulation_report(&report, "nothing", &launch, &result, &time));
    assert_true(isnan(report.unit_share[GPU_DRAM]));
    kernel_report_free(&report);
}

TESTS(UNIT(config_follows_the_model), UNIT(report_follows_the_launch))

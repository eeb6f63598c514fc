/* test_compare.c: equal, within and outside a bound; missing counters; the order of times. */
#include "report/ncu/compare.h"
#include "report/tests/support_analysis.h"

static const char recording_text[] =
    "# Taken: today\n"
    "kernel,launch,grid,block,gpu__time_duration.sum,l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum,"
    "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum,l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum,"
    "lts__t_sectors_srcunit_tex_op_read.sum\n"
    "unit,,,,ns,,sector,,sector\n"
    "step-0,1,1 1 1,32 1 1,100000,1000,4000,0,500\n"
    "step-1a,1,1 1 1,32 1 1,50000,1000,2000,100,500\n"
    "step-2.2,1,1 1 1,32 1 1,10000,1,22,1,1\n"
    "step-9,1,1 1 1,32 1 1,10000,1,1,1,1\n"
    "copy-4,1,1 1 1,32 1 1,10000,1,1,1,1\n";

struct outcome {
    struct compare_summary summary;
    char *text;
};

static struct outcome compared(double second_time, uint64_t sectors, uint64_t wavefronts, uint64_t l2) {
    ENDED(ncu_free) struct ncu_launches recording;
    char error[256];
    assert_true(ncu_read(&recording, recording_text, strlen(recording_text), "x", error, sizeof error));
    struct report report;
    assert_true(report_init(&report, "lab1", "x"));
    const char *names[] = {"step 0", "step 1a"};
    for (int i = 0; i < 2; i++) {
        struct kernel_report *kernel = report_run_add_kernel(report_add_run(&report, names[i]));
        memset(kernel->known, true, sizeof kernel->known);
        kernel->time_us = i == 0 ? 110 : second_time;
        kernel->counters.global_load_requests = 1000;
        kernel->counters.global_load_sectors = i == 0 ? 4000 : sectors;
        kernel->counters.shared_load_wavefronts = i == 0 ? 0 : wavefronts;
        kernel->counters.l2_read_sectors = i == 0 ? 500 : l2;
    }
    struct report_run *two = report_add_run(&report, "step 2"); /* two launches; the second is held back */
    for (int i = 0; i < 2; i++) {
        struct kernel_report *kernel = report_run_add_kernel(two);
        memset(kernel->known, true, sizeof kernel->known);
        kernel->time_us = 11;
        kernel->counters = (struct counters){
            .global_load_requests = 1, .global_load_sectors = 21 + (uint64_t)i, .l2_read_sectors = 1};
        kernel->counters.shared_load_wavefronts = 1;
    }
    struct outcome outcome = {0};
    size_t size = 0;
    FILE *to = open_memstream(&outcome.text, &size);
    assert_non_null(to);
    compare_print(to, "lab1, 2 x 1", &recording, "Taken: today", &report, 1, &outcome.summary);
    fclose(to);
    report_free(&report);
    return outcome;
}

static void all_within(void **state) {
    struct outcome outcome = compared(55, 2000, 102, 549);
    assert_int_equal(outcome.summary.kernels, 3);
    assert_int_equal(outcome.summary.unequal, 0);
    assert_int_equal(outcome.summary.outside, 0);
    assert_float_equal(outcome.summary.mean_error, 0.1, 1e-9);
    assert_int_equal(outcome.summary.swapped, 0);
    assert_non_null(strstr(outcome.text, "All pairs come in the measured order."));
    assert_non_null(strstr(outcome.text, "## lab1, 2 x 1\n"));
    assert_non_null(strstr(outcome.text, "> Taken: today"));
    assert_non_null(strstr(outcome.text, "| global load sectors | 22 | 22 | 1.0000 | equal |"));
    assert_non_null(strstr(outcome.text, "| global load sectors | 2000 | 2000 | 1.0000 | equal |"));
    assert_non_null(strstr(outcome.text, "| L2 read sectors | 549 | 500 | 1.0980 | within 10 % |"));
    assert_non_null(strstr(outcome.text, "### step-9\n\nNo report"));
    assert_null(strstr(outcome.text, "copy-4"));
    free(outcome.text);
}

static void each_bound_is_kept(void **state) {
    struct outcome outcome = compared(55, 2001, 100, 500);
    assert_int_equal(outcome.summary.unequal, 1);
    assert_int_equal(outcome.summary.unequal_global, 1);
    assert_int_equal(outcome.summary.outside, 0);
    free(outcome.text);
    outcome = compared(55, 2000, 103, 500);
    assert_int_equal(outcome.summary.unequal, 0);
    assert_int_equal(outcome.summary.outside, 1);
    free(outcome.text);
    outcome = compared(55, 2000, 100, 551);
    assert_int_equal(outcome.summary.outside, 1);
    assert_non_null(strstr(outcome.text, "**outside** 10 %"));
    free(outcome.text);
    outcome = compared(120, 2000, 100, 500);
    assert_int_equal(outcome.summary.swapped, 1);
    assert_non_null(strstr(outcome.text, "step-0 to step-1a: measured -50.0 %, modelled +9.1 %."));
    free(outcome.text);
}

TESTS(UNIT(all_within), UNIT(each_bound_is_kept))

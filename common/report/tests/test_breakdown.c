/* test_breakdown.c: tables and roofline of kernels with figures that are easy to compute. */
#include "report/tests/support_analysis.h"
#include "report/writers/breakdown.h"

static struct gpu_model model;

static int load(void **state) {
    char error[256];
    return gpu_model_load(NULL, "h200", &model, error, sizeof error) ? 0 : 1;
}

/* A kernel of 10 us with all counters known. */
static struct kernel_report *add(struct report_run *run, const char *name, double time_us) {
    struct kernel_report *kernel = report_run_add_kernel(run);
    assert_non_null(kernel);
    kernel->name = strdup(name);
    kernel->time_us = time_us;
    memset(kernel->known, true, sizeof kernel->known);
    return kernel;
}

static void memory_rates(void **state) {
    struct report report;
    assert_true(report_init(&report, "lab0", "x"));
    struct kernel_report *kernel = add(report_add_run(&report, "yours"), "k", 10);
    struct memory_use levels[MEMORY_LEVELS];
    kernel->counters.global_load_requests = 1000;
    kernel->counters.global_load_sectors = 4000;
    kernel->counters.l1_hit_sectors = 1000;
    kernel->counters.l2_read_sectors = 3000;
    kernel->counters.dram_read_bytes = 22000000; /* 2,200 GB/s: half of the peak */
    memory_use(kernel, &model, levels);
    assert_false(levels[MEMORY_SHARED].used);
    assert_false(levels[MEMORY_LOCAL].used);
    assert_int_equal(levels[MEMORY_L1].transactions, 4000);
    assert_float_equal(levels[MEMORY_L1].hits, 0.25, 1e-9);
    assert_float_equal(levels[MEMORY_L2].bytes, 96000, 1e-9);
    assert_float_equal(levels[MEMORY_DRAM].gbs / levels[MEMORY_DRAM].peak_gbs, 0.5, 1e-9);
    struct table_row row;
    memory_row(&row, &levels[MEMORY_DRAM]);
    assert_string_equal(row.cell[MEMORY_CELL_RATE], "2,200");
    assert_string_equal(row.cell[MEMORY_CELL_SHARE], "50 %");
    assert_string_equal(row.cell[MEMORY_CELL_TRANSACTIONS], "-");
    /* Unknown is not 0. */
    kernel->known[COUNTER_dram_write_bytes] = false;
    memory_use(kernel, &model, levels);
    assert_false(levels[MEMORY_DRAM].used);
    report_free(&report);
}

static void mix_is_sorted_and_whole(void **state) {
    struct report report;
    struct mix mix;
    assert_true(report_init(&report, "lab0", "x"));
    struct kernel_report *kernel = add(report_add_run(&report, "yours"), "k", 10);
    assert_false(instruction_mix(kernel, &mix));
    kernel->counters.warp_instructions = 100;
    kernel->counters.inst_memory = 20;
    kernel->counters.inst_int = 70;
    kernel->counters.inst_int_multiply = 30; /* of these: not counted twice */
    assert_true(instruction_mix(kernel, &mix));
    assert_int_equal(mix.count, 3);
    assert_string_equal(mix.classes[0].name, "integer");
    assert_string_equal(mix.classes[2].name, "other");
    assert_int_equal(mix.classes[2].instructions, 10);
    assert_float_equal(mix.classes[0].share, 0.7, 1e-9);
    report_free(&report);
}

/* 22 MB of DRAM in 10 us reach half of that roof; the arithmetic roof is far above. */
static void the_lowest_roof_counts(void **state) {
    struct report report;
    struct roofline roofline;
    struct roofline_point point;
    assert_true(report_init(&report, "lab0", "x"));
    struct report_run *run = report_add_run(&report, "yours");
    struct kernel_report *kernel = add(run, "k", 10);
    kernel->counters.warp_instructions = 1000;
    kernel->counters.thread_instructions = 32000;
    kernel->counters.fp32_flops = 22000;
    kernel->counters.dram_read_bytes = 22000000;
    assert_false(roofline_of(run, NULL, &roofline));
    assert_true(roofline_of(run, &model, &roofline));
    assert_true(roofline.flops);
    assert_true(roofline_point(&roofline, run, &point));
    assert_int_equal(point.roof, MEMORY_DRAM);
    assert_float_equal(point.reached, 0.5, 1e-9);
    assert_float_equal(point.intensity[MEMORY_DRAM], 0.001, 1e-12);
    assert_float_equal(point.intensity[MEMORY_L2], 0, 1e-12);
    kernel->counters.fp32_flops = 10; /* too few: the work is instructions */
    assert_true(roofline_of(run, &model, &roofline));
    assert_false(roofline.flops);
    report_free(&report);
}

static void ranking_adds_launches_up(void **state) {
    struct report report;
    struct ranked ranked[RANKED_MOST];
    assert_true(report_init(&report, "run", "x"));
    struct report_run *run = report_add_run(&report, "program");
    assert_int_equal(rank_kernels(run, ranked), 0);
    add(run, "small", 10);
    add(run, "often", 20);
    add(run, "often", 40);
    add(run, "often", 30);
    assert_int_equal(rank_kernels(run, ranked), 2);
    assert_string_equal(ranked[0].name, "often");
    assert_int_equal(ranked[0].launches, 3);
    assert_int_equal(ranked[0].longest, 2);
    assert_float_equal(ranked[0].share, 0.9, 1e-9);
    assert_float_equal(ranked[0].limit, 10, 1e-9);
    assert_float_equal(ranked[1].limit, 100.0 / 90, 1e-9);
    report_free(&report);
}

TESTS_BETWEEN(load, NULL, UNIT(memory_rates), UNIT(mix_is_sorted_and_whole), UNIT(the_lowest_roof_counts),
              UNIT(ranking_adds_launches_up))

/* test_bands.c: how far a run's modelled time may be off, and which two are not apart. */
#include "base/test.h"
#include "report/document/report.h"
#include "report/writers/format.h"

#include <math.h>

static struct report report;

static int begin(void **state) {
    return report_init(&report, "lab1", "T") && report_add_run(&report, "a") != NULL &&
                   report_add_run(&report, "b") != NULL
               ? 0
               : -1;
}

static int end(void **state) {
    report_free(&report);
    return 0;
}

static void add(struct report_run *run, double us, double band) {
    struct kernel_report *kernel = report_run_add_kernel(run);
    assert_non_null(kernel);
    kernel->time_us = us;
    kernel->band = band;
    kernel->band_known = true;
    kernel->kind = GPU_KIND_ATOMICS;
    kernel->name = strdup("kernel");
    run->time_us = (isfinite(run->time_us) ? run->time_us : 0) + us;
    run->time_source = TIME_MODEL;
}

/* Kernels of one program are off the same way: bands are weighted by times, not added as squares. */
static void a_run_has_the_bands_of_its_kernels(void **state) {
    struct report_run *run = &report.runs[0];
    run_set_band(run);
    assert_true(isnan(run->band)); /* of a copy nothing is known */
    add(run, 30, 0.1);
    run_set_band(run);
    assert_float_equal(run->band, 0.1, 1e-12);
    add(run, 10, 0.5);
    run_set_band(run);
    assert_float_equal(run->band, 0.2, 1e-12);
    run->time_us = 44; /* 4 of them copies */
    run_set_band(run);
    assert_float_equal(run->band, 0.2, 1e-12);
    run->time_us = 45;
    run_set_band(run);
    assert_true(isnan(run->band));
    run->time_us = 30; /* two streams */
    run_set_band(run);
    assert_float_equal(run->band, 0.2, 1e-12);
    run->time_source = TIME_EVENT;
    run_set_band(run);
    assert_true(isnan(run->band));
    run->time_source = TIME_MODEL;
    run->kernels[1].band_known = false;
    run_set_band(run);
    assert_true(isnan(run->band));
}

static void near_times_are_not_apart(void **state) {
    struct report_run *a = &report.runs[0], *b = &report.runs[1];
    add(a, 100, 0.42);
    add(b, 104, 0.42);
    run_set_band(a);
    run_set_band(b);
    assert_false(report_not_apart(&report, a, b)); /* measured, or an older report */
    report.device.apart = 0.05;
    assert_true(report_not_apart(&report, a, b));
    assert_true(report_not_apart(&report, b, a));
    b->time_us = 106;
    assert_false(report_not_apart(&report, a, b));
    b->time_us = 100;
    assert_true(report_not_apart(&report, a, b));
    b->time_source = TIME_EVENT;
    assert_false(report_not_apart(&report, a, b));
}

static void bands_come_back(void **state) {
    ENDED(report_free) struct report again;
    char error[512];
    add(&report.runs[0], 100, 0.42);
    add(&report.runs[1], 100, 0.09);
    report.runs[1].kernels[0].band_known = false;
    report.runs[1].kernels[0].kind = GPU_KIND_UNKNOWN;
    report.device.apart = 0.06;
    run_set_band(&report.runs[0]);
    run_set_band(&report.runs[1]);
    json_auto_t *json = report_to_json(&report);
    assert_non_null(json);
    if (!report_from_json(&again, json, error, sizeof error))
        fail_msg("%s", error);
    assert_true(again.device.apart == 0.06 && again.runs[0].band == 0.42 && isnan(again.runs[1].band));
    assert_true(again.runs[0].kernels[0].kind == GPU_KIND_ATOMICS);
    assert_true(kernel_band(&again.runs[0].kernels[0]) == 0.42);
    assert_true(isnan(kernel_band(&again.runs[1].kernels[0])));
}

static void times_carry_their_band(void **state) {
    char text[FORMAT_SIZE];
    assert_string_equal(format_banded_time(text, 53.694, 0.0612), "53.69 us ± 6 %");
    assert_string_equal(format_banded_time(text, 53.694, (double)NAN), "53.69 us");
    assert_string_equal(format_banded_time(text, (double)NAN, 0.06), "-");
    assert_string_equal(format_band(text, (double)NAN), "");
}

TESTS(cmocka_unit_test_setup_teardown(a_run_has_the_bands_of_its_kernels, begin, end),
      cmocka_unit_test_setup_teardown(near_times_are_not_apart, begin, end),
      cmocka_unit_test_setup_teardown(bands_come_back, begin, end), UNIT(times_carry_their_band))

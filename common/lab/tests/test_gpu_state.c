/* test_gpu_state.c: what a GPU says of its clocks, by a stand-in for the driver's library; and a whole measurement that asks. */
#include "support_lab.h"

#include "base/file.h"
#include "fake_nvml.h"
#include "lab/judge/measure/measure.h"
#include "lab/judge/measure/measure_parts.h"

#include <dlfcn.h>

static char library[PATH_SIZE], program[PATH_SIZE];
static void *held;
static fake_nvml_setter *set;

/* Loaded under the name of the real one: who opens that name gets this. */
static int set_up(void **state) {
    path_print(library, "%s/tests/lab/nvml/" GPU_STATE_LIBRARY, test_build());
    path_print(program, "%s/tests/lab/fake-runner", test_build());
    held = dlopen(library, RTLD_NOW);
    void *symbol = held != NULL ? dlsym(held, "fake_nvml_set") : NULL;
    memcpy(&set, &symbol, sizeof set);
    return symbol != NULL ? make_folder(state) : -1;
}

static int tear_down(void **state) {
    folder_remove(folder);
    return dlclose(held);
}

static void look(const struct fake_nvml *what, unsigned times, struct report_clocks *seen) {
    char why[160];
    set(what);
    struct gpu_state *gpu = gpu_state_open(library, FAKE_NVML_BUS, why, sizeof why);
    assert_non_null(gpu);
    set(what); /* opening asks, too */
    for (unsigned i = 0; i < times; i++)
        gpu_state_sample(gpu);
    gpu_state_summary(gpu, "", seen);
    gpu_state_close(gpu);
}

static void test_steady(void **state) {
    struct report_clocks seen;
    look(&(struct fake_nvml){.sm = {1980, 1965}, .count = 2, .memory = 3201, .temperature = 41, .reasons = 1},
         4, &seen);
    report_clocks_judge(&seen, NULL);
    assert_int_equal(seen.samples, 4);
    assert_true(seen.sm.least == 1965 && seen.sm.most == 1980 && seen.sm.mean == 1972.5);
    assert_true(seen.memory.least == 3201 && seen.memory.most == 3201 && seen.hottest == 41);
    assert_string_equal(seen.throttled, ""); /* an idle GPU is not held back */
    assert_string_equal(seen.note, "");
}

static void test_moved(void **state) {
    struct report_clocks seen;
    look(
        &(struct fake_nvml){
            .sm = {1980, 1900}, .count = 2, .memory = 3201, .temperature = 80, .reasons = 0x24},
        2, &seen);
    report_clocks_judge(&seen, NULL);
    assert_string_equal(seen.throttled, "sw_power_cap sw_thermal_slowdown");
    assert_non_null(strstr(seen.note, "The SM clock moved between 1900 and 1980 MHz"));
    assert_null(strstr(seen.note, "memory"));
}

static void test_last_run(void **state) {
    struct report_clocks seen, last;
    look(&(struct fake_nvml){.sm = {1980}, .count = 1, .memory = 3201}, 2, &last);
    look(&(struct fake_nvml){.sm = {1935}, .count = 1, .memory = 2619}, 2, &seen);
    report_clocks_judge(&seen, &last);
    assert_non_null(strstr(seen.note, "The SM clock was 1935 MHz; in the last run it was 1980."));
    assert_non_null(strstr(seen.note, "The memory clock was 2619 MHz; in the last run it was 3201."));
    look(&(struct fake_nvml){.sm = {1950}, .count = 1, .memory = 3201}, 2, &seen);
    report_clocks_judge(&seen, &last);
    assert_string_equal(seen.note, "");
}

static void test_parts(void **state) {
    struct report_clocks seen, more, both = {.present = false};
    look(&(struct fake_nvml){.sm = {1800}, .count = 1, .memory = 3201, .temperature = 50, .reasons = 4}, 1,
         &seen);
    look(&(struct fake_nvml){.sm = {1980}, .count = 1, .memory = 3201, .temperature = 60, .reasons = 0xc}, 3,
         &more);
    report_clocks_add(&both, &seen);
    report_clocks_add(&both, &more);
    assert_int_equal(both.samples, 4);
    assert_true(both.sm.least == 1800 && both.sm.most == 1980 && both.sm.mean == 1935);
    assert_true(both.coolest == 50 && both.hottest == 60);
    assert_string_equal(both.throttled, "sw_power_cap hw_slowdown");
}

/* Each way in which nothing can be asked is told. */
static void test_not_there(void **state) {
    char why[160];
    struct report_clocks seen;
    assert_null(gpu_state_open("libnvidia-none.so.1", FAKE_NVML_BUS, why, sizeof why));
    assert_non_null(strstr(why, "libnvidia-none.so.1 is not there"));
    gpu_state_summary(NULL, why, &seen);
    assert_true(seen.present && seen.samples == 0);
    assert_non_null(strstr(seen.note, "is not there"));
    assert_null(gpu_state_open(library, "00000000:07:00.0", why, sizeof why));
    assert_non_null(strstr(why, "00000000:07:00.0"));
    set(&(struct fake_nvml){.count = 1, .no_driver = true});
    assert_null(gpu_state_open(library, FAKE_NVML_BUS, why, sizeof why));
    assert_non_null(strstr(why, "driver"));
    assert_null(gpu_state_open("libm.so.6", FAKE_NVML_BUS, why, sizeof why));
    assert_non_null(strstr(why, "lacks functions"));
}

/* A measurement asks after each timed call, and the document has it. */
static void test_measured(void **state) {
    static const char *const wrapper[] = {"/usr/bin/env", "FAKE=right", NULL};
    struct measure_variant variants[2] = {{.name = "starter"}, {.name = "yours"}};
    struct judge_wrong wrong = {0};
    struct failure failure = {0};
    ENDED(report_free) struct report report, read;
    resolve_lab(&settings, "lab1");
    settings.device = DEVICE_CUDA; /* the stand-in plays a real GPU */
    settings.width = settings.height = 16;
    settings.rounds = 5;
    settings.timeout_s = 600;
    settings.runner_wrapper = wrapper;
    for (int i = 0; i < 2; i++)
        snprintf(variants[i].program, sizeof variants[i].program, "%s", program);
    set(&(struct fake_nvml){.sm = {1980, 1000}, .count = 2, .memory = 3201, .temperature = 41});
    assert_true(report_init(&report, "lab1", "T"));
    if (!measure_variants(&settings, 0, variants, 2, 1, &(struct measure_results){&report, &wrong, &failure}))
        fail_msg("%s", failure.message);
    assert_int_equal(report.clocks.samples, 2 * 5);
    assert_non_null(strstr(report.clocks.note, "moved"));
    json_auto_t *json = report_to_json(&report);
    if (!report_from_json(&read, json, error, sizeof error))
        fail_msg("%s", error);
    assert_memory_equal(&read.clocks, &report.clocks, sizeof read.clocks);
}

TESTS_BETWEEN(set_up, tear_down, UNIT(test_steady), UNIT(test_moved), UNIT(test_last_run), UNIT(test_parts),
              UNIT(test_not_there), UNIT(test_measured))

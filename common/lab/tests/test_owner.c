/*
 * When a real GPU grades, a process of the judge's owns the buffers: a program cannot say what time its calls took, nor slow
 * down those it is compared with. On stand-ins for runtime, device and student.
 */
#include "support_lab.h"

#include "lab/judge/measure/measure.h"
#include "lab/judge/measure/measure_parts.h"
#include <math.h>

static char program[PATH_SIZE];

/* What comes of the last call. */
static struct report report;
static struct judge_wrong wrong;
static struct failure failure;

static int set_up(void **state) {
    char fakes[PATH_SIZE];
    if (make_folder(state) != 0)
        return -1;
    resolve_lab(&settings, "lab1");
    settings.device = DEVICE_CUDA; /* the stand-ins play a real GPU */
    settings.grading = true;
    settings.arch = 90;
    settings.width = 50;
    settings.height = 30;
    settings.rounds = 5;
    settings.timeout_s = 600; /* more than any machine needs */
    snprintf(fakes, sizeof fakes, "%s/tests/lab/fake", test_build());
    if (realpath(fakes, settings.build) == NULL)
        return -1;
    if (!path_print(program, "%s-runner", settings.build))
        return -1;
    return access(program, X_OK);
}

static int tear_down(void **state) {
    static const char *const names[] = {"input.png", "output.png", "difference.png", "output.txt", "yours"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[256];
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        unlink(path);
    }
    report_free(&report);
    return rmdir(folder);
}

/* A new report, nothing wrong so far, and how the stand-in for the student behaves from here on; it inherits no variable,
 * so by the hook for sandboxes. */
static void begin(const char *mood) {
    static char variable[64];
    static const char *const wrapper[] = {"/usr/bin/env", variable, NULL};
    snprintf(variable, sizeof variable, "FAKE=%s", mood);
    settings.runner_wrapper = wrapper;
    report_free(&report);
    wrong = (struct judge_wrong){0};
    failure = (struct failure){0};
    assert_true(report_init(&report, "lab1", "T"));
}

/* Starter and reference are the program by its name, yours by a link: who misbehaves as "yours" only, looks at that. */
static bool measure(const char *mood) {
    struct measure_variant variants[3] = {{.name = "starter"}, {.name = "yours"}, {.name = "reference"}};
    begin(mood);
    snprintf(variants[0].program, PATH_SIZE, "%s", program);
    snprintf(variants[1].program, PATH_SIZE, "%s/yours", folder);
    snprintf(variants[2].program, PATH_SIZE, "%s", program);
    unlink(variants[1].program);
    assert_int_equal(symlink(program, variants[1].program), 0);
    return measure_variants(&settings, 0, variants, 3, 1,
                            &(struct measure_results){&report, &wrong, &failure});
}

static bool correct(const char *mood) {
    char output[4096];
    begin(mood);
    return judge_correctness(&settings, program, &report, &wrong, output, sizeof output, &failure);
}

static void test_cases(void **state) {
    if (!correct("right"))
        fail_msg("%s", failure.message);
}

static void test_wrong_cases(void **state) {
    static const struct {
        const char *mood;
        enum flag flag;
        const char *words;
    } moods[] = {{"border", FLAG_NONE, "pixel"},
                 {"write-before", FLAG_GUARD_BAND, "a write outside dst: 1 byte before its start"},
                 {"write-after", FLAG_GUARD_BAND, "a write outside dst: 1 byte past its end"},
                 {"write-input", FLAG_INPUT_CHANGED, "src was changed"},
                 {"exit", FLAG_EARLY_EXIT, "in the middle of a call"},
                 {"segfault", FLAG_CRASH, "signal 11"},
                 {"cuda-error", FLAG_NONE, "cudaErrorIllegalAddress"},
                 {"garbage", FLAG_RESULT_CHANNEL, "not a reply"}};
    for (size_t i = 0; i < sizeof moods / sizeof *moods; i++) {
        assert_false(correct(moods[i].mood));
        if (strstr(failure.message, moods[i].words) == NULL || failure.flag != moods[i].flag)
            fail_msg("%s: %s, flag %s", moods[i].mood, failure.message, flag_name(failure.flag));
    }
}

/* The stand-in's calls take 100 + n mod 5 microseconds: the median is 102, or near it. */
static void test_honest(void **state) {
    if (!measure("right"))
        fail_msg("%s", failure.message);
    assert_int_equal(report.run_count, 3);
    assert_int_equal(report.flag_count, 0);
    for (uint32_t i = 0; i < 3; i++) {
        assert_int_equal(report.runs[i].time_source, TIME_EVENT);
        if (fabs(report.runs[i].time_us - 102) > 1)
            fail_msg("%s: %.2f us", report.runs[i].name, report.runs[i].time_us);
    }
}

/* Events that tell a twentieth, work that ends after the program has said so: what passed on the device counts. */
static void test_hidden_time(void **state) {
    static const struct {
        const char *mood;
        double least, most;
    } moods[] = {{"tells-less", 106, 114}, {"late", 506, 514}};
    for (size_t i = 0; i < sizeof moods / sizeof *moods; i++) {
        if (!measure(moods[i].mood))
            fail_msg("%s: %s", moods[i].mood, failure.message);
        assert_int_equal(report.flag_count, 1);
        assert_string_equal(report.flags[0].name, "time-mismatch");
        assert_int_equal(report.runs[1].time_source, TIME_WINDOW);
        assert_in_range((uint64_t)report.runs[1].time_us, (uint64_t)moods[i].least, (uint64_t)moods[i].most);
        assert_int_equal(report.runs[2].time_source, TIME_EVENT);
    }
}

/* Work that does not wait for the inputs is right when it is asked for later; who leaves the gate shut is waited for. */
static void test_out_of_order(void **state) {
    static const char *const moods[] = {"out-of-order", "leaves-gate"};
    for (size_t i = 0; i < sizeof moods / sizeof *moods; i++) {
        if (!measure(moods[i]))
            fail_msg("%s: %s", moods[i], failure.message);
        assert_int_equal(report.cases_failed, 0);
    }
}

static void test_wrong_when_timed(void **state) {
    assert_false(measure("rows-missing"));
    assert_int_equal(failure.stage, STAGE_CORRECTNESS);
}

static void test_no_owner(void **state) {
    char build[PATH_SIZE];
    memcpy(build, settings.build, sizeof build);
    snprintf(settings.build, sizeof settings.build, "%s", folder);
    assert_false(correct("right"));
    memcpy(settings.build, build, sizeof build);
    assert_non_null(strstr(failure.message, "the process that owns the buffers"));
    assert_int_equal(failure.flag, FLAG_NONE);
}

/* ---- the clocks alone: three variants, the second watched */

enum { ROUNDS = 9 };

static void fill(struct timed *t, double event, double window) {
    for (int i = 0; i < ROUNDS; i++) {
        t->clock[CLOCK_EVENT][i] = event + i % 3 * 0.1;
        t->clock[CLOCK_WINDOW][i] = window + i % 3 * 0.1;
        t->clock[CLOCK_AGAIN][i] = window + 300;
    }
}

static void test_held_up(void **state) {
    ENDED(clocks_free) struct clocks c;
    struct measure_variant variants[3] = {{.beside = false}};
    struct measurement m = {.variants = variants, .count = 3, .watched = 1};
    double interval[2];
    assert_true(clocks_create(&c, 3, ROUNDS, ROUNDS));
    c.owned = true;
    c.alone_rounds = ROUNDS;
    fill(&c.times[0], 100, 300);
    fill(&c.times[1], 50, 300);
    fill(&c.times[2], 50, 300);
    fill(&c.alone[0], 99, 300);
    fill(&c.alone[2], 49, 299);
    assert_false(clocks_held_up(&m, &c));
    assert_true(clocks_unseen_us(&m, &c) == 0);
    assert_true(fabs(clocks_median(&m, &c, 2, CLOCK_EVENT, interval) - 50.1) < 1e-9);
    /* The reference is slow beside it: alone it is not. A little of that may be chance. */
    fill(&c.times[2], 53, 300);
    assert_false(clocks_held_up(&m, &c));
    assert_true(fabs(clocks_median(&m, &c, 2, CLOCK_EVENT, interval) - 49.1) < 1e-9);
    fill(&c.times[2], 60, 300);
    assert_true(clocks_held_up(&m, &c));
    assert_true(fabs(clocks_median(&m, &c, 2, CLOCK_EVENT, interval) - 49.1) < 1e-9);
    assert_true(interval[0] >= 49 && interval[1] <= 49.2001);
    /* What the others' windows take beside it says nothing, for it may have driven that up. */
    fill(&c.times[0], 100, 340);
    fill(&c.times[2], 50, 340);
    fill(&c.times[1], 10, 340);
    assert_true(fabs(clocks_unseen_us(&m, &c) - 40.5) < 0.1);
}

TESTS_BETWEEN(set_up, tear_down, UNIT(test_cases), UNIT(test_wrong_cases), UNIT(test_honest),
              UNIT(test_hidden_time), UNIT(test_out_of_order), UNIT(test_wrong_when_timed),
              UNIT(test_no_owner), UNIT(test_held_up))

/* Judging and timing on a stand-in for a real GPU: medians of rounds, goals, pictures, the report of a
 * failure. */
#include "support_lab.h"

#include "lab/judge/goals.h"
#include "lab/judge/measure/measure.h"
#include "lab/judge/measure/measure_parts.h"
#include <math.h>

static const double elements[LAB_PARTS] = {1500};
static char program[PATH_SIZE];

/* What comes of the last call. */
static struct report report;
static struct judge_wrong wrong;
static struct failure failure;
static const struct measure_results results = {&report, &wrong, &failure};

static int set_up(void **state) {
    if (make_folder(state) != 0)
        return -1;
    resolve_lab(&settings, "lab1");
    settings.device = DEVICE_CUDA; /* the stand-in plays a real GPU */
    settings.width = 50;
    settings.height = 30;
    settings.timeout_s = 600; /* more than any machine needs */
    snprintf(program, sizeof program, "%s/tests/lab/fake-runner", test_build());
    return access(program, X_OK);
}

/* A new report, nothing wrong so far, and how the stand-in behaves from here on; it inherits no variable, so by the hook for
 * sandboxes. */
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

static bool judge(void) {
    char output[4096];
    return judge_correctness(&settings, program, &report, &wrong, output, sizeof output, &failure);
}

static bool exists(const char *name) {
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return access(path, F_OK) == 0;
}

static void clear_folder(void) {
    static const char *const names[] = {"input.png", "output.png", "difference.png", "output.txt", "ncu.txt"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[256];
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        unlink(path);
    }
}

static int tear_down(void **state) {
    report_free(&report);
    clear_folder();
    return rmdir(folder);
}

static void test_judge_right(void **state) {
    begin("right");
    if (!judge())
        fail_msg("%s", failure.message);
    assert_int_equal(report.cases_failed, 0);
    assert_int_equal(report.cases_passed, settings.lab.problem->case_count);
    assert_false(wrong.present);
}

static void test_judge_wrong(void **state) {
    clear_folder();
    begin("border");
    assert_false(judge());
    assert_int_equal(failure.stage, STAGE_CORRECTNESS);
    assert_true(report.cases_failed > 10 && report.cases_passed > 0); /* black borders hide it */
    assert_int_equal(report.cases_failed + report.cases_passed, settings.lab.problem->case_count);
    assert_true(wrong.present && !wrong.nondeterministic);
    assert_true(exists("input.png") && exists("output.png") && exists("difference.png"));
}

static void test_judge_nondeterministic(void **state) {
    begin("random");
    assert_false(judge());
    assert_true(wrong.present && wrong.nondeterministic);
}

static void test_judge_stops_at_a_fault(void **state) {
    begin("cuda-error");
    assert_false(judge());
    assert_int_equal(failure.stage, STAGE_FAULT);
    assert_int_equal(report.case_count, 1);
    assert_int_equal(report.cases_failed, 1);
}

static bool measure_three(void) {
    struct measure_variant variants[3] = {{.name = "starter"}, {.name = "yours"}, {.name = "reference"}};
    for (int i = 0; i < 3; i++)
        snprintf(variants[i].program, sizeof variants[i].program, "%s", program);
    return measure_variants(&settings, 0, variants, 3, 1, &results);
}

/* The stand-in's calls take 100 + n mod 5 microseconds: the median is 102, whatever the order. */
static void test_rounds(void **state) {
    clear_folder();
    /* Where other programs keep the judge waiting, its clock may contradict the events: then once more. */
    for (int left = 1000; left > 0; left--) {
        begin("right");
        if (!measure_three())
            fail_msg("%s", failure.message);
        assert_int_equal(report.run_count, 3);
        if (left == 1 || report.runs[1].time_source == TIME_EVENT)
            break;
    }
    assert_string_equal(report.device.gpu, "Fake GPU");
    assert_string_equal(report.device.toolkit, "13.0");
    for (uint32_t i = 0; i < 3; i++) {
        const struct report_run *run = &report.runs[i];
        assert_int_equal(run->time_source, TIME_EVENT);
        assert_true(fabs(run->time_us - 102) < 0.01);
        assert_true(run->ci95_us[0] <= run->time_us && run->time_us <= run->ci95_us[1]);
        assert_true(run->speedup == 1);
    }
    assert_true(exists("output.png") && !exists("difference.png"));
    assert_int_equal(report.cases_passed, 1);
    assert_true(goals_score(&settings.lab, true, elements, &report));
    assert_true(isnan(report.goals[0].value) &&
                report.goals[0].points == 0); /* the reference gains nothing */
}

static void test_timed_calls_are_judged(void **state) {
    begin("rows-missing");
    assert_false(measure_three());
    assert_int_equal(failure.stage, STAGE_CORRECTNESS);
    assert_non_null(strstr(failure.message, "pixels differ"));
}

/* Events that say more than the judge waited for are refused; a judge that waits half a second longer for one variant
 * than for the others counts what the events did not see. So long, in a few rounds, that what other programs on this
 * machine keep it waiting does not hide it. */
static void test_other_clocks(void **state) {
    begin("clock-fast");
    assert_false(measure_three());
    assert_int_equal(failure.flag, FLAG_TIME_MISMATCH);

    char link[256];
    struct measure_variant variants[2] = {{.name = "starter"}, {.name = "yours"}};
    snprintf(link, sizeof link, "%s/yours", folder);
    assert_true(realpath(program, variants[0].program) != NULL && symlink(variants[0].program, link) == 0);
    snprintf(variants[1].program, sizeof variants[1].program, "%s", link);
    begin("hides-late");
    unsigned rounds = settings.rounds;
    settings.rounds = 5;
    if (!measure_variants(&settings, 0, variants, 2, 1, &results))
        fail_msg("%s", failure.message);
    unlink(link);
    settings.rounds = rounds;
    assert_int_equal(report.flag_count, 1);
    assert_string_equal(report.flags[0].name, "time-mismatch");
    assert_int_equal(report.runs[0].time_source, TIME_EVENT);
    assert_int_equal(report.runs[1].time_source, TIME_WALL);
    assert_true(report.runs[1].time_us > 400000 && report.runs[0].time_us < 200);
}

/* 4 MB from the DRAM of an H200 is most of a microsecond; a product of 4096^3 more than a millisecond. */
static void test_roofline(void **state) {
    struct problem_case c;
    const struct draw_key key = {{1}};
    const struct problem *gaussian = problem_find("gaussian_blur"), *gemm = problem_find("gemm");
    gaussian->timed_case(0, 2560, 1600, &key, &c);
    double least = plausible_least_us(&settings.model, gaussian, &c, true);
    assert_true(least > 0.5 && least < 1.5);
    assert_true(plausible_least_us(&settings.model, gaussian, &c, false) == 0);
    gemm->timed_case(0, 4096, 4096, &key, &c);
    least = plausible_least_us(&settings.model, gemm, &c, false);
    assert_true(least > 1000 && least < 2000);
    assert_true(plausible_event(10, 10) && plausible_event(10, 100) && !plausible_event(12, 10));
    assert_true(plausible_unseen_us(300, 250) == 0 && plausible_unseen_us(5000, 250) == 4750);
    assert_true(plausible_elsewhere_us(4, 2) == 0 && plausible_elsewhere_us(57, 2) == 55);
}

/* A library that is timed beside is compared and never judged; one that cannot run is left out. */
static void test_beside(void **state) {
    static const struct {
        const char *mood, *note;
        bool timed;
    } moods[] = {{"right", "every pixel is right", true},
                 {"border", "of the pixels, by at most", true},
                 {"exit", "not timed: your program ended itself", false}};
    for (int i = 0; i < 3; i++) {
        struct measure_variant library = {.name = "npp", .beside = true};
        snprintf(library.program, sizeof library.program, "%s", program);
        begin(moods[i].mood);
        if (!measure_variants(&settings, 0, &library, 1, -1, &results))
            fail_msg("%s: %s", moods[i].mood, failure.message);
        assert_int_equal(report.run_count, 1);
        assert_int_equal(!isnan(report.runs[0].time_us), moods[i].timed);
        if (strstr(report.runs[0].note, moods[i].note) == NULL)
            fail_msg("%s: '%s'", moods[i].mood, report.runs[0].note);
        assert_false(wrong.present);
    }
}

static void add_run(const char *name, double time, double low, double high, uint64_t requests) {
    struct report_run *run = report_add_run(&report, name);
    assert_non_null(run);
    run->time_us = time;
    run->ci95_us[0] = low;
    run->ci95_us[1] = high;
    struct kernel_report *kernel = report_run_add_kernel(run);
    assert_non_null(kernel);
    kernel->time_us = time;
    kernel->counters.global_load_requests = requests;
    kernel->counters.global_load_sectors = 3 * requests;
    kernel->known[COUNTER_global_load_requests] = kernel->known[COUNTER_global_load_sectors] = true;
}

static struct lab_goal make_goal(const char *name, enum lab_measure measure, double points, double zero,
                                 double full) {
    struct lab_goal goal = {.measure = measure, .points = points, .sim = {zero, full}, .cuda = {zero, full}};
    snprintf(goal.name, sizeof goal.name, "%s", name);
    return goal;
}

/* A goal that requires no spills earns nothing where there are any and time is modelled; where it is measured, or
 * where nobody knows, nothing is barred. */
static void test_barred(void **state) {
    static const struct {
        uint32_t bytes;
        bool known, cuda, barred;
    } table[] = {{320, true, false, true},
                 {320, true, true, false},
                 {0, true, false, false},
                 {320, false, false, false}};
    struct lab lab = {.pass = 50, .goal_count = 1};
    lab.goals[0] = make_goal("speedup", MEASURE_SPEEDUP_SHARE, 60, 0.5, 1);
    lab.goals[0].requires = true;
    lab.goals[0].required = MEASURE_SPILLS;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        begin("right");
        add_run("starter", 100, 99, 101, 1000);
        add_run("yours", 50, 49, 51, 750);
        add_run("reference", 50, 49, 51, 100);
        report.runs[1].kernels[0].spill_bytes = table[i].bytes;
        report.runs[1].kernels[0].spill_known = table[i].known;
        assert_true(goals_score(&lab, table[i].cuda, elements, &report));
        assert_true(report.goals[0].points == (table[i].barred ? 0 : 60));
        assert_true((report.goals[0].barred != NULL) == table[i].barred);
        assert_true(!table[i].barred || strstr(report.goals[0].barred, "320 bytes") != NULL);
        assert_true(report.goals[0].value == 1);
    }
}

/* The last step that is reached stands for those before it, each with points of its own; what is not known is not
 * reached. */
static void test_steps(void **state) {
    static const struct {
        double yours_us;
        uint64_t requests;
        double reached, points;
        const char *title, *next;
    } table[] = {{100, 1000, 0, 0, "", "faster"},
                 {10, 1000, 1, 8, "faster", "fewer loads"},
                 {10, 500, 2, 12, "fewer loads", "hardly any"},
                 {10, 10, 3, 20, "hardly any", ""},
                 {99, 10, 3, 20, "hardly any", ""}}; /* came by another way */
    struct lab lab = {.pass = 50, .goal_count = 1, .step_count = 3};
    lab.goals[0] = make_goal("speedup", MEASURE_SPEEDUP_SHARE, 80, 0.5, 1);
    lab.steps[0] = (struct lab_step){
        .title = "faster", .measure = MEASURE_SPEEDUP, .sim = {true, 5}, .cuda = {true, 5}, .points = 8};
    lab.steps[1] = (struct lab_step){.title = "fewer loads",
                                     .measure = MEASURE_GLOBAL_LOADS,
                                     .sim = {false, 1},
                                     .cuda = {false, 1},
                                     .points = 4};
    lab.steps[2] = lab.steps[1];
    snprintf(lab.steps[2].title, sizeof lab.steps[2].title, "hardly any");
    lab.steps[2].sim.value = 0.1;
    lab.steps[2].points = 8;
    const double warps[LAB_PARTS] = {500 * 32};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        for (int known = 0; known < 2; known++) {
            begin("right");
            add_run("starter", 100, 99, 101, 1000);
            add_run("yours", table[i].yours_us, 9, 101, table[i].requests);
            add_run("reference", 10, 9, 11, 10);
            report.runs[1].kernels[0].known[COUNTER_global_load_requests] = known;
            assert_true(goals_score(&lab, false, warps, &report));
            assert_int_equal(report.goal_count, 2);
            assert_true(report.score_max == 100);
            if (known) {
                assert_true(report.goals[1].value == table[i].reached);
                assert_true(report.goals[1].points == table[i].points);
                assert_string_equal(report.steps.title, table[i].title);
                assert_string_equal(report.steps.next, table[i].next);
            } else {
                assert_int_equal(report.steps.reached, table[i].yours_us < 20);
            }
        }
    lab.steps[0].points = lab.steps[1].points = lab.steps[2].points = 0; /* only shown */
    begin("right");
    add_run("starter", 100, 99, 101, 1000);
    add_run("yours", 10, 9, 11, 500);
    add_run("reference", 10, 9, 11, 10);
    assert_true(goals_score(&lab, false, warps, &report));
    assert_true(report.goal_count == 1 && report.score_max == 80 && report.steps.reached == 2);
}

static void test_goals(void **state) {
    struct lab lab = {.pass = 50, .goal_count = 3};
    lab.goals[0] = make_goal("speedup", MEASURE_SPEEDUP_SHARE, 60, 0.5, 1);
    lab.goals[1] = make_goal("saved", MEASURE_LOADS_SAVED, 20, 0, 0.5);
    lab.goals[2] = make_goal("sectors", MEASURE_SECTORS, 20, 72, 24);
    begin("right");
    add_run("starter", 100, 99, 101, 1000);
    add_run("yours", 60, 50, 70, 750);
    add_run("reference", 45, 44, 46, 100);
    assert_true(goals_score(&lab, true, elements, &report));
    assert_true(report.goals[0].value == 0.75 && report.goals[0].points == 30);
    assert_true(report.goals[1].value == 0.25 && report.goals[1].points == 10);
    assert_true(report.goals[2].value == 48 &&
                report.goals[2].points == 10); /* of 1500 elements, 32 at a time */
    assert_true(report.score_points == 50 && report.score_max == 100 && report.score_passed);
    assert_true(goals_too_close(&lab, true, &report)); /* 70 us would be 44 / 70 */
    report.score_pass = 20;
    assert_false(goals_too_close(&lab, true, &report));

    begin("right");
    add_run("starter", 100, 99, 101, 1000);
    add_run("yours", 60, 50, 70, 750);
    add_run("reference", 45, 44, 46, 100);
    report.runs[1].kernels[0].known[COUNTER_global_load_sectors] =
        false; /* not counted: no points, no NAN in the score */
    assert_true(goals_score(&lab, true, elements, &report));
    assert_true(isnan(report.goals[2].value) && report.goals[2].points == 0);
    assert_true(report.score_points == 40);

    /* Where the reference is hardly faster than the starter, speed is not judged; where it is by a little, it
     * is. */
    for (int faster = 0; faster < 2; faster++) {
        lab.goals[0].cuda.full = 0.95;
        begin("right");
        add_run("starter", 100, 99, 101, 1000);
        add_run("yours", 90, 89, 91, 750);
        add_run("reference", faster ? 94 : 95, 93, 96, 100);
        assert_true(goals_score(&lab, true, elements, &report));
        assert_true(faster ? report.goals[0].points == 60 : isnan(report.goals[0].value));
        assert_true(report.score_max == (faster ? 100 : 40));
        if (!faster)
            assert_string_equal(report.goals[0].barred,
                                "not counted: at this size the reference is hardly faster than the starter");
    }
}

/* Useless work makes no counter look better: what counts is what the problem needs, and that it shows in the time. */
static void test_useless_work(void **state) {
    const double needed[LAB_PARTS] = {1600 * 32};
    struct lab lab = {.pass = 50, .goal_count = 3, .step_count = 1};
    lab.goals[0] = make_goal("sectors", MEASURE_SECTORS, 20, 4, 2);
    lab.goals[1] = make_goal("loads for a multiply-add", MEASURE_LOADS, 20, 1, 0.25);
    lab.goals[2] = make_goal("saved", MEASURE_LOADS_SAVED, 20, 0, 0.5);
    lab.steps[0] = (struct lab_step){.title = "fewer loads",
                                     .measure = MEASURE_GLOBAL_LOADS,
                                     .sim = {false, 0.5},
                                     .cuda = {false, 0.5},
                                     .points = 4};
    static const struct {
        double us;
        uint64_t requests, sectors, fma, atomics;
        double points[3];
        unsigned reached;
    } table[] = {{50, 400, 3200, 1600, 0, {20, 20, 20}, 1},
                 {50, 160000, 163200, 1600, 0, {0, 0, 0}, 0}, /* useless loads, well coalesced */
                 {50, 1600, 3200, 160000, 0, {20, 0, 0}, 0},  /* useless multiply-adds */
                 {50, 0, 0, 1600, 1600, {20, 0, 0}, 0},       /* atomics in place of loads */
                 {202, 400, 3200, 1600, 0, {0, 0, 0}, 0}};    /* fewer of them, and slower */
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        for (int turn = 0; turn < 4; turn++) {
            bool cuda = turn % 2 == 1,
                 slow_copies = turn >= 2; /* the kernels are fast enough, the rest is not */
            begin("right");
            add_run("starter", 100, 99, 101, 1600);
            add_run("yours", table[i].us, 9, 101, table[i].requests);
            add_run("reference", 10, 9, 11, 10);
            for (uint32_t k = 0; k < 3; k++) {
                struct kernel_report *kernel = &report.runs[k].kernels[0];
                for (int c = 0; c < COUNTER_COUNT; c++)
                    kernel->known[c] = true;
            }
            struct kernel_report *yours = &report.runs[1].kernels[0];
            yours->counters.global_load_sectors = table[i].sectors;
            yours->counters.inst_fp32_fma = table[i].fma;
            yours->counters.atomics = yours->counters.atomic_sectors = table[i].atomics;
            bool slow = table[i].us > 100;
            if (slow_copies)
                yours->time_us = 50;
            assert_true(goals_score(&lab, cuda, needed, &report));
            for (int goal = 0; goal < 3; goal++)
                if (report.goals[goal].points != table[i].points[goal])
                    fail_msg("row %zu, goal %d: %g, %g points", i, goal, report.goals[goal].value,
                             report.goals[goal].points);
            assert_int_equal(report.steps.reached, table[i].reached);
            assert_true((report.goals[0].barred != NULL) == slow);
            assert_true(!slow ||
                        strstr(report.goals[0].barred,
                               slow_copies ? "the whole call, copies and fills with it, takes 2.02 times"
                                           : "its kernels take 2.02 times as long as the starter's"));
        }
}

TESTS_BETWEEN(set_up, tear_down, UNIT(test_useless_work), UNIT(test_judge_right), UNIT(test_judge_wrong),
              UNIT(test_judge_nondeterministic), UNIT(test_judge_stops_at_a_fault), UNIT(test_rounds),
              UNIT(test_timed_calls_are_judged), UNIT(test_other_clocks), UNIT(test_roofline),
              UNIT(test_beside), UNIT(test_goals), UNIT(test_barred), UNIT(test_steps))

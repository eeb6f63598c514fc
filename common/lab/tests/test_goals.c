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

static void add_measured_run(struct report *report, const char *name, double time_us, bool code_known) {
    struct report_run *run = report_add_run(report, name);
    assert_non_null(run);
    run->time_us = time_us;
    assert_non_null(report_run_add_kernel(run));
    run->kernels[0].time_us = time_us;
    run->kernels[0].code_known = code_known;
    run->kernels[0].hot_code_bytes = 100;
}

/* What the machine cannot measure, of the reference neither, is worth no points there, and lowers the pass mark: goals and
 * steps. What is missing of this kernel alone earns nothing of its points. Each says why. */
static void test_unmeasured(void **state) {
    struct lab lab = {
        .pass = 60,
        .goal_count = 3,
        .step_count = 1,
        .goals =
            {{.name = "speedup",
              .measure = MEASURE_SPEEDUP_SHARE,
              .points = 50,
              .sim = {.zero = 0.1, .full = 1}},
             {.name = "code", .measure = MEASURE_HOT_CODE, .points = 20, .sim = {.zero = 1000, .full = 100}},
             {.name = "copy", .measure = MEASURE_COPY_SHARE, .points = 10, .sim = {.zero = 0.1, .full = 1}}},
        .steps = {{.title = "small", .measure = MEASURE_HOT_CODE, .points = 20, .sim = {false, 50}}}};
    for (int reference_known = 0; reference_known < 2; reference_known++) {
        struct report report;
        assert_true(report_init(&report, "lab9", "T"));
        add_measured_run(&report, lab_baseline(&lab), 100, reference_known);
        add_measured_run(&report, RUN_YOURS, 10, false);
        add_measured_run(&report, RUN_REFERENCE, 10, reference_known);
        snprintf(report.runs[2].note, sizeof report.runs[2].note, "counters: no library");
        assert_true(goals_score(&lab, false, (const double[LAB_PARTS]){32}, &report));
        assert_true(report.score_points == 50);
        assert_true(report.score_max == (reference_known ? 90 : 50));
        assert_true(report.score_pass == (reference_known ? 54 : 30));
        assert_true(report.score_passed == !reference_known);
        assert_true(report.goals[1].max == (reference_known ? 20 : 0));
        assert_string_equal(report.goals[1].barred,
                            reference_known ? "no points: of this kernel it could not be measured"
                                            : "not counted: on this machine it was not measured, of the "
                                              "reference neither; counters: no library");
        assert_true(report.goals[2].max == 0 && strstr(report.goals[2].barred, "not counted") != NULL);
        assert_true(report.goals[3].max == (reference_known ? 20 : 0));
        assert_true((report.goals[3].barred == NULL) == reference_known);
        lab.goal_count = lab.step_count = 0; /* nothing that counts is no pass */
        assert_true(goals_score(&lab, false, (const double[LAB_PARTS]){32}, &report));
        assert_false(report.score_passed);
        lab.goal_count = 3;
        lab.step_count = 1;
        report_free(&report);
    }
}

/* A ratio of modelled times that is not apart from the full mark earns all. The value that earns nothing stays, and what a
 * kernel is says nothing. */
static void test_benefit_of_the_doubt(void **state) {
    static const struct {
        double apart, reference_band, yours_band, yours_us, points;
        bool cuda;
        unsigned steps;
    } table[] = {
        {NAN, NAN, NAN, 100, 0, false, 0},    /* as slow as the starter */
        {0.25, 0.1, 0.1, 100, 0, false, 0},   /* so it is with the benefit */
        {NAN, NAN, NAN, 60, 66.7, false, 0},  /* 0.833 of the reference's */
        {0.25, 0.1, 0.1, 60, 100, false, 1},  /* 1 less than 25 % away, and 2 */
        {0.25, 0.1, 0.7, 60, 100, false, 1},  /* an atomic widens nothing, */
        {0.25, 0.1, 0.7, 64, 93.7, false, 0}, /* and what is apart comes near */
        {0.25, NAN, 0.1, 60, 66.7, false, 0}, /* a run with copies */
        {0.25, 0.1, 0.1, 60, 66.7, true, 0},  /* measured */
        {1.5, 0.1, 0.1, 60, 66.7, false, 0},  /* the starter would have it, too */
    };
    struct lab lab = {
        .pass = 60,
        .goal_count = 1,
        .step_count = 1,
        .goals = {{.name = "speedup",
                   .measure = MEASURE_SPEEDUP_SHARE,
                   .points = 100,
                   .sim = {0.5, 1},
                   .cuda = {0.5, 1}}},
        .steps = {{.title = "twice", .measure = MEASURE_SPEEDUP, .sim = {true, 2}, .cuda = {true, 2}}}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        struct report report;
        assert_true(report_init(&report, "lab9", "T"));
        if (!table[i].cuda)
            report.device.apart = table[i].apart;
        add_measured_run(&report, RUN_STARTER, 100, true);
        add_measured_run(&report, RUN_YOURS, table[i].yours_us, true);
        add_measured_run(&report, RUN_REFERENCE, 50, true);
        report.runs[1].band = table[i].yours_band;
        report.runs[2].band = table[i].reference_band;
        assert_true(goals_score(&lab, table[i].cuda, (const double[LAB_PARTS]){32}, &report));
        assert_float_equal(report.score_points, table[i].points, 1e-9);
        assert_true(report.goals[0].zero == 0.5 && report.goals[0].full == 1);
        assert_int_equal(report.steps.reached, table[i].steps);
        report_free(&report);
    }
}

/* A run without a time earns nothing, by counters neither, and reaches no step: what they saved cannot show. */
static void test_no_time(void **state) {
    struct lab lab = {
        .pass = 60,
        .goal_count = 2,
        .step_count = 1,
        .goals = {{.name = "speedup", .measure = MEASURE_SPEEDUP_SHARE, .points = 50, .sim = {0.5, 1}},
                  {.name = "code", .measure = MEASURE_HOT_CODE, .points = 40, .sim = {1000, 100}}},
        .steps = {{.title = "small", .measure = MEASURE_HOT_CODE, .sim = {false, 500}, .points = 10}}};
    static const double time_us[] = {(double)NAN, 50, 200};
    for (int i = 0; i < 3; i++) {
        bool timed = i > 0;
        struct report report;
        assert_true(report_init(&report, "lab9", "T"));
        add_measured_run(&report, RUN_STARTER, 100, true);
        add_measured_run(&report, RUN_YOURS, time_us[i], true);
        add_measured_run(&report, RUN_REFERENCE, 50, true);
        if (!timed)
            snprintf(report.runs[1].unpaid, sizeof report.runs[1].unpaid, "blocks wait for one another");
        assert_true(goals_score(&lab, false, (const double[LAB_PARTS]){32}, &report));
        assert_true(report.score_points == (i == 1 ? 100 : 0));
        assert_string_equal(report.steps.next, ""); /* small it is, whatever the time */
        assert_string_equal(report.steps.title, "small");
        if (!timed)
            assert_string_equal(report.goals[1].barred, "no points: blocks wait for one another");
        report_free(&report);
    }
}

/* Steps by the factor that they gain; one by pinned memory, which pays without a time, but not
 * where the order is luck. */
static void test_steps_of_a_run(void **state) {
    static const struct {
        double us, pinned;
        const char *unpaid, *unordered;
        double points;
    } rows[] = {{1000, (double)NAN, "", "", 0},
                {900, 1, "", "", 10},
                {100, 1, "", "", 18},
                {100, 1, "the host's work", "", 10},
                {100, 1, "order", "Frame 3", 0},
                {10, 1, "", "", 18}};
    struct lab lab = {
        .pass = 60,
        .step_count = 2,
        .steps = {{.title = "pinned", .measure = MEASURE_PINNED, .sim = {true, 0.9}, .points = 10},
                  {.title = "converts", .measure = MEASURE_SPEEDUP_LOG, .sim = {true, 0.5}, .points = 8}}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct report report;
        assert_true(report_init(&report, "lab10", "T"));
        add_measured_run(&report, RUN_STARTER, 1000, true);
        add_measured_run(&report, RUN_YOURS, rows[i].us, true);
        add_measured_run(&report, RUN_REFERENCE, 10, true);
        for (int k = 0; k < 3; k++) {
            report.runs[k].kernels[0].known[COUNTER_warp_instructions] = true;
            report.runs[k].kernels[0].counters.warp_instructions = 7;
        }
        struct report_run *yours = &report.runs[1];
        yours->pinned = rows[i].pinned;
        snprintf(yours->unpaid, sizeof yours->unpaid, "%s", rows[i].unpaid);
        snprintf(yours->unordered, sizeof yours->unordered, "%s", rows[i].unordered);
        assert_true(goals_score(&lab, false, (const double[LAB_PARTS]){32}, &report));
        assert_true(report.score_points == rows[i].points);
        report_free(&report);
    }
}

/* What a counter saves must show in the time of the kernels and of the whole call, little by little: another's copies save nothing. */
static void test_saved_by_copies(void **state) {
    static const struct {
        double kernel_us, call_us;
        const char *barred; /* NULL: it earns points */
    } rows[] = {
        {40, 52, NULL},
        {40, 55.5, NULL}, /* noise */
        {60, 62, "fewer points: its kernels take 1.2 times as long as the starter's"},
        {40, 110,
         "no points: the whole call, copies and fills with it, takes 2 times as long as the starter's"}};
    struct lab lab = {
        .pass = 60,
        .goal_count = 1,
        .goals = {
            {.name = "code", .measure = MEASURE_HOT_CODE, .points = 50, .sim = {.zero = 1000, .full = 100}}}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct report report;
        assert_true(report_init(&report, "lab9", "T"));
        add_measured_run(&report, lab_baseline(&lab), 50, true);
        add_measured_run(&report, RUN_YOURS, rows[i].kernel_us, true);
        add_measured_run(&report, RUN_REFERENCE, 10, true);
        report.runs[0].time_us = 55;
        report.runs[1].time_us = rows[i].call_us;
        assert_true(goals_score(&lab, false, (const double[LAB_PARTS]){32}, &report));
        double points = rows[i].barred == NULL ? 50 : rows[i].kernel_us == 60 ? 37.4 : 0;
        assert_float_equal(report.score_points, points, 1e-9);
        if (rows[i].barred != NULL)
            assert_string_equal(report.goals[0].barred, rows[i].barred);
        report_free(&report);
    }
}

/* ---- no step in what a time is worth */

/* The reference's speedup in each lab, by the model and on an H200. */
static const struct {
    const char *lab;
    double speedup[2][LAB_PARTS]; /* of each part */
} swept[] = {{"lab1", {{1.92}, {1.87}}},
             {"lab2", {{1.376}, {1.417}}},
             {"lab3", {{2.93}, {3.06}}},
             {"lab4", {{1.391, 11}, {1.52, 25}}},
             {"lab5", {{25.2}, {60}}},
             {"lab6", {{75.3}, {90}}},
             {"lab7", {{19.8}, {17}}},
             {"lab8", {{1.9}, {1.94}}},
             {"lab9", {{1.269}, {1.48}}},
             {"lab10", {{25}, {33}}},
             {"lab12", {{7.65, 6.43, 5.89}, {7.56, 6.64, 7.26}}}};

/* A run at a time, whose counters earn all, or nothing at all. */
static void add_swept_run(struct report *report, const struct lab *lab, unsigned part, const char *name,
                          double time_us, bool saves) {
    struct report_run *run = report_add_run(report, name);
    assert_true(run != NULL && report_set_text(&run->part, lab->parts[part].name));
    struct kernel_report *kernel = report_run_add_kernel(run);
    assert_non_null(kernel);
    run->band = 0.1;
    run->pinned = saves;
    run->time_us = kernel->time_us = time_us;
    kernel->code_known = kernel->spill_known = kernel->waits.known = true;
    kernel->hot_code_bytes = saves ? 1 : 1 << 30;
    kernel->waves = saves ? 1 : 99;
    kernel->waits.share[GPU_STALL_NO_INSTRUCTION] = saves ? 0 : 1;
    uint64_t *counters = (uint64_t *)&kernel->counters;
    for (int i = 0; i < COUNTER_COUNT; i++) {
        kernel->known[i] = true;
        counters[i] = saves ? 0 : 1000000000;
    }
}

/* The points of a run at so many times the starter's time; its kernels' time or the whole call's. */
static double swept_points(const struct lab *lab, size_t row, bool cuda, double times, bool saves,
                           bool copies) {
    struct report report;
    assert_true(report_init(&report, lab->id, "T"));
    report.device.apart = cuda ? (double)NAN : 0.06;
    for (unsigned part = 0; part < lab->part_count; part++) {
        double speedup = swept[row].speedup[cuda][part], own = times > 0 ? times : 1 / speedup;
        add_swept_run(&report, lab, part, lab_baseline(lab), 100, false);
        add_swept_run(&report, lab, part, RUN_YOURS, 100 * own, saves);
        add_swept_run(&report, lab, part, RUN_REFERENCE, 100 / speedup, true);
        add_swept_run(&report, lab, part, RUN_COPY, (cuda ? 100 : 102) / speedup, true);
        if (copies)
            report.runs[report.run_count - 3].kernels[0].time_us = 1;
    }
    assert_true(goals_score(lab, cuda, (const double[LAB_PARTS]){1000000, 1000000, 1000000}, &report));
    double points = report.score_points;
    report_free(&report);
    return points;
}

/* From times beyond the reference's to 20 of the starter's: a little more takes about as
 * little, 5 % more at most MOST_POINTS. Starters earn nothing, references all, and so does no terrible time. */
static void test_no_cliff(void **state) {
    static const double MOST_POINTS = 6.5, A_LITTLE = 1.003, ROUNDING = 0.6;
    for (size_t row = 0; row < sizeof swept / sizeof *swept; row++)
        for (unsigned kind = 0; kind < 8; kind++) {
            bool cuda = kind & 1, saves = kind & 2, copies = kind & 4;
            struct lab lab;
            char error[512];
            assert_true(lab_load(".", swept[row].lab, &lab, error, sizeof error));
            /* A baseline is the first step of a lab whose starter computes nothing. */
            double first = lab.baseline[0] != '\0' ? lab_step_points(&lab, 1) : 0;
            assert_float_equal(swept_points(&lab, row, cuda, 1, false, copies), first, 1e-9);
            assert_float_equal(swept_points(&lab, row, cuda, 2.01, saves, copies), first, 1e-9);
            assert_float_equal(swept_points(&lab, row, cuda, 20, saves, copies), 0, 0);
            assert_float_equal(swept_points(&lab, row, cuda, 0, true, copies), lab_points_most(&lab), 1e-9);
            for (double times = 0.01; times < 20; times *= A_LITTLE) {
                double points = swept_points(&lab, row, cuda, times, saves, copies),
                       little = points - swept_points(&lab, row, cuda, times * A_LITTLE, saves, copies),
                       much = points - swept_points(&lab, row, cuda, times * 1.05, saves, copies);
                if (fabs(little) > MOST_POINTS / 16 + ROUNDING || fabs(much) > MOST_POINTS + ROUNDING)
                    fail_msg(
                        "%s, %s, kind %u: at %.4f times the starter's time 0.3 %% more is worth %.1f points, 5 %% "
                        "%.1f",
                        lab.id, cuda ? "GPU" : "model", kind, times, little, much);
            }
        }
}

TESTS(UNIT(test_code_and_waves), UNIT(test_unmeasured), UNIT(test_benefit_of_the_doubt), UNIT(test_no_time),
      UNIT(test_steps_of_a_run), UNIT(test_saved_by_copies), UNIT(test_no_cliff))

/* test_score.c: a result earns from nothing to all there is, whatever numbers stand in it. */
#include "base/test.h"
#include "class/score/score.h"

#include <math.h>

/* The grade of a report whose goal has these points, of this many; uncounted: a second goal could not be measured;
 * kept: 0, or the share that a bar leaves of it. */
static struct grade grade_with(double points, double max, const char *policy_text, bool uncounted,
                               double kept) {
    static const struct lab lab = {.id = "lab1", .goal_count = 1, .goals = {{.points = 60}}, .pass = 30};
    static struct policy policy;
    struct policy_rules rules;
    struct report report;
    struct score_result result;
    struct grade grade = {.lab = "lab1"};
    char error[256];
    assert_true(policy_parse(&policy, policy_text, strlen(policy_text), "test.ini", error, sizeof error));
    policy_rules(&policy, "lab1", &rules);
    assert_true(report_init(&report, "lab1", "test") &&
                report_set_device(&report, DEVICE_SIM, "H200", "h200", "13.0"));
    assert_true(report_add_goal(&report, "speedup", 1, 0, 1, points, max));
    if (kept > 0) {
        report.goals[0].kept = kept;
        assert_true(report_set_text(&report.goals[0].barred, "fewer points"));
    }
    if (uncounted)
        assert_true(report_add_goal(&report, "sectors", (double)NAN, 0, 1, 0, 0) &&
                    report_set_text(&report.goals[1].barred, "not counted: it was not measured"));
    json_t *json = json_pack("{s:s, s:s, s:[], s:o}", "outcome", "judged", "message", "", "flags", "report",
                             report_to_json(&report));
    assert_non_null(json);
    char *text = json_dumps(json, 0);
    assert_true(score_result_parse(&result, text));
    assert_true(result.has_report);
    score_grade(&policy, &rules, &lab, &result, 1, &(struct score_circumstances){.word = NULL}, &grade);
    score_result_free(&result);
    free(text);
    json_decref(json);
    report_free(&report);
    return grade;
}

static struct grade grade_of(double points, double max) {
    return grade_with(points, max, "[class]\n", false, 0);
}

/* What could not be measured is counted against nobody, whatever points a policy gives it. */
static void what_was_not_measured(void **state) {
    static const char policy[] = "[class]\n[lab1 goal sectors]\npoints = 40\n";
    assert_float_equal(grade_with(30, 60, "[class]\n", true, 0).points, 30, 1e-9);
    struct grade grade = grade_with(60, 60, policy, true, 0);
    assert_float_equal(grade.points, grade.max, 1e-9);
    assert_true(grade.passed);
}

/* A policy's own points are kept by the same share. */
static void kept_points(void **state) {
    static const char policy[] = "[class]\n[lab1 goal speedup]\npoints = 40\n";
    assert_float_equal(grade_with(60, 60, policy, false, 0).points, 60, 1e-9);
    assert_float_equal(grade_with(15, 60, policy, false, 0.25).points, 15, 1e-9);
}

static void points_stay_in_range(void **state) {
    assert_float_equal(grade_of(30, 60).points, 30, 1e-9);
    assert_float_equal(grade_of(60, 60).points, 60, 1e-9);
    assert_float_equal(grade_of(1e9, 60).points, 60, 1e-9);
    assert_float_equal(grade_of(-5, 60).points, 0, 1e-9);
    assert_float_equal(grade_of(5, 0).points, 0, 1e-9);
    assert_float_equal(grade_of(5, -60).points, 0, 1e-9);
    assert_float_equal(grade_of(NAN, 60).points, 0, 1e-9);
    assert_float_equal(grade_of(30, NAN).points, 0, 1e-9);
    assert_true(grade_of(1e9, 60).passed);
    assert_false(grade_of(NAN, 60).passed);
}

TESTS(UNIT(points_stay_in_range), UNIT(kept_points), UNIT(what_was_not_measured))

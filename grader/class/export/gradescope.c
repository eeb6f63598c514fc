/* gradescope.c: Gradescope's results.json (the score, the goals as its tests, the feedback as its text), and the text that
 * Autolab reads. */
#include "class/export/export.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { GOALS = 16, TESTS = 2 * GOALS };

/* A goal on a device; points and max are of the whole grade. */
struct test {
    struct report_goal goal;
    const char *device; /* where there are two */
};

static unsigned collect(const struct export_grade *of, struct test tests[TESTS]) {
    struct report_goal goals[GOALS];
    unsigned count = 0;
    for (unsigned i = 0; i < of->count; i++) {
        const struct report *report = &of->results[i].report;
        if (!of->results[i].has_report || strcmp(of->results[i].outcome, "judged") != 0)
            continue;
        unsigned found = feedback_goals(of->policy, of->grade, report, goals, GOALS);
        for (unsigned g = 0; g < found && count < TESTS; g++) {
            tests[count] =
                (struct test){goals[g], of->count > 1 ? device_kind_name(report->device.kind) : NULL};
            tests[count].goal.points /= of->count;
            tests[count++].goal.max /= of->count;
        }
    }
    return count;
}

static double hundredths(double points) {
    return round(points * 100) / 100;
}

static bool add_test(json_t *list, const char *name, double score, double max, const char *output) {
    json_t *test =
        json_pack("{s:s, s:f, s:f, s:s}", "name", name, "score", score, "max_score", max, "output", output);
    return test != NULL && json_array_append_new(list, test) == 0;
}

static bool add_goal(json_t *list, const struct test *test, bool late, double score, double max) {
    char goal[TABLE_CELL], name[128], output[512], earned[32];
    int used = snprintf(output, sizeof output, "value %.4g; no points at %.4g, all at %.4g", test->goal.value,
                        test->goal.zero, test->goal.full);
    const char *earned_text = score_points_text(earned, test->goal.points);
    if (hundredths(test->goal.points) > score + 0.02)
        snprintf(output + used, sizeof output - (size_t)used, "; %s earned, %s", earned_text,
                 late ? "less what lateness takes" : "which does not count");
    size_t length = strlen(output);
    if (test->goal.barred != NULL)
        snprintf(output + length, sizeof output - length, "; %s", test->goal.barred);
    feedback_goal_name(&test->goal, goal);
    snprintf(name, sizeof name, "%s%s%s%s", goal, test->device != NULL ? " (" : "",
             test->device != NULL ? test->device : "", test->device != NULL ? ")" : "");
    return add_test(list, name, score, max, output);
}

/* The goals, each with its part of the points that count: what lateness takes is taken from each, so that their sum is the
 * score to the hundredth. What somebody gave beyond the goals is a test of its own. */
static json_t *tests(const struct export_grade *of) {
    struct test tests[TESTS];
    unsigned count = collect(of, tests);
    double earned = 0, all = 0, score = 0, max = 0, counted = 0;
    for (unsigned i = 0; i < count; i++) {
        earned += tests[i].goal.points;
        all += tests[i].goal.max;
    }
    double share = earned > 0 ? of->grade->points / earned : 0;
    if (of->grade->points > earned + 0.006) /* more than the grade's rounding */
        share = 1;
    double whole = all > 0 ? of->grade->max / all : 0;
    json_t *list = json_array();
    bool right = list != NULL;
    for (unsigned i = 0; right && i < count; i++) {
        double had = hundredths(score), had_max = hundredths(max);
        score += tests[i].goal.points * share;
        max += tests[i].goal.max * whole;
        right = add_goal(list, &tests[i], of->grade->late_percent > 0, hundredths(hundredths(score) - had),
                         hundredths(hundredths(max) - had_max));
    }
    counted = hundredths(score);
    if (right && of->grade->points - counted > 0.005)
        right = add_test(list, "Given by the instructor", hundredths(of->grade->points - counted), 0, "");
    if (right)
        return list;
    json_decref(list);
    return NULL;
}

bool gradescope_results(const struct export_grade *of, FILE *to) {
    const struct grade *grade = of->grade;
    char *text = NULL;
    size_t length;
    FILE *memory = open_memstream(&text, &length);
    if (memory == NULL)
        return false;
    feedback_text(of, memory);
    bool right = fclose(memory) == 0;
    json_t *json = right ? json_pack("{s:f, s:s, s:s, s:s, s:o, s:{s:s, s:f, s:b, s:s}}", "score",
                                     grade->points, "output", text, "output_format", "text", "visibility",
                                     "visible", "tests", tests(of), "extra_data", "lab", grade->lab, "max",
                                     grade->max, "passed", (int)grade->passed, "flags", grade->flags)
                         : NULL;
    free(text);
    right = json != NULL && json_dumpf(json, to, JSON_INDENT(1) | REPORT_JSON_FLAGS) == 0 &&
            fputc('\n', to) == '\n';
    json_decref(json);
    return right;
}

bool autolab_feedback(const struct export_grade *of, FILE *to) {
    char points[32];
    bool right = feedback_text(of, to);
    /* without this line Autolab leaves a score as it is, and shows the text */
    if (export_has_points(of->grade))
        fprintf(to, "{\"scores\": {\"%s\": %s}}\n", of->grade->lab,
                score_points_text(points, of->grade->points));
    return right;
}

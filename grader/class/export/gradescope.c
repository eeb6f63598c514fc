/* gradescope.c: Gradescope's results.json (the score, the goals as its tests, the feedback as its text), and the text that
 * Autolab reads. */
#include "class/export/export.h"

#include <stdlib.h>
#include <string.h>

enum { GOALS = 16 };

static json_t *goal_test(const struct report_goal *goal) {
    char text[256];
    snprintf(text, sizeof text, "value %.4g; no points at %.4g, all at %.4g", goal->value, goal->zero,
             goal->full);
    return json_pack("{s:s, s:f, s:f, s:s}", "name", goal->name, "score", goal->points, "max_score",
                     goal->max, "output", text);
}

static json_t *tests(const struct export_grade *of) {
    json_t *list = json_array();
    struct report_goal goals[GOALS];
    for (unsigned i = 0; i < of->count && list != NULL; i++) {
        if (!of->results[i].has_report || strcmp(of->results[i].outcome, "judged") != 0)
            continue;
        unsigned found = feedback_goals(of->policy, of->grade, &of->results[i].report, goals, GOALS);
        for (unsigned g = 0; g < found; g++)
            json_array_append_new(list, goal_test(&goals[g]));
    }
    return list;
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
    json_t *json = right ? json_pack("{s:f, s:s, s:s, s:s, s:o, s:{s:s, s:b, s:s}}", "score", grade->points,
                                     "output", text, "output_format", "text", "visibility", "visible",
                                     "tests", tests(of), "extra_data", "lab", grade->lab, "passed",
                                     (int)grade->passed, "flags", grade->flags)
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
    fprintf(to, "{\"scores\": {\"%s\": %s}}\n", of->grade->lab, score_points_text(points, of->grade->points));
    return right;
}

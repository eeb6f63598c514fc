/* Gradescope's results.json: the score, the goals as its tests, and the feedback as its text. */
#include "class/export/export.h"

#include "base/file.h"

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

static json_t *tests(const struct policy *policy, const struct grade *grade,
                     const struct score_result *results, unsigned count) {
    json_t *list = json_array();
    struct report_goal goals[GOALS];
    for (unsigned i = 0; i < count && list != NULL; i++) {
        if (!results[i].has_report || strcmp(results[i].outcome, "judged") != 0)
            continue;
        unsigned found = feedback_goals(policy, grade, &results[i].report, goals, GOALS);
        for (unsigned g = 0; g < found; g++)
            json_array_append_new(list, goal_test(&goals[g]));
    }
    return list;
}

bool gradescope_write(FILE *to, const struct policy *policy, const struct grade *grade,
                      const struct score_result *results, unsigned count) {
    char *text = NULL;
    size_t length;
    FILE *memory = open_memstream(&text, &length);
    if (memory == NULL)
        return false;
    feedback_text(memory, policy, grade, results, count);
    bool fine = fclose(memory) == 0;
    json_t *json = fine ? json_pack("{s:f, s:s, s:s, s:s, s:o, s:{s:s, s:b, s:s}}", "score", grade->points,
                                    "output", text, "output_format", "text", "visibility", "visible", "tests",
                                    tests(policy, grade, results, count), "extra_data", "lab", grade->lab,
                                    "passed", (int)grade->passed, "flags", grade->flags)
                        : NULL;
    free(text);
    fine = json != NULL && json_dumpf(json, to, JSON_INDENT(1) | REPORT_JSON_FLAGS) == 0 &&
           fputc('\n', to) == '\n';
    json_decref(json);
    return fine;
}

bool gradescope_write_trouble(const char *path, const char *message, char *error, size_t size) {
    char folder[PATH_SIZE];
    struct file_output output;
    snprintf(folder, sizeof folder, "%s", path);
    char *slash = strrchr(folder, '/');
    const char *name = slash != NULL ? slash + 1 : path;
    if (slash != NULL)
        *slash = '\0';
    char file[PATH_SIZE];
    snprintf(file, sizeof file, "%s", name);
    json_t *json = json_pack("{s:f, s:s, s:s, s:s}", "score", 0.0, "output", message, "output_format", "text",
                             "visibility", "visible");
    bool fine = json != NULL && file_begin(&output, slash != NULL ? folder : ".", file, error, size);
    if (fine) {
        json_dumpf(json, output.file, JSON_INDENT(1));
        fputc('\n', output.file);
        fine = file_end(&output, error, size);
    } else if (json == NULL) {
        snprintf(error, size, "out of memory");
    }
    json_decref(json);
    return fine;
}

void autolab_write(FILE *to, const struct grade *grade) {
    char points[32];
    fprintf(to, "{\"scores\": {\"%s\": %s}}\n", grade->lab, score_points_text(points, grade->points));
}

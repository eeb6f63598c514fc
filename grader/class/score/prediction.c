/* prediction.c: what a student foretold of the kernel, by the keys of the lab's predict.ini, and
 * how much of it came true. Speedups are those of the graded run; all else is what the student's
 * own run shows (score.h), which tells nothing of secret inputs. */
#include "class/score/score.h"

#include "base/file.h"
#include "lab/learner/predict.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { QUESTIONS_MOST = 64 << 10 };

/* The lab's questions; none where it has no predict.ini. False and one line: the file is
 * damaged. */
static bool load_questions(const char *root, const struct lab *lab, struct predict_keys *keys, char *error,
                           size_t size) {
    char path[PATH_SIZE];
    size_t length;
    *keys = (struct predict_keys){.count = 0};
    if (!path_print(path, "%s/labs/%s-%s/predict.ini", root, lab->id, lab->topic) || access(path, F_OK) != 0)
        return true;
    char *text = file_read(path, QUESTIONS_MOST, &length, error, size);
    bool right = text != NULL && predict_parse(text, length, path, keys, error, size);
    free(text);
    return right;
}

static enum predict_read read_of(const struct predict_keys *keys, const char *name) {
    for (unsigned i = 0; i < keys->count; i++)
        if (strcmp(keys->keys[i].name, name) == 0)
            return keys->keys[i].read;
    return PREDICT_NOTHING;
}

/* How many of the answers are right; their keys into `names`, and what the others came out as into `others`. */
static unsigned count_right(const struct predict_keys *keys, const struct score_result *result,
                            const char *text, char *names, size_t size, char *others, char *error,
                            size_t error_size) {
    struct report *graded = malloc(sizeof *graded), *shown = malloc(sizeof *shown);
    unsigned right = 0;
    names[0] = '\0';
    if (graded == NULL || shown == NULL) {
        snprintf(error, error_size, "out of memory");
    } else {
        *graded = result->report; /* the runs stay the result's */
        *shown = result->shown;
        predict_take(keys, text, graded, error, error_size);
        predict_take(keys, text, shown, error, error_size);
        predict_judge(keys, graded);
        predict_judge(keys, shown);
        for (uint32_t i = 0; i < graded->prediction_count; i++) {
            bool speedup = read_of(keys, graded->predictions[i].key) == PREDICT_SPEEDUP;
            const struct report_prediction *p = speedup ? &graded->predictions[i] : &shown->predictions[i];
            char *to = p->right ? names : others;
            size_t used = strlen(to);
            right += p->right;
            snprintf(to + used, size - used, "%s%s", used > 0 ? ", " : "", p->key);
            used = strlen(to);
            if (!p->right)
                snprintf(to + used, size - used, " %s and not %s",
                         p->measured[0] != '\0' ? p->measured : "(not measured)", p->predicted);
        }
    }
    free(graded);
    free(shown);
    return right;
}

bool score_prediction(const char *root, const struct lab *lab, const struct policy_rules *rules,
                      const struct score_result *results, unsigned count, const char *text,
                      struct score_prediction *prediction, char *error, size_t size) {
    struct predict_keys keys;
    char names[256] = "", others[256] = "", why[512] = "";
    *prediction = (struct score_prediction){.max = 0};
    if (!(rules->prediction_points > 0))
        return true;
    if (!load_questions(root, lab, &keys, error, size))
        return false;
    if (keys.count == 0)
        return true;
    prediction->max = rules->prediction_points;
    bool measured = count > 0 && strcmp(results[0].outcome, "judged") == 0 && results[0].has_report &&
                    results[0].has_shown;
    if (text[0] == '\0') {
        snprintf(prediction->said, sizeof prediction->said, "No prediction.txt was handed in.");
    } else if (measured) {
        unsigned right = count_right(&keys, &results[0], text, names, sizeof names, others, why, sizeof why);
        prediction->points = prediction->max * right / keys.count;
        snprintf(prediction->said, sizeof prediction->said, "%u of %u predictions came true%s%s.%s%.200s%s",
                 right, keys.count, right > 0 ? ": " : "", names, others[0] != '\0' ? " It is " : "", others,
                 others[0] != '\0' ? "." : "");
        prediction->unread = why[0] != '\0';
        if (prediction->unread)
            text_append(prediction->said, sizeof prediction->said, "In prediction.txt %.220s.", why);
    }
    return true;
}

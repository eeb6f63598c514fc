/* score.c: the arithmetic of one grade. */
#include "class/score/score.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static const char *member_text(const json_t *json, const char *key) {
    const char *text = json_string_value(json_object_get(json, key));
    return text != NULL ? text : "";
}

bool score_result_parse(struct score_result *result, const char *text) {
    char error[REPORT_ERROR_SIZE];
    *result = (struct score_result){.json = json_loads(text, 0, NULL)};
    if (!json_is_object(result->json)) {
        score_result_free(result);
        return false;
    }
    result->outcome = member_text(result->json, "outcome");
    result->message = member_text(result->json, "message");
    result->detail = member_text(result->json, "detail");
    const json_t *report = json_object_get(result->json, "report");
    result->has_report =
        json_is_object(report) && report_from_json(&result->report, report, error, sizeof error);
    const json_t *shown = json_object_get(result->json, "shown");
    result->has_shown = json_is_object(shown) && report_from_json(&result->shown, shown, error, sizeof error);
    return true;
}

void score_result_free(struct score_result *result) {
    if (result->has_report)
        report_free(&result->report);
    if (result->has_shown)
        report_free(&result->shown);
    json_decref(result->json);
    *result = (struct score_result){0};
}

void score_what(struct grade *grade, const char *lab, const char *sha256, const struct policy_rules *rules) {
    grade->devices = rules->devices;
    snprintf(grade->lab, sizeof grade->lab, "%s", lab);
    snprintf(grade->sha256, sizeof grade->sha256, "%s", sha256);
    snprintf(grade->gpu, sizeof grade->gpu, "%s", rules->gpu);
    snprintf(grade->size, sizeof grade->size, "%s", rules->size);
    snprintf(grade->key_name, sizeof grade->key_name, "%s", rules->key_name);
}

unsigned score_results_of(struct gradebook *book, const struct grade *grade, struct score_result results[2]) {
    static const char *const devices[] = {"sim", "cuda"};
    unsigned count = 0;
    for (unsigned d = 0; d < 2; d++) {
        char *text = (grade->devices & (1U << d)) != 0 && grade->sha256[0] != '\0'
                         ? gradebook_result(book, grade->sha256, grade->lab, devices[d], grade->gpu,
                                            grade->size, grade->key_name)
                         : NULL;
        count += text != NULL && score_result_parse(&results[count], text);
        free(text);
    }
    return count;
}

void score_goal(const struct policy *policy, const struct report *report, const struct report_goal *goal,
                double *points, double *max) {
    const struct policy_goal *own = policy_goal(policy, report->lab, goal->name);
    bool cuda = report->device.kind == DEVICE_CUDA;
    bool has = own != NULL && (cuda ? own->has_cuda : own->has_sim);
    struct lab_threshold threshold = {.zero = goal->zero, .full = goal->full};
    *max = own != NULL && isfinite(own->points) ? own->points : goal->max;
    *points = goal->points;
    bool uncounted = goal->barred != NULL && goal->max == 0; /* the judge's machine could not measure it */
    if (uncounted)
        *max = 0;
    if (own == NULL || uncounted)
        return;
    if (has)
        threshold = cuda ? own->cuda : own->sim;
    double kept = goal->barred == NULL ? 1 : isnan(goal->kept) ? 0 : fmin(fmax(goal->kept, 0), 1);
    *points = kept * lab_points_in_doubt(&threshold, goal->value, goal->benefit, *max);
}

/* The share of the full score that a judged report earns, 0..1. */
static double share_of(const struct policy *policy, const struct report *report) {
    double points = 0, max = 0;
    for (uint32_t i = 0; i < report->goal_count; i++) {
        double goal_points, goal_max;
        score_goal(policy, report, &report->goals[i], &goal_points, &goal_max);
        if (!(goal_max > 0 && isfinite(goal_max)))
            continue;
        /* a result is believed of what was measured, never of more than there is to earn */
        points += isfinite(goal_points) ? fmin(fmax(goal_points, 0), goal_max) : 0;
        max += goal_max;
    }
    return max > 0 ? points / max : 0;
}

static double rounded(double points) {
    return round(points * 100) / 100;
}

const char *score_points_text(char text[32], double points) {
    snprintf(text, 32, "%.2f", points);
    for (char *end = text + strlen(text) - 1; *end == '0'; end--)
        *end = '\0';
    if (text[strlen(text) - 1] == '.')
        text[strlen(text) - 1] = '\0';
    return text;
}

/* A text as a sentence: it ends with one full stop. */
static void append_sentence(char *to, size_t size, const char *text) {
    size_t length = strlen(text);
    if (length > 0)
        text_append(to, size, "%s%s", text, strchr(".!?", text[length - 1]) != NULL ? "" : ".");
}

/* Names, once each. */
static void collect_flags(const struct score_result *result, const struct policy_rules *rules,
                          const struct instructor_word *word, struct grade *grade, bool *zero) {
    const json_t *flags = json_object_get(result->json, "flags"), *flag;
    size_t index;
    json_array_foreach(flags, index, flag) {
        char name[64], spaced[GRADE_FLAGS + 2], wanted[80];
        text_clean(name, sizeof name, member_text(flag, "name"));
        snprintf(spaced, sizeof spaced, " %s ", grade->flags);
        snprintf(wanted, sizeof wanted, " %s ", name);
        if (name[0] == '\0' || strstr(spaced, wanted) != NULL)
            continue;
        text_append(grade->flags, sizeof grade->flags, "%s", name);
        if (word != NULL && instructor_waives(word, name))
            continue;
        if (policy_flag_zero(rules, name)) {
            *zero = true;
            text_append(grade->message, sizeof grade->message, "Flag %s: it %s.", name,
                        member_text(flag, "message"));
        } else {
            text_append(grade->human, sizeof grade->human, "The flag %s is not counted against it.", name);
        }
    }
}

static bool judged(const struct score_result *result) {
    return strcmp(result->outcome, "judged") == 0 && result->has_report;
}

/* The worst of the devices' outcomes is the grade's. */
static void take_outcome(const struct score_result *result, struct grade *grade) {
    static const char *const order[] = {"judged", "failed", "build-failed", "trouble"};
    int now = 0, then = 0;
    for (int i = 0; i < 4; i++) {
        now = strcmp(result->outcome, order[i]) == 0 ? i : now;
        then = strcmp(grade->outcome, order[i]) == 0 ? i : then;
    }
    if (grade->outcome[0] == '\0' || now > then)
        snprintf(grade->outcome, sizeof grade->outcome, "%s", result->outcome);
    if (!judged(result) && result->message[0] != '\0' && strstr(grade->message, result->message) == NULL)
        append_sentence(grade->message, sizeof grade->message, result->message);
}

static void take_lateness(const struct policy_rules *rules, const struct score_circumstances *of,
                          struct grade *grade) {
    char text[32], free_days[64] = "";
    grade->deadline = rules->deadline != 0 ? rules->deadline + (int64_t)(of->extension_hours * 3600) : 0;
    grade->late_days = policy_late_days(rules, grade->submitted, of->extension_hours);
    if (grade->late_days == 0 || (of->word != NULL && instructor_waives(of->word, "late")))
        return;
    bool too_late = grade->late_days > rules->late_days; /* never for NAN */
    /* where nothing is earned there is nothing to save */
    grade->free_days = too_late || grade->earned == 0     ? 0
                       : grade->late_days < of->free_days ? grade->late_days
                                                          : of->free_days;
    grade->late_percent = policy_late_percent(rules, grade->late_days, grade->free_days);
    if (grade->free_days > 0)
        snprintf(free_days, sizeof free_days, " (%u of your free late days)", grade->free_days);
    const char *days = grade->late_days == 1 ? "" : "s";
    if (too_late)
        text_append(grade->message, sizeof grade->message, "%u day%s late; more than %g day%s late: nothing.",
                    grade->late_days, days, rules->late_days, rules->late_days == 1 ? "" : "s");
    else
        text_append(grade->message, sizeof grade->message, "%u day%s late%s: %s %% off.", grade->late_days,
                    days, free_days, score_points_text(text, grade->late_percent));
}

void score_platform_word(const struct policy_rules *rules, int word, struct grade *grade) {
    bool timed = rules->deadline != 0 && grade->submitted != 0;
    if (word == SUBMISSION_LATE && !timed)
        text_append(grade->human, sizeof grade->human,
                    rules->deadline == 0
                        ? "The platform calls it late, and the policy has no deadline."
                        : "The platform calls it late, and when it was handed in is not known.");
    else if (word == SUBMISSION_NO_WORD && !timed && rules->deadline != 0 && grade->sha256[0] != '\0')
        text_append(grade->human, sizeof grade->human, "When it was handed in is not known.");
}

/* The instructor's word stands above all that was computed. */
static void take_instructor(const struct instructor_word *word, double pass, struct grade *grade) {
    char points[32], max[32], before[32], said[GRADE_MESSAGE] = "";
    bool open = grade_is_open(grade);
    score_points_text(before, grade->points);
    if (word->excused) {
        grade->excused = true;
        grade->points = grade->earned = grade->late_percent = grade->free_days = 0;
        grade->passed = false;
        text_append(said, sizeof said,
                    "Your instructor has excused you from this lab: it counts for nothing.");
    } else if (isfinite(word->points)) {
        grade->points = grade->earned = rounded(word->points);
        grade->late_percent = 0;
        grade->free_days = 0;
        grade->passed = grade->points >= pass;
        /* they are points also where the judge has not come to any */
        if (open)
            snprintf(grade->outcome, sizeof grade->outcome, "%s", "judged");
        text_append(said, sizeof said, "Your instructor has set this to %s of %s points%s%s.",
                    score_points_text(points, grade->points), score_points_text(max, grade->max),
                    open ? "" : "; it was ", open ? "" : before);
    } else {
        text_append(said, sizeof said, "Your instructor has waived: %s.", word->waived);
        if (grade->sha256[0] != '\0' && !open && strcmp(grade->outcome, "judged") != 0 &&
            strcmp(word->waived, "late") != 0)
            text_append(
                grade->human, sizeof grade->human,
                "Waived, and it has no points all the same, for nothing was measured: REJUDGE, or points "
                "by hand.");
    }
    append_sentence(said, sizeof said, word->remark);
    snprintf(grade->override, sizeof grade->override, "%s", said);
    char message[GRADE_MESSAGE];
    snprintf(message, sizeof message, "%s", grade->message);
    grade->message[0] = '\0';
    text_append(grade->message, sizeof grade->message, "%s", said);
    bool answered = open && (word->excused || isfinite(word->points)); /* why there was no grade */
    if (message[0] != '\0' && !answered)
        text_append(grade->message, sizeof grade->message, "%s", message);
}

void score_grade(const struct policy *policy, const struct policy_rules *rules, const struct lab *lab,
                 const struct score_result *results, unsigned count, const struct score_circumstances *of,
                 struct grade *grade) {
    const struct instructor_word *word = of->word != NULL && of->word->present ? of->word : NULL;
    double own_max = policy_goal_points(policy, lab), share = 0;
    bool zero = false, all_judged = count > 0;
    grade->max = isfinite(rules->points) ? rules->points : own_max;
    double scale = own_max > 0 ? grade->max / own_max : 1;
    double pass = isfinite(rules->pass) ? rules->pass : lab->pass * scale;
    for (unsigned i = 0; i < count; i++) {
        take_outcome(&results[i], grade);
        collect_flags(&results[i], rules, word, grade, &zero);
        all_judged = all_judged && judged(&results[i]);
        share += judged(&results[i]) ? share_of(policy, &results[i].report) / count : 0;
    }
    if (count == 0 && grade->outcome[0] == '\0')
        snprintf(grade->outcome, sizeof grade->outcome, "%s", "waiting");
    if (strcmp(grade->outcome, "waiting") == 0)
        text_append(grade->message, sizeof grade->message, "Not judged yet.");
    /* wrong on one device is wrong */
    grade->earned = all_judged && !zero ? rounded(share * grade->max) : 0;
    grade->max += of->prediction.max;
    if (all_judged && !zero)
        grade->earned = rounded(grade->earned + of->prediction.points);
    if (of->prediction.said[0] != '\0')
        text_append(grade->message, sizeof grade->message, "%s", of->prediction.said);
    if (of->prediction.unread)
        text_append(grade->human, sizeof grade->human, "A word of its prediction.txt cannot be read.");
    take_lateness(rules, of, grade);
    grade->points = rounded(grade->earned * (1 - grade->late_percent / 100));
    grade->passed = all_judged && !zero && grade->points >= pass;
    if (zero)
        text_append(
            grade->human, sizeof grade->human, "%s",
            all_judged ? "Flags cost it all points: look whether they are deserved."
                       : "It has flags, and was wrong or was stopped: without them it has no points either.");
    if (word != NULL)
        take_instructor(word, pass, grade);
}

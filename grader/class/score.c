/* score.c: the arithmetic of one grade; then every student of a class. */
#include "class/score.h"

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
    bool cuda = report->device.kind != NULL && strcmp(report->device.kind, "cuda") == 0;
    bool has = own != NULL && (cuda ? own->has_cuda : own->has_sim);
    struct lab_threshold threshold = {.zero = goal->zero, .full = goal->full};
    *max = own != NULL && isfinite(own->points) ? own->points : goal->max;
    *points = goal->points;
    if (own == NULL)
        return;
    if (has)
        threshold = cuda ? own->cuda : own->sim;
    *points = goal->barred != NULL ? 0 : lab_points(&threshold, goal->value, *max);
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

static double lab_max(const struct policy *policy, const struct lab *lab) {
    double max = 0;
    for (unsigned i = 0; i < lab->goal_count; i++) {
        const struct policy_goal *own = policy_goal(policy, lab->id, lab->goals[i].name);
        max += own != NULL && isfinite(own->points) ? own->points : lab->goals[i].points;
    }
    double steps = lab_step_points(lab, lab->step_count);
    const struct policy_goal *own = policy_goal(policy, lab->id, LAB_STEPS_GOAL);
    if (steps > 0)
        max += own != NULL && isfinite(own->points) ? own->points : steps;
    return max;
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

__attribute__((format(printf, 3, 4))) static void append(char *to, size_t size, const char *format, ...) {
    size_t used = strlen(to);
    char raw[GRADE_MESSAGE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(raw, sizeof raw, format, arguments);
    va_end(arguments);
    if (used > 0 && used + 1 < size)
        to[used++] = ' ';
    if (used < size)
        text_clean(to + used, size - used, raw);
}

/* Names, once each. */
static void collect_flags(const struct score_result *result, const struct policy_rules *rules,
                          struct grade *grade, bool *zero) {
    const json_t *flags = json_object_get(result->json, "flags"), *flag;
    size_t index;
    json_array_foreach(flags, index, flag) {
        char name[64], spaced[GRADE_FLAGS + 2], wanted[80];
        text_clean(name, sizeof name, member_text(flag, "name"));
        snprintf(spaced, sizeof spaced, " %s ", grade->flags);
        snprintf(wanted, sizeof wanted, " %s ", name);
        if (name[0] == '\0' || strstr(spaced, wanted) != NULL)
            continue;
        append(grade->flags, sizeof grade->flags, "%s", name);
        if (policy_flag_zero(rules, name)) {
            *zero = true;
            append(grade->message, sizeof grade->message, "Flag %s: it %s.", name,
                   member_text(flag, "message"));
        } else {
            append(grade->human, sizeof grade->human, "The flag %s is not counted against it.", name);
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
        append(grade->message, sizeof grade->message, "%s", result->message);
}

static void take_lateness(const struct policy_rules *rules, double extension_hours, struct grade *grade) {
    char text[32];
    grade->deadline = rules->deadline != 0 ? rules->deadline + (int64_t)(extension_hours * 3600) : 0;
    grade->late_percent = policy_late_percent(rules, grade->submitted, extension_hours, &grade->late_days);
    if (grade->late_days > 0)
        append(grade->message, sizeof grade->message, "%u day%s late: %s %% off.", grade->late_days,
               grade->late_days == 1 ? "" : "s", score_points_text(text, grade->late_percent));
}

/* What the platform says where it does not tell the time: that costs nothing by itself. */
static void take_word(const struct policy_rules *rules, int word, struct grade *grade) {
    bool timed = rules->deadline != 0 && grade->submitted != 0;
    if (word == SUBMISSION_LATE && !timed)
        append(grade->human, sizeof grade->human,
               rules->deadline == 0 ? "The platform calls it late, and the policy has no deadline."
                                    : "The platform calls it late, and when it was handed in is not known.");
    else if (word == SUBMISSION_NO_WORD && !timed && rules->deadline != 0 && grade->sha256[0] != '\0')
        append(grade->human, sizeof grade->human, "When it was handed in is not known.");
}

void score_grade(const struct policy *policy, const struct policy_rules *rules, const struct lab *lab,
                 const struct score_result *results, unsigned count, double extension_hours,
                 struct grade *grade) {
    double own_max = lab_max(policy, lab), share = 0;
    bool zero = false, all_judged = count > 0;
    grade->max = isfinite(rules->points) ? rules->points : own_max;
    double scale = own_max > 0 ? grade->max / own_max : 1;
    double pass = isfinite(rules->pass) ? rules->pass : lab->pass * scale;
    for (unsigned i = 0; i < count; i++) {
        take_outcome(&results[i], grade);
        collect_flags(&results[i], rules, grade, &zero);
        all_judged = all_judged && judged(&results[i]);
        share += judged(&results[i]) ? share_of(policy, &results[i].report) / count : 0;
    }
    if (count == 0 && grade->outcome[0] == '\0')
        snprintf(grade->outcome, sizeof grade->outcome, "%s", "waiting");
    if (strcmp(grade->outcome, "waiting") == 0)
        append(grade->message, sizeof grade->message, "Not judged yet.");
    /* wrong on one device is wrong */
    grade->earned = all_judged && !zero ? rounded(share * grade->max) : 0;
    take_lateness(rules, extension_hours, grade);
    grade->points = rounded(grade->earned * (1 - grade->late_percent / 100));
    grade->passed = all_judged && !zero && grade->points >= pass;
    if (zero)
        append(grade->human, sizeof grade->human,
               "Flags cost it all points: look whether they are deserved.");
}

/* ---- a whole class: from the gradebook's submissions and results to its grades */

/* Is there a job of this kernel that the grader gave up? Why, for the staff. */
static bool is_trouble(struct plan *plan, const struct grade *grade, char *why, size_t size) {
    sqlite3_stmt *statement =
        gradebook_prepare(plan->book,
                          "SELECT json_extract(r.result, '$.message')"
                          " FROM jobs j JOIN results r ON r.job = j.key"
                          " WHERE j.sha256 = ? AND j.lab = ? AND j.wanted AND j.state = 'trouble'"
                          " ORDER BY r.id DESC LIMIT 1",
                          "ss", grade->sha256, grade->lab);
    bool trouble = statement != NULL && sqlite3_step(statement) == SQLITE_ROW;
    text_clean(why, size, trouble ? gradebook_text(statement, 0) : "");
    sqlite3_finalize(statement);
    return trouble;
}

/* The stored results of a kernel, one for each device; none when one of them lacks. */
static unsigned load_results(struct plan *plan, struct grade *grade, struct score_result results[2]) {
    unsigned wanted = ((grade->devices & POLICY_SIM) != 0) + ((grade->devices & POLICY_CUDA) != 0);
    unsigned count = score_results_of(plan->book, grade, results);
    if (count == wanted)
        return count;
    for (unsigned i = 0; i < count; i++)
        score_result_free(&results[i]);
    char why[512];
    if (is_trouble(plan, grade, why, sizeof why)) {
        strcpy(grade->outcome, "trouble");
        snprintf(grade->human, sizeof grade->human, "The grader could not judge it: %s Run it again.", why);
        snprintf(grade->message, sizeof grade->message,
                 "The grader could not judge it; this is not your fault, and your instructor is told.");
    }
    return 0;
}

struct scoring {
    struct plan *plan;
    const struct lab *lab;
    struct policy_rules rules;
    bool has_roster;
};

static bool score_one(struct scoring *scoring, sqlite3_stmt *row, struct grade *grade) {
    struct plan *plan = scoring->plan;
    struct score_result results[2];
    unsigned count = 0;
    *grade = (struct grade){.devices = scoring->rules.devices};
    snprintf(grade->key_name, sizeof grade->key_name, "%s", scoring->rules.key_name);
    text_clean(grade->student, sizeof grade->student, gradebook_text(row, 0));
    snprintf(grade->lab, sizeof grade->lab, "%s", scoring->lab->id);
    snprintf(grade->gpu, sizeof grade->gpu, "%s", scoring->rules.gpu);
    snprintf(grade->size, sizeof grade->size, "%s", scoring->rules.size);
    snprintf(grade->sha256, sizeof grade->sha256, "%s", gradebook_text(row, 3));
    grade->submitted = sqlite3_column_int64(row, 4);
    const char *problem = gradebook_text(row, 5);
    if (sqlite3_column_type(row, 3) == SQLITE_NULL) {
        strcpy(grade->outcome, "missing");
        snprintf(grade->message, sizeof grade->message, "Nothing was handed in.");
    } else if (grade->sha256[0] == '\0') {
        strcpy(grade->outcome, "missing");
        text_clean(grade->message, sizeof grade->message, problem);
        snprintf(grade->human, sizeof grade->human, "Something was handed in, but no kernel.cu to judge.");
    } else {
        count = load_results(plan, grade, results);
    }
    if (scoring->has_roster && sqlite3_column_int(row, 1) == 0)
        snprintf(grade->human + strlen(grade->human), sizeof grade->human - strlen(grade->human),
                 "%sNot in the roster.", grade->human[0] != '\0' ? " " : "");
    if (gradebook_text(row, 7)[0] != '\0')
        append(grade->human, sizeof grade->human, "%s", gradebook_text(row, 7));
    take_word(&scoring->rules, sqlite3_column_int(row, 6), grade);
    score_grade(&plan->policy, &scoring->rules, scoring->lab, results, count, sqlite3_column_double(row, 2),
                grade);
    for (unsigned i = 0; i < count; i++)
        score_result_free(&results[i]);
    return gradebook_put_grade(plan->book, grade) || plan_book_failed(plan);
}

static bool score_lab(struct plan *plan, const struct lab *lab) {
    char roster[8];
    struct scoring scoring = {.plan = plan, .lab = lab};
    if (!gradebook_get(plan->book, "roster", roster, sizeof roster))
        return plan_book_failed(plan);
    scoring.has_roster = roster[0] != '\0';
    if (!plan_rules(plan, lab->id, &scoring.rules))
        return false;
    if (plan->options->only == NULL &&
        !gradebook_do(plan->book, "DELETE FROM grades WHERE lab = ?", "s", lab->id))
        return plan_book_failed(plan);
    sqlite3_stmt *row = gradebook_prepare(plan->book,
                                          "SELECT s.id, s.in_roster, s.extension_hours,"
                                          " m.sha256, m.submitted, m.problem, m.late, m.human"
                                          " FROM students s"
                                          " LEFT JOIN submissions m ON m.student = s.id AND m.lab = ?"
                                          " WHERE s.in_roster OR m.student IS NOT NULL"
                                          " ORDER BY s.id",
                                          "s", lab->id);
    struct grade *grade = malloc(sizeof *grade);
    bool right = row != NULL && grade != NULL;
    if (!right)
        plan_refuse(plan, "%s", row == NULL ? plan->book->error : "out of memory");
    while (right && sqlite3_step(row) == SQLITE_ROW)
        if (plan_wants(plan, gradebook_text(row, 0)))
            right = score_one(&scoring, row, grade);
    free(grade);
    sqlite3_finalize(row);
    return right;
}

bool score_class(struct plan *plan) {
    if (!gradebook_begin(plan->book))
        return plan_book_failed(plan);
    bool right = true;
    for (unsigned i = 0; right && i < plan->lab_count; i++)
        right = score_lab(plan, &plan->labs[i]);
    if (right && (gradebook_commit(plan->book) || plan_book_failed(plan)))
        return true;
    gradebook_rollback(plan->book);
    return false;
}

/* score_class.c: from the gradebook's submissions and results to a class's grades. */
#include "class/score/score.h"

#include "class/alike/alike.h"
#include "class/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct scoring {
    struct plan *plan;
    const struct lab *lab;
    struct policy_rules rules;
    bool has_roster;
};

/* A student's row: who, and what the last download had. */
enum {
    ROW_STUDENT,
    ROW_IN_ROSTER,
    ROW_EXTENSION,
    ROW_SHA256,
    ROW_SUBMITTED,
    ROW_PROBLEM,
    ROW_WORD,
    ROW_HUMAN
};

bool score_trouble(struct gradebook *book, const struct grade *grade, char *why, size_t size) {
    sqlite3_stmt *statement =
        gradebook_prepare(book,
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

/* The stored results of a kernel, one for each device; none when one of them lacks. False: one is damaged. */
static bool load_results(struct plan *plan, struct grade *grade, struct score_result results[2],
                         unsigned *count) {
    unsigned wanted = ((grade->devices & POLICY_SIM) != 0) + ((grade->devices & POLICY_CUDA) != 0);
    char why[512];
    plan->book->error[0] = '\0';
    *count = score_results_of(plan->book, grade, results);
    bool right = plan->book->error[0] == '\0' || plan_book_failed(plan);
    bool trouble = score_trouble(plan->book, grade, why, sizeof why);
    if (right && *count == wanted) {
        if (trouble)
            text_append(grade->human, sizeof grade->human,
                        "The grader could not judge it again: %s What it said before counts.", why);
        return true;
    }
    while (*count > 0)
        score_result_free(&results[--*count]);
    if (trouble) {
        strcpy(grade->outcome, "trouble");
        text_append(grade->human, sizeof grade->human, "The grader could not judge it: %s Run it again.",
                    why);
        snprintf(grade->message, sizeof grade->message,
                 "The grader could not judge it; this is not your fault, and your instructor is told.");
    }
    return right;
}

/* Days late that a student has not used up in labs whose deadlines came before. They are scored before. */
static bool days_left(struct scoring *scoring, const char *student, unsigned *left) {
    struct plan *plan = scoring->plan;
    unsigned used = 0, budget = (unsigned)plan->policy.all.free_late_days;
    *left = 0;
    if (budget == 0)
        return true;
    sqlite3_stmt *row = gradebook_prepare(
        plan->book, "SELECT lab, free_days FROM grades WHERE student = ? AND lab <> ? AND free_days > 0",
        "ss", student, scoring->lab->id);
    if (row == NULL)
        return plan_book_failed(plan);
    while (sqlite3_step(row) == SQLITE_ROW) {
        struct policy_rules other;
        policy_rules(&plan->policy, gradebook_text(row, 0), &other);
        bool before = other.deadline != 0 && (other.deadline < scoring->rules.deadline ||
                                              (other.deadline == scoring->rules.deadline &&
                                               strcmp(gradebook_text(row, 0), scoring->lab->id) < 0));
        used += before ? (unsigned)sqlite3_column_int(row, 1) : 0;
    }
    sqlite3_finalize(row);
    *left = used < budget ? budget - used : 0;
    return true;
}

/* A kernel, and what was handed in with it. */
struct handed_in {
    const char *sha256;     /* NULL: nothing was handed in; "": no kernel */
    const char *prediction; /* "": none */
    int64_t submitted;
    int word; /* enum submission_word */
};

/* The grade that one submission of a student's would get. */
static bool score_kernel(struct scoring *scoring, sqlite3_stmt *row, const struct score_circumstances *of,
                         const struct handed_in *handed_in, struct grade *grade) {
    const char *sha256 = handed_in->sha256;
    int word = handed_in->word;
    struct plan *plan = scoring->plan;
    struct score_result results[2];
    unsigned count = 0;
    *grade = (struct grade){.submitted = handed_in->submitted};
    score_what(grade, scoring->lab->id, sha256 != NULL ? sha256 : "", &scoring->rules);
    text_clean(grade->student, sizeof grade->student, gradebook_text(row, ROW_STUDENT));
    if (sha256 == NULL) {
        strcpy(grade->outcome, "missing");
        snprintf(grade->message, sizeof grade->message, "Nothing was handed in.");
    } else if (word == SUBMISSION_ABSENT) {
        strcpy(grade->outcome, "absent");
        snprintf(grade->message, sizeof grade->message,
                 "What you handed in has not reached the grader; your instructor is told.");
    } else if (word == SUBMISSION_DISPUTED) {
        strcpy(grade->outcome, "disputed");
        text_clean(grade->message, sizeof grade->message, gradebook_text(row, ROW_PROBLEM));
    } else if (*sha256 == '\0') {
        strcpy(grade->outcome, "missing");
        text_clean(grade->message, sizeof grade->message, gradebook_text(row, ROW_PROBLEM));
        text_append(grade->human, sizeof grade->human, "Something was handed in, but no kernel.cu to judge.");
    } else if (!load_results(plan, grade, results, &count)) {
        return false;
    }
    if (scoring->has_roster && sqlite3_column_int(row, ROW_IN_ROSTER) == 0)
        text_append(grade->human, sizeof grade->human, "Not in the roster.");
    bool answered = (word == SUBMISSION_ABSENT || word == SUBMISSION_DISPUTED) &&
                    (of->word->excused || isfinite(of->word->points));
    if (gradebook_text(row, ROW_HUMAN)[0] != '\0' && !answered)
        text_append(grade->human, sizeof grade->human, "%s", gradebook_text(row, ROW_HUMAN));
    score_platform_word(&scoring->rules, word, grade);
    struct score_circumstances with = *of;
    bool right = score_prediction(plan->options->root, scoring->lab, &scoring->rules, results, count,
                                  handed_in->prediction, &with.prediction, plan->error, sizeof plan->error);
    if (sha256 == NULL || *sha256 == '\0')
        with.prediction.said[0] = '\0';
    if (right)
        score_grade(&plan->policy, &scoring->rules, scoring->lab, results, count, &with, grade);
    for (unsigned i = 0; i < count; i++)
        score_result_free(&results[i]);
    return right;
}

/* Of the student's kernels, each with its prediction, the one that gets the most; of equal ones
 * the last. */
static bool take_best(struct scoring *scoring, sqlite3_stmt *row, const struct score_circumstances *of,
                      struct grade *best) {
    struct plan *plan = scoring->plan;
    struct grade *other = malloc(sizeof *other);
    sqlite3_stmt *kernel = gradebook_prepare(
        plan->book,
        "SELECT sha256, prediction, submitted, late FROM history WHERE student = ? AND lab = ? ORDER BY number DESC",
        "ss", gradebook_text(row, ROW_STUDENT), scoring->lab->id);
    bool right = other != NULL && kernel != NULL;
    if (!right)
        plan_refuse(plan, "%s", kernel == NULL ? plan->book->error : "out of memory");
    while (right && sqlite3_step(kernel) == SQLITE_ROW) {
        const struct handed_in earlier = {.sha256 = gradebook_text(kernel, 0),
                                          .prediction = gradebook_text(kernel, 1),
                                          .submitted = sqlite3_column_int64(kernel, 2),
                                          .word = sqlite3_column_int(kernel, 3)};
        right = score_kernel(scoring, row, of, &earlier, other);
        bool judged = strcmp(other->outcome, "waiting") != 0 && strcmp(other->outcome, "trouble") != 0;
        if (right && judged && other->points > best->points) {
            *best = *other;
            text_append(best->message, sizeof best->message,
                        "Of the kernels that were handed in the best counts, and not the last.");
        }
    }
    free(other);
    sqlite3_finalize(kernel);
    return right;
}

/* Every student's id and name, by what they look like; for this transaction. */
static bool collect_looks(struct gradebook *book) {
    if (!gradebook_run(book, "CREATE TEMP TABLE looks (student TEXT, text TEXT, looks TEXT)"))
        return false;
    sqlite3_stmt *row = gradebook_prepare(
        book, "SELECT id, id FROM students UNION SELECT id, name FROM students WHERE name <> ''", "");
    bool right = row != NULL;
    while (right && sqlite3_step(row) == SQLITE_ROW) {
        char key[2 * GRADE_NAME];
        lookalike_key(gradebook_text(row, 1), key, sizeof key);
        const char *id = gradebook_text(row, 0), *text = gradebook_text(row, 1);
        right = gradebook_do(book, "INSERT INTO looks VALUES (?, ?, ?)", "sss", id, text, key);
        if (!right || strcmp(id, text) != 0)
            continue;
        typed_key(id, key, sizeof key);
        right = gradebook_do(book, "INSERT INTO looks VALUES (?, ?, ?)", "sss", id, text, key);
    }
    sqlite3_finalize(row);
    return right && gradebook_run(book, "CREATE INDEX temp.by_looks ON looks (looks)");
}

/* Nobody can tell two names apart that only a computer can: whose is whose, a human has to see. */
static bool tell_lookalike(struct plan *plan, const char *student, struct grade *grade) {
    sqlite3_stmt *row = gradebook_prepare(
        plan->book,
        "SELECT DISTINCT other.student FROM looks mine JOIN looks other ON other.looks = mine.looks"
        " WHERE mine.student = ?1 AND other.student <> ?1 AND other.text <> mine.text ORDER BY other.student",
        "s", student);
    if (row == NULL)
        return plan_book_failed(plan);
    if (sqlite3_step(row) == SQLITE_ROW) {
        char other[GRADE_NAME];
        text_clean(other, sizeof other, gradebook_text(row, 0));
        text_append(
            grade->human, sizeof grade->human,
            "Looks like %s, who is somebody else to the computer: letters of another alphabet, another form "
            "of one, capitals or blanks?",
            other);
    }
    sqlite3_finalize(row);
    return true;
}

/* From results and rules; without what other grades have to do with it. */
static bool compute(struct scoring *scoring, sqlite3_stmt *row, struct grade *grade) {
    struct plan *plan = scoring->plan;
    const char *student = gradebook_text(row, ROW_STUDENT);
    struct instructor_word word;
    struct score_circumstances of = {.extension_hours = sqlite3_column_double(row, ROW_EXTENSION),
                                     .word = &word};
    if (!instructor_word(plan->book, student, scoring->lab->id, &word))
        return plan_book_failed(plan);
    if (!days_left(scoring, student, &of.free_days))
        return false;
    struct handed_in newest = {.submitted = sqlite3_column_int64(row, ROW_SUBMITTED),
                               .word = sqlite3_column_int(row, ROW_WORD)};
    if (sqlite3_column_type(row, ROW_SHA256) != SQLITE_NULL)
        newest.sha256 = gradebook_text(row, ROW_SHA256);
    char *prediction = gradebook_prediction(plan->book, student, scoring->lab->id);
    newest.prediction = prediction;
    bool right = (prediction != NULL || plan_book_failed(plan)) &&
                 score_kernel(scoring, row, &of, &newest, grade) &&
                 (!scoring->rules.best || word.present || newest.word == SUBMISSION_ABSENT ||
                  newest.word == SUBMISSION_DISPUTED || take_best(scoring, row, &of, grade));
    free(prediction);
    return right;
}

static bool score_one(struct scoring *scoring, sqlite3_stmt *row, struct grade *grade) {
    struct plan *plan = scoring->plan;
    const char *student = gradebook_text(row, ROW_STUDENT);
    unsigned open;
    if (!compute(scoring, row, grade))
        return false;
    if (!instructor_regrades(plan->book, student, scoring->lab->id, grade->regrades, sizeof grade->regrades,
                             &open))
        return plan_book_failed(plan);
    if (open > 0)
        text_append(grade->human, sizeof grade->human, "Asks for a regrade: no answer yet.");
    if (!tell_lookalike(plan, student, grade))
        return false;
    return gradebook_put_grade(plan->book, grade) || plan_book_failed(plan);
}

/* The students of a lab; student NULL: all of them. */
static sqlite3_stmt *students_of(struct plan *plan, const char *lab, const char *student) {
    return gradebook_prepare(plan->book,
                             "SELECT s.id, r.student IS NOT NULL, coalesce(r.extension_hours, 0),"
                             " m.sha256, m.submitted, m.problem, m.late, m.human"
                             " FROM students s"
                             " LEFT JOIN submissions m ON m.student = s.id AND m.lab = ?1"
                             " LEFT JOIN rosters r ON r.student = s.id AND r.lab = ?1"
                             " WHERE coalesce(r.student, m.student) IS NOT NULL AND (?2 IS NULL OR s.id = ?2)"
                             " ORDER BY s.id",
                             "ss", lab, student);
}

bool score_student(struct plan *plan, const char *student, const char *lab, struct grade *grade) {
    struct lab *loaded = malloc(sizeof *loaded);
    struct scoring scoring = {.plan = plan, .lab = loaded};
    if (loaded == NULL)
        return plan_refuse(plan, "out of memory");
    sqlite3_stmt *row = NULL;
    bool right = policy_lab(plan->options->root, lab, loaded, plan->error, sizeof plan->error) &&
                 plan_rules(plan, lab, &scoring.rules) &&
                 ((row = students_of(plan, lab, student)) != NULL || plan_book_failed(plan)) &&
                 sqlite3_step(row) == SQLITE_ROW && compute(&scoring, row, grade);
    sqlite3_finalize(row);
    free(loaded);
    return right;
}

static bool is_wanted(const void *plan, const char *student) {
    return plan_wants(plan, student);
}

/* Kernels that are too alike go to a human. */
static bool tell_alike(struct scoring *scoring) {
    struct plan *plan = scoring->plan;
    struct alike alike;
    if (plan->options->student != NULL)
        return true;
    if (!alike_find(plan->book, plan->options->root, scoring->lab->id, scoring->rules.alike_percent, &alike))
        return plan_book_failed(plan);
    bool right = alike_tell(plan->book, &alike, scoring->lab->id, is_wanted, plan);
    alike_free(&alike);
    return right || plan_book_failed(plan);
}

static bool score_lab(struct plan *plan, const struct lab *lab) {
    struct scoring scoring = {.plan = plan, .lab = lab};
    sqlite3_stmt *roster = gradebook_prepare(plan->book, "SELECT 1 FROM rosters WHERE lab = ?", "s", lab->id);
    if (roster == NULL)
        return plan_book_failed(plan);
    scoring.has_roster = sqlite3_step(roster) == SQLITE_ROW;
    sqlite3_finalize(roster);
    if (!plan_rules(plan, lab->id, &scoring.rules))
        return false;
    if (plan->options->only == NULL &&
        !gradebook_do(plan->book, "DELETE FROM grades WHERE lab = ?", "s", lab->id))
        return plan_book_failed(plan);
    sqlite3_stmt *row = students_of(plan, lab->id, NULL);
    struct grade *grade = malloc(sizeof *grade);
    bool right = row != NULL && grade != NULL;
    if (!right)
        plan_refuse(plan, "%s", row == NULL ? plan->book->error : "out of memory");
    while (right && sqlite3_step(row) == SQLITE_ROW)
        if (plan_wants(plan, gradebook_text(row, ROW_STUDENT)))
            right = score_one(&scoring, row, grade);
    free(grade);
    sqlite3_finalize(row);
    return right && tell_alike(&scoring);
}

/* The labs in the order of their deadlines, since free days are spent in it; all that the gradebook has, where there are such
 * days. */
static bool order_labs(struct plan *plan, unsigned order[PLAN_LABS]) {
    if (plan->policy.all.free_late_days > 0) {
        sqlite3_stmt *row =
            gradebook_prepare(plan->book, "SELECT DISTINCT lab FROM submissions ORDER BY lab", "");
        bool right = row != NULL || plan_book_failed(plan);
        while (right && sqlite3_step(row) == SQLITE_ROW)
            right = plan_add_lab(plan, gradebook_text(row, 0));
        sqlite3_finalize(row);
        if (!right)
            return false;
    }
    for (unsigned i = 0; i < plan->lab_count; i++) {
        struct policy_rules rules, other;
        unsigned at = i;
        policy_rules(&plan->policy, plan->labs[i].id, &rules);
        for (; at > 0; at--) {
            policy_rules(&plan->policy, plan->labs[order[at - 1]].id, &other);
            if (other.deadline < rules.deadline ||
                (other.deadline == rules.deadline &&
                 strcmp(plan->labs[order[at - 1]].id, plan->labs[i].id) < 0))
                break;
            order[at] = order[at - 1];
        }
        order[at] = i;
    }
    return true;
}

/* A policy that asks for other results than there are does not make nothing of those that count today. */
static bool check_lost(struct plan *plan) {
    int count = 0;
    char first[GRADE_NAME] = "";
    sqlite3_stmt *row = gradebook_prepare(
        plan->book,
        "SELECT count(*), min(g.student) FROM grades g JOIN before b ON b.student = g.student AND b.lab = g.lab"
        " WHERE g.outcome = 'waiting' AND b.outcome NOT IN ('waiting', 'trouble', 'missing')",
        "");
    if (row == NULL)
        return plan_book_failed(plan);
    if (sqlite3_step(row) == SQLITE_ROW) {
        count = sqlite3_column_int(row, 0);
        text_clean(first, sizeof first, gradebook_text(row, 1));
    }
    sqlite3_finalize(row);
    return count == 0 || plan->options->replace ||
           plan_refuse(
               plan,
               "%d who have a grade have no result under this policy, whose devices, GPU or size are others "
               "(%s%s): grade without --rescore (RESCORE=1); nothing was changed",
               count, first, count > 1 ? ", ..." : "");
}

/* A grade in the words of tell_changes; column: of points, maximum and excused. */
static const char *grade_text(char text[80], sqlite3_stmt *row, int column, bool with_max) {
    char points[32], max[32];
    if (sqlite3_column_type(row, column) == SQLITE_NULL)
        return "none";
    if (sqlite3_column_int(row, column + 2) != 0)
        return "excused";
    snprintf(text, 80, "%s%s%s", score_points_text(points, sqlite3_column_double(row, column)),
             with_max ? " of " : "",
             with_max ? score_points_text(max, sqlite3_column_double(row, column + 1)) : "");
    return text;
}

/* What was a grade and is another now: "lab1: 12 grades changed: ann 83.27 -> 66.62, ..." */
static bool tell_changes(struct plan *plan) {
    enum { SHOWN = 4 };
    char *to = plan->changed;
    size_t size = sizeof plan->changed, used = 0;
    sqlite3_stmt *row = gradebook_prepare(
        plan->book,
        "SELECT b.lab, b.student, count(*) OVER lab, row_number() OVER (lab ORDER BY b.student),"
        " b.points, b.max, b.excused, g.points, g.max, g.excused FROM before b"
        " LEFT JOIN grades g ON g.student = b.student AND g.lab = b.lab"
        " WHERE b.outcome NOT IN ('waiting', 'trouble', 'absent', 'disputed') AND"
        " (g.points IS NULL OR g.points <> b.points OR g.max <> b.max OR g.excused <> b.excused)"
        " WINDOW lab AS (PARTITION BY b.lab) ORDER BY length(b.lab), b.lab, b.student",
        "");
    if (row == NULL)
        return plan_book_failed(plan);
    while (sqlite3_step(row) == SQLITE_ROW && used < size) {
        int count = sqlite3_column_int(row, 2), number = sqlite3_column_int(row, 3);
        bool max = sqlite3_column_double(row, 5) != sqlite3_column_double(row, 8);
        char student[GRADE_NAME], was[80], is[80];
        text_clean(student, sizeof student, gradebook_text(row, 1));
        if (number == 1)
            used +=
                (size_t)snprintf(to + used, size - used, "%s: %d grade%s changed: ", gradebook_text(row, 0),
                                 count, count == 1 ? "" : "s");
        if (number <= SHOWN && used < size)
            used += (size_t)snprintf(to + used, size - used, "%s%s %s -> %s%s", number > 1 ? ", " : "",
                                     student, grade_text(was, row, 4, max), grade_text(is, row, 7, max),
                                     number == count   ? "\n"
                                     : number == SHOWN ? ", ...\n"
                                                       : "");
    }
    sqlite3_finalize(row);
    return true;
}

/* Points by hand of another maximum are no decision on this one. */
static bool check_decisions(struct plan *plan) {
    char student[GRADE_NAME], given[32], was[32], is[32];
    sqlite3_stmt *row =
        gradebook_prepare(plan->book,
                          "SELECT o.student, o.lab, o.points, b.max, g.max FROM overrides o"
                          " JOIN before b ON b.student = o.student AND b.lab = o.lab"
                          " JOIN grades g ON g.student = o.student AND g.lab = o.lab"
                          " WHERE o.points IS NOT NULL AND g.max <> b.max ORDER BY o.lab, o.student LIMIT 1",
                          "");
    if (row == NULL)
        return plan_book_failed(plan);
    bool other = sqlite3_step(row) == SQLITE_ROW && plan->options->overrides == NULL;
    if (other) {
        text_clean(student, sizeof student, gradebook_text(row, 0));
        plan_refuse(
            plan,
            "%s has %s points by hand in %s, of %s, and there are %s now: give OVERRIDES again; nothing "
            "was changed",
            student, score_points_text(given, sqlite3_column_double(row, 2)), gradebook_text(row, 1),
            score_points_text(was, sqlite3_column_double(row, 3)),
            score_points_text(is, sqlite3_column_double(row, 4)));
    }
    sqlite3_finalize(row);
    return !other;
}

bool score_class(struct plan *plan) {
    unsigned order[PLAN_LABS] = {0};
    if (!gradebook_begin(plan->book))
        return plan_book_failed(plan);
    bool right =
        gradebook_run(plan->book, "CREATE TEMP TABLE before AS"
                                  " SELECT student, lab, outcome, points, max, excused FROM grades") ||
        plan_book_failed(plan);
    if (plan->options->rescore)
        right = right && plan_names_of_book(plan) && plan_names_check(plan) && instructor_put(plan);
    right = right && plan_keep_policy(plan) && (collect_looks(plan->book) || plan_book_failed(plan)) &&
            order_labs(plan, order);
    for (unsigned i = 0; right && i < plan->lab_count; i++)
        right = score_lab(plan, &plan->labs[order[i]]);
    right = right && check_lost(plan) && check_decisions(plan) && tell_changes(plan) &&
            (gradebook_run(plan->book, "DROP TABLE looks; DROP TABLE before") || plan_book_failed(plan));
    if (right && plan->options->dry_run) {
        gradebook_rollback(plan->book);
        return true;
    }
    if (right && (gradebook_commit(plan->book) || plan_book_failed(plan)))
        return true;
    gradebook_rollback(plan->book);
    return false;
}

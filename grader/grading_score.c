/* From the gradebook's submissions and results to its grades. */
#include "grader/grading.h"

#include "grader/score.h"

#include <stdlib.h>
#include <string.h>

/* Is there a job of this kernel that the grader gave up? Why, for the staff. */
static bool is_trouble(struct grading *grading, const struct grade *grade, char *why, size_t size) {
    sqlite3_stmt *statement =
        gradebook_prepare(grading->book,
                          "SELECT json_extract(r.result, '$.message') FROM jobs j JOIN results r ON r.job = "
                          "j.key WHERE j.sha256 = ?"
                          " AND j.lab = ? AND j.wanted AND j.state = 'trouble' ORDER BY r.id DESC LIMIT 1",
                          "ss", grade->sha256, grade->lab);
    bool trouble = statement != NULL && sqlite3_step(statement) == SQLITE_ROW;
    text_clean(why, size, trouble ? gradebook_text(statement, 0) : "");
    sqlite3_finalize(statement);
    return trouble;
}

/* The stored results of a kernel, one for each device; none when one of them lacks. */
static unsigned load_results(struct grading *grading, struct grade *grade, struct score_result results[2]) {
    unsigned wanted = ((grade->devices & POLICY_SIM) != 0) + ((grade->devices & POLICY_CUDA) != 0);
    unsigned count = score_results_of(grading->book, grade, results);
    if (count == wanted)
        return count;
    for (unsigned i = 0; i < count; i++)
        score_result_free(&results[i]);
    char why[512];
    if (is_trouble(grading, grade, why, sizeof why)) {
        strcpy(grade->outcome, "trouble");
        snprintf(grade->human, sizeof grade->human, "The grader could not judge it: %s Run it again.", why);
        snprintf(grade->message, sizeof grade->message,
                 "The grader could not judge it; this is not your fault, and your instructor is told.");
    }
    return 0;
}

struct scoring {
    struct grading *grading;
    const struct lab *lab;
    struct policy_rules rules;
    bool has_roster;
};

static bool score_one(struct scoring *scoring, sqlite3_stmt *row, struct grade *grade) {
    struct grading *grading = scoring->grading;
    struct score_result results[2];
    unsigned count = 0;
    *grade = (struct grade){.devices = scoring->rules.devices, .seed = scoring->rules.seed};
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
        count = load_results(grading, grade, results);
    }
    if (scoring->has_roster && sqlite3_column_int(row, 1) == 0)
        snprintf(grade->human + strlen(grade->human), sizeof grade->human - strlen(grade->human),
                 "%sNot in the roster.", grade->human[0] != '\0' ? " " : "");
    if (sqlite3_column_int(row, 6) != 0 && scoring->rules.deadline == 0)
        snprintf(grade->human + strlen(grade->human), sizeof grade->human - strlen(grade->human),
                 "%sThe platform calls it late, and the policy has no deadline.",
                 grade->human[0] != '\0' ? " " : "");
    score_grade(&grading->policy, &scoring->rules, scoring->lab, results, count,
                sqlite3_column_double(row, 2), grade);
    for (unsigned i = 0; i < count; i++)
        score_result_free(&results[i]);
    return gradebook_put_grade(grading->book, grade) || grading_book_failed(grading);
}

static bool score_lab(struct grading *grading, const struct lab *lab) {
    char roster[8];
    struct scoring scoring = {.grading = grading, .lab = lab};
    if (!gradebook_get(grading->book, "roster", roster, sizeof roster))
        return grading_book_failed(grading);
    scoring.has_roster = roster[0] != '\0';
    if (!grading_rules(grading, lab->id, &scoring.rules))
        return false;
    if (grading->options->only == NULL &&
        !gradebook_do(grading->book, "DELETE FROM grades WHERE lab = ?", "s", lab->id))
        return grading_book_failed(grading);
    sqlite3_stmt *row = gradebook_prepare(grading->book,
                                          "SELECT s.id, s.in_roster, s.extension_hours, m.sha256, "
                                          "m.submitted, m.problem, m.late FROM students s"
                                          " LEFT JOIN submissions m ON m.student = s.id AND m.lab = ? WHERE "
                                          "s.in_roster OR m.student IS NOT NULL"
                                          " ORDER BY s.id",
                                          "s", lab->id);
    struct grade *grade = malloc(sizeof *grade);
    bool fine = row != NULL && grade != NULL;
    if (!fine)
        grading_refuse(grading, "%s", row == NULL ? grading->book->error : "out of memory");
    while (fine && sqlite3_step(row) == SQLITE_ROW)
        if (grading_wants(grading, gradebook_text(row, 0)))
            fine = score_one(&scoring, row, grade);
    free(grade);
    sqlite3_finalize(row);
    return fine;
}

bool grading_score(struct grading *grading) {
    if (!gradebook_begin(grading->book))
        return grading_book_failed(grading);
    bool fine = true;
    for (unsigned i = 0; fine && i < grading->lab_count; i++)
        fine = score_lab(grading, &grading->labs[i]);
    if (fine && (gradebook_commit(grading->book) || grading_book_failed(grading)))
        return true;
    gradebook_rollback(grading->book);
    return false;
}

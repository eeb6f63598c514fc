/* plan_ids.c: a student's id from one roster to the next. */
#include "class/plan_claims.h"

#include "class/text.h"

#include <string.h>

/* Have the two rows a cell in common that names a student, below the same heading? */
static bool same_row(const struct roster *old, const struct roster_student *was, const struct roster *roster,
                     const struct roster_student *is) {
    for (unsigned a = 0; a < roster->alias_count; a++) {
        int column = roster->aliases[a];
        const char *heading = csv_cell(&roster->csv, 0, (uint32_t)column);
        int before = csv_column(&old->csv, heading);
        char cell[ROSTER_TEXT], other[ROSTER_TEXT];
        bool of_assignment = roster->kind == ROSTER_MOODLE_WORKSHEET && column == roster->number_column;
        if (of_assignment || before < 0)
            continue;
        roster_cell(&roster->csv, is->row, column, cell);
        roster_cell(&old->csv, was->row, before, other);
        if (cell[0] != '\0' && text_same_name(cell, other))
            return true;
    }
    return false;
}

static bool renew(struct plan *plan, const struct roster_student *was, const struct roster_student *is) {
    static const char *const tables[] = {"students", "rosters",   "submissions", "history",
                                         "grades",   "overrides", "regrades"};
    char sql[128], name[GRADE_NAME + 8];
    bool right = true;
    for (size_t i = 0; right && i < sizeof tables / sizeof *tables; i++) {
        snprintf(sql, sizeof sql, "UPDATE %s SET %s = ?2 WHERE %s = ?1", tables[i], i == 0 ? "id" : "student",
                 i == 0 ? "id" : "student");
        right = gradebook_do(plan->book, sql, "ss", was->id, is->id);
    }
    snprintf(name, sizeof name, "was %s", was->id);
    if (right)
        return gradebook_set(plan->book, name, is->id) || plan_book_failed(plan);
    return plan_refuse(
        plan,
        "%.300s: row %u: %.100s was %.100s in the last roster, and both have grades: write the old "
        "id in this row; nothing was changed",
        plan->options->roster, is->row + 1, is->id, was->id);
}

bool plan_renew_ids(struct plan *plan) {
    const struct roster *roster = &plan->roster;
    struct roster old;
    char error[TEXT_ERROR];
    if (!kept_roster(plan->book, NULL, &old, error, sizeof error))
        return error[0] == '\0' || plan_refuse(plan, "%s", error);
    bool right = true;
    for (size_t i = 0; right && i < roster->count; i++) {
        const struct roster_student *is = &roster->students[i];
        for (size_t o = 0; right && roster_student(&old, is->id) == NULL && o < old.count; o++)
            if (same_row(&old, &old.students[o], roster, is) &&
                roster_student(roster, old.students[o].id) == NULL)
                right = renew(plan, &old.students[o], is);
    }
    roster_free(&old);
    return right;
}

bool plan_ids_last(struct plan *plan) {
    const struct roster *roster = &plan->roster;
    const struct roster_student *blind = NULL;
    if (!plan->has_roster || plan->book == NULL || plan->lab_count == 0 ||
        roster->kind != ROSTER_MOODLE_WORKSHEET)
        return true;
    for (size_t i = 0; i < roster->count && blind == NULL; i++) {
        char number[ROSTER_TEXT];
        roster_cell(&roster->csv, roster->students[i].row, roster->number_column, number);
        if (strcmp(number, roster->students[i].id) == 0)
            blind = &roster->students[i];
    }
    sqlite3_stmt *row =
        blind != NULL ? gradebook_prepare(plan->book, "SELECT lab FROM submissions WHERE lab <> ? LIMIT 1",
                                          "s", plan->labs[0].id)
                      : NULL;
    bool other = row != NULL && sqlite3_step(row) == SQLITE_ROW;
    if (other)
        plan_refuse(
            plan,
            "%.300s: %.60s is one student in %s and another in %s: a worksheet without e-mails needs an OUT "
            "for each lab; nothing was changed",
            plan->options->roster, blind->id, gradebook_text(row, 0), plan->labs[0].id);
    sqlite3_finalize(row);
    return !other;
}

/* plan_gone.c: who had handed in, and is not in this download. */
#include "class/plan_claims.h"

#include "class/text.h"

bool plan_clear(struct plan *plan) {
    const char *lab = plan->options->lab;
    if (plan->options->only != NULL)
        return true;
    if (!gradebook_run(plan->book, "CREATE TEMP TABLE had AS SELECT student, lab FROM submissions WHERE 0") ||
        !gradebook_do(
            plan->book,
            "INSERT INTO had SELECT student, lab FROM submissions WHERE sha256 <> '' AND (?1 IS NULL OR lab = ?1)",
            "s", lab))
        return plan_book_failed(plan);
    return gradebook_do(plan->book, "DELETE FROM submissions WHERE ?1 IS NULL OR lab = ?1", "s", lab) ||
           plan_book_failed(plan);
}

/* How many, and the first of them. */
static bool count_had(struct plan *plan, const char *what, int *count, char first[128]) {
    char sql[512];
    snprintf(sql, sizeof sql, "SELECT count(*), min(had.student) FROM had %s", what);
    sqlite3_stmt *statement = gradebook_prepare(plan->book, sql, "");
    if (statement == NULL)
        return plan_book_failed(plan);
    if (sqlite3_step(statement) == SQLITE_ROW) {
        *count = sqlite3_column_int(statement, 0);
        text_clean(first, 128, gradebook_text(statement, 1));
    }
    sqlite3_finalize(statement);
    return true;
}

bool plan_check_gone(struct plan *plan) {
    char absent[128] = "", empty[128] = "";
    int gone = 0, without = 0;
    if (plan->book == NULL || plan->options->only != NULL)
        return true;
    if (!count_had(
            plan,
            "WHERE NOT EXISTS (SELECT 1 FROM submissions m WHERE m.student = had.student AND m.lab = had.lab)",
            &gone, absent) ||
        !count_had(plan,
                   "JOIN submissions m ON m.student = had.student AND m.lab = had.lab"
                   " WHERE m.sha256 = '' AND m.human = ''",
                   &without, empty))
        return false;
    if (!gradebook_run(plan->book, "DROP TABLE had"))
        return plan_book_failed(plan);
    if (plan->options->replace)
        return true;
    if (gone > 0)
        return plan_refuse(
            plan,
            "%d who had handed in are not in this download (%s%s): ONLY=names grades those who are, "
            "REPLACE=1 forgets the others; nothing was changed",
            gone, absent, gone > 1 ? ", ..." : "");
    if (without > 0)
        return plan_refuse(
            plan,
            "%d who had handed in a kernel have none in this download (%s%s): REPLACE=1 takes it as it "
            "is; nothing was changed",
            without, empty, without > 1 ? ", ..." : "");
    return plan->handed_in > 0 || plan->options->student != NULL || plan->stray_count > 0 ||
           plan_refuse(
               plan,
               "nobody has handed in anything in %.300s: is it the right one? REPLACE=1 grades it as it is",
               plan->options->submissions);
}

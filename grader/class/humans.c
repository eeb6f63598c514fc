/* humans.c: the gradebook asked for what a person has to decide. */
#include "class/humans.h"

#include <string.h>

enum { GROUPS_SHOWN = 40, NAMES_SHOWN = 100, FEW = 3 };

static bool of_plan(const struct plan *plan, const char *lab) {
    for (unsigned i = 0; i < plan->lab_count; i++)
        if (strcmp(plan->labs[i].id, lab) == 0)
            return true;
    return false;
}

/* "ann, bob, cid, ...": whole names. */
static void shorten(char *names) {
    if (strlen(names) <= NAMES_SHOWN)
        return;
    size_t cut = NAMES_SHOWN;
    while (cut > 0 && names[cut] != ',')
        cut--;
    strcpy(names + cut, cut > 0 ? ", ..." : "...");
}

static bool say_groups(const struct plan *plan, FILE *to) {
    unsigned groups = 0;
    sqlite3_stmt *row = gradebook_prepare(
        plan->book,
        "SELECT lab, human, count(*), group_concat(student, ', ') FROM (SELECT * FROM grades ORDER BY student)"
        " WHERE human <> '' GROUP BY lab, human ORDER BY lab, count(*) DESC, min(student)",
        "");
    if (row == NULL)
        return false;
    while (sqlite3_step(row) == SQLITE_ROW) {
        char names[4096], why[GRADE_MESSAGE];
        int count = sqlite3_column_int(row, 2);
        if (!of_plan(plan, gradebook_text(row, 0)) || groups++ >= GROUPS_SHOWN)
            continue;
        if (groups == 1)
            fputs("These need a human (class.html has them, too):\n", to);
        text_clean(names, sizeof names, gradebook_text(row, 3));
        text_clean(why, sizeof why, gradebook_text(row, 1));
        shorten(names);
        if (count == 1)
            fprintf(to, "  %s  %s: %s\n", gradebook_text(row, 0), names, why);
        else
            fprintf(to, "  %s  %d students (%s): %s\n", gradebook_text(row, 0), count, names, why);
    }
    sqlite3_finalize(row);
    if (groups > GROUPS_SHOWN)
        fprintf(to, "  and for %u more reasons\n", groups - GROUPS_SHOWN);
    return true;
}

bool humans_of_lab(struct gradebook *book, const char *lab, char said[HUMANS_SAID]) {
    sqlite3_stmt *row =
        gradebook_prepare(book,
                          "SELECT count(*), sum(sha256 <> ''), sum(sha256 <> '' AND late_days > 0),"
                          " sum(outcome = 'judged'), sum(outcome IN ('failed', 'build-failed'))"
                          " FROM grades WHERE lab = ?",
                          "s", lab);
    said[0] = '\0';
    if (row == NULL)
        return false;
    int number[5] = {0};
    if (sqlite3_step(row) == SQLITE_ROW)
        for (int i = 0; i < 5; i++)
            number[i] = sqlite3_column_int(row, i);
    sqlite3_finalize(row);
    int all = number[0], handed_in = number[1], late = number[2], right = number[3], wrong = number[4];
    if (handed_in >= FEW && late == handed_in)
        snprintf(said, HUMANS_SAID, "%s  all %d who handed in are late: is the deadline the right one?", lab,
                 late);
    else if (wrong >= FEW && right == 0)
        snprintf(said, HUMANS_SAID, "%s  none of %d kernels is right: is it the right lab?", lab, wrong);
    else if (all - handed_in >= FEW && all - handed_in > handed_in)
        snprintf(said, HUMANS_SAID, "%s  %d of %d handed in nothing: is it the right download?", lab,
                 all - handed_in, all);
    return true;
}

static bool say_class(const struct plan *plan, const char *lab, FILE *to, bool *suspicious) {
    char said[HUMANS_SAID];
    if (!humans_of_lab(plan->book, lab, said))
        return false;
    *suspicious = *suspicious || said[0] != '\0';
    if (to != NULL && said[0] != '\0')
        fprintf(to, "%s\n", said);
    return true;
}

/* Whose file is somewhere, and not here, or is one of several, has no grade yet. */
static bool find_without(const struct plan *plan, bool *any) {
    sqlite3_stmt *row = gradebook_prepare(
        plan->book, "SELECT DISTINCT lab FROM grades WHERE outcome IN ('absent', 'disputed') AND NOT excused",
        "");
    while (row != NULL && sqlite3_step(row) == SQLITE_ROW)
        *any = *any || of_plan(plan, gradebook_text(row, 0));
    sqlite3_finalize(row);
    return row != NULL;
}

bool humans_say(const struct plan *plan, FILE *to, bool *suspicious) {
    *suspicious = false;
    bool right = (to == NULL || say_groups(plan, to)) && find_without(plan, suspicious);
    for (unsigned i = 0; right && plan->options->only == NULL && i < plan->lab_count; i++)
        right = say_class(plan, plan->labs[i].id, to, suspicious);
    return right;
}

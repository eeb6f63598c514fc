/* plan_names.c: whom the names in a command line mean. A name that is nobody's is an error: what was asked for would not be
 * done, and nobody would see it. */
#include "class/plan.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

bool plan_names_read(struct plan *plan, const char *list) {
    plan->names = calloc(PLAN_NAMES, sizeof *plan->names);
    if (plan->names == NULL)
        return plan_refuse(plan, "out of memory");
    for (const char *at = list; *at != '\0';) {
        size_t span = strcspn(at, ",");
        if (plan->name_count == PLAN_NAMES || span >= GRADE_NAME)
            return plan_refuse(plan, "more than %d names, or one of more than %d bytes", PLAN_NAMES,
                               GRADE_NAME - 1);
        struct plan_name *name = &plan->names[plan->name_count];
        while (span > 0 && *at == ' ') {
            at++;
            span--;
        }
        memcpy(name->given, at, span);
        name->given[span] = '\0';
        plan->name_count += span > 0;
        at += span + (at[span] == ',');
    }
    return plan->name_count > 0 || plan_refuse(plan, "no name is given");
}

bool plan_names_kept(struct plan *plan) {
    char error[TEXT_ERROR] = "";
    if (plan->book == NULL || plan->has_roster || plan->has_kept)
        return true;
    plan->has_kept = kept_roster(plan->book, NULL, &plan->kept, error, sizeof error);
    return plan->has_kept || error[0] == '\0' || plan_refuse(plan, "%s", error);
}

/* An instructor's word: an id is that student's, whoever else has it in another column. */
static struct roster_match listed_as(const struct plan *plan, const char *given) {
    struct roster_match match = {NULL};
    const struct roster *roster = plan->has_roster ? &plan->roster : &plan->kept;
    if (!plan->has_roster && !plan->has_kept)
        return match;
    match.student = roster_student(roster, given);
    return match.student != NULL
               ? match
               : roster_match(roster, &(struct roster_query){.id = given, .email = given, .name = ""});
}

/* The one student that a statement finds. False: none, several, or trouble. */
static bool found_alone(struct plan *plan, const char *sql, const char *given, char id[GRADE_NAME]) {
    sqlite3_stmt *row = gradebook_prepare(plan->book, sql, "s", given);
    if (row == NULL)
        return plan_book_failed(plan);
    bool found = sqlite3_step(row) == SQLITE_ROW;
    if (found)
        snprintf(id, GRADE_NAME, "%s", gradebook_text(row, 0));
    found = found && sqlite3_step(row) != SQLITE_ROW;
    sqlite3_finalize(row);
    return found;
}

bool plan_known_student(struct plan *plan, const char *given, char id[GRADE_NAME]) {
    plan->error[0] = '\0';
    struct roster_match match = listed_as(plan, given);
    if (match.student != NULL) {
        snprintf(id, GRADE_NAME, "%s", match.student->id);
        return true;
    }
    if (match.several[0] != NULL) {
        char clean[GRADE_NAME];
        text_clean(clean, sizeof clean, given);
        return plan_refuse(plan, "'%s' is %s or %s of the roster: give the id", clean, match.several[0]->id,
                           match.several[1]->id);
    }
    return plan->book != NULL &&
           (found_alone(plan, "SELECT id FROM students WHERE id = ?1", given, id) ||
            (plan->error[0] == '\0' &&
             found_alone(plan,
                         "SELECT id FROM students WHERE (email <> '' AND email = ?1 COLLATE NOCASE)"
                         " OR id = ?1 COLLATE NOCASE"
                         " UNION SELECT student FROM submissions WHERE handed_in_as = ?1",
                         given, id)));
}

static bool is_same(const char *given, const char *text) {
    return *text != '\0' && strcasecmp(given, text) == 0;
}

bool plan_names_match(struct plan *plan, const char *student, const struct submission *submission) {
    bool any = plan->names == NULL;
    for (unsigned i = 0; i < plan->name_count; i++) {
        struct plan_name *name = &plan->names[i];
        const struct roster_student *listed = listed_as(plan, name->given).student;
        if (is_same(name->given, student) || is_same(name->given, submission->student) ||
            is_same(name->given, submission->email) || (listed != NULL && strcmp(listed->id, student) == 0)) {
            snprintf(name->id, sizeof name->id, "%s", student);
            any = true;
        }
    }
    return any;
}

bool plan_names_of_book(struct plan *plan) {
    for (unsigned i = 0; i < plan->name_count; i++) {
        char id[GRADE_NAME];
        if (plan->names[i].id[0] == '\0' && plan_known_student(plan, plan->names[i].given, id))
            snprintf(plan->names[i].id, sizeof plan->names[i].id, "%s", id);
        if (plan->error[0] != '\0')
            return false;
    }
    return true;
}

/* How many letters have to change (Levenshtein), up to the length of a name. */
static unsigned distance(const char *one, const char *other) {
    unsigned row[GRADE_NAME + 1];
    size_t length = strlen(other);
    for (unsigned j = 0; j <= length; j++)
        row[j] = j;
    for (unsigned i = 1; one[i - 1] != '\0'; i++) {
        unsigned corner = row[0];
        row[0] = i;
        for (unsigned j = 1; j <= length; j++) {
            unsigned best = corner + (one[i - 1] != other[j - 1]);
            corner = row[j];
            best = row[j] + 1 < best ? row[j] + 1 : best;
            row[j] = row[j - 1] + 1 < best ? row[j - 1] + 1 : best;
        }
    }
    return row[length];
}

/* The id that is most like it, where it is like it at all; "": none. */
static void nearest(struct plan *plan, const char *given, char id[GRADE_NAME]) {
    sqlite3_stmt *row = gradebook_prepare(plan->book, "SELECT id FROM students ORDER BY id", "");
    unsigned best = 3;
    id[0] = '\0';
    while (row != NULL && sqlite3_step(row) == SQLITE_ROW) {
        char text[GRADE_NAME];
        text_clean(text, sizeof text, gradebook_text(row, 0));
        unsigned far = distance(given, text);
        if (far < best) {
            best = far;
            strcpy(id, text);
        }
    }
    sqlite3_finalize(row);
}

bool plan_names_check(struct plan *plan) {
    for (unsigned i = 0; i < plan->name_count; i++) {
        char known[GRADE_NAME] = "", clean[GRADE_NAME], like[GRADE_NAME] = "";
        if (plan->names[i].id[0] != '\0')
            continue;
        text_clean(clean, sizeof clean, plan->names[i].given);
        if (plan_known_student(plan, plan->names[i].given, known))
            return plan_refuse(plan, "%s has handed in nothing in this download", clean);
        if (plan->error[0] != '\0')
            return false;
        if (plan->book != NULL)
            nearest(plan, plan->names[i].given, like);
        return plan_refuse(plan, "nobody is called '%s'%s%s%s", clean, like[0] != '\0' ? ": is it " : "",
                           like, like[0] != '\0' ? "?" : "");
    }
    return true;
}

/* platform.c: grades, places, rosters and layouts as the platforms' files need them. */
#include "class/export/platform.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

struct wanted {
    struct grade *grade;
    bool found;
};

static bool take(void *context, const struct grade *grade) {
    struct wanted *wanted = context;
    *wanted->grade = *grade;
    wanted->found = true;
    return true;
}

bool platform_grade(struct gradebook *book, const char *student, const char *lab, struct grade *grade,
                    bool *found) {
    struct wanted wanted = {.grade = grade};
    char name[GRADE_NAME + 8], id[GRADE_NAME] = "";
    bool right = gradebook_each_grade_of(book, student, lab, take, &wanted);
    if (right && !wanted.found) { /* in an earlier lab's roster by an earlier id */
        snprintf(name, sizeof name, "was %s", student);
        right = gradebook_get(book, name, id, sizeof id) &&
                (id[0] == '\0' || gradebook_each_grade_of(book, id, lab, take, &wanted));
    }
    *found = wanted.found;
    return right;
}

bool platform_each_student(struct gradebook *book, gradebook_visitor *visit, void *context) {
    sqlite3_stmt *row =
        gradebook_prepare(book, "SELECT student, min(lab) FROM grades GROUP BY student ORDER BY student", "");
    struct grade *grade = malloc(sizeof *grade);
    bool right = row != NULL && grade != NULL, found;
    while (right && sqlite3_step(row) == SQLITE_ROW)
        right = platform_grade(book, gradebook_text(row, 0), gradebook_text(row, 1), grade, &found) &&
                (!found || visit(context, grade));
    sqlite3_finalize(row);
    free(grade);
    return right;
}

bool platform_place(struct gradebook *book, const struct grade *grade, char as[GRADE_NAME],
                    char path[PATH_SIZE]) {
    as[0] = path[0] = '\0';
    sqlite3_stmt *row = gradebook_prepare(
        book,
        "SELECT handed_in_as, coalesce((SELECT path FROM history h WHERE h.student = s.student"
        " AND h.lab = s.lab AND h.sha256 = ?3 ORDER BY number DESC LIMIT 1), path)"
        " FROM submissions s WHERE student = ?1 AND lab = ?2",
        "sss", grade->student, grade->lab, grade->sha256);
    if (row == NULL)
        return false;
    if (sqlite3_step(row) == SQLITE_ROW) {
        snprintf(as, GRADE_NAME, "%s", gradebook_text(row, 0));
        path_print(path, "%s", gradebook_text(row, 1));
    }
    sqlite3_finalize(row);
    return true;
}

int platform_labs(struct gradebook *book, char labs[][16], unsigned room) {
    sqlite3_stmt *row =
        gradebook_prepare(book, "SELECT DISTINCT lab FROM grades ORDER BY length(lab), lab", "");
    unsigned count = 0;
    if (row == NULL)
        return -1;
    while (count < room && sqlite3_step(row) == SQLITE_ROW)
        snprintf(labs[count++], 16, "%s", gradebook_text(row, 0));
    sqlite3_finalize(row);
    return (int)count;
}

/* ---- writing */

void platform_cell(FILE *to, const char *text) {
    if (strpbrk(text, ",;\"\r\n") == NULL && *text != ' ' && *text != '\t') {
        fputs(text, to);
        return;
    }
    fputc('"', to);
    for (; *text != '\0'; text++) {
        if (*text == '"')
            fputc('"', to);
        fputc(*text, to);
    }
    fputc('"', to);
}

void platform_note(const struct export_context *context, const char *format, ...) {
    char line[TEXT_ERROR], clean[TEXT_ERROR];
    va_list arguments;
    if (context->notes == NULL)
        return;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    text_clean(clean, sizeof clean, line);
    fprintf(context->notes, "%s\n", clean);
}

char *platform_feedback(const struct export_context *context, const struct grade *grade, export_writer *write,
                        size_t *length) {
    struct export_grade of = {.policy = context->policy, .grade = grade};
    char *text = NULL;
    FILE *memory = open_memstream(&text, length);
    of.count = score_results_of(context->book, grade, of.results);
    bool right = memory != NULL && write(&of, memory);
    right = (memory == NULL || fclose(memory) == 0) && right;
    for (unsigned i = 0; i < of.count; i++)
        score_result_free(&of.results[i]);
    if (right)
        return text;
    free(text);
    snprintf(context->book->error, sizeof context->book->error, "out of memory");
    return NULL;
}

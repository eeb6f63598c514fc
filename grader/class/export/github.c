/*
 * github.c: what goes back to a class on GitHub.
 *
 *   github/grades.csv          the columns of GitHub Classroom's own list of grades; what it knows of addresses is not known here
 *   github/lab1/REPOSITORY.md  feedback to be put into each repository
 */
#include "class/export/platform.h"
#include "class/gradebook.h"

#include <stdlib.h>
#include <string.h>

enum { LABS = 32 };

static const char title[] = "GitHub Classroom";

struct list {
    const struct export_context *context;
    const struct roster *roster; /* NULL: none */
    int identifier;              /* a column of it; -1: none */
    FILE *to;
};

/* The first part of the path that ends in "-username". */
static void repository_of(const char *path, const char *username, char name[GRADE_NAME]) {
    size_t wanted = strlen(username);
    name[0] = '\0';
    for (const char *at = path; *at != '\0' && name[0] == '\0';) {
        size_t length = strcspn(at, "/");
        if (length > wanted && at[length - wanted - 1] == '-' &&
            strncmp(at + length - wanted, username, wanted) == 0)
            snprintf(name, GRADE_NAME, "%.*s", (int)length, at);
        at += length + (at[length] == '/');
    }
}

static bool write_file(const struct export_context *context, const struct grade *grade,
                       const char *repository) {
    struct gradebook *book = context->book;
    struct file_output output;
    char folder[PATH_SIZE], name[TEXT_FILE_NAME + 4];
    size_t length;
    text_file_name(name, repository);
    strcat(name, ".md");
    path_print(folder, "%s/github/%s", book->folder, grade->lab);
    char *text = platform_feedback(context, grade, feedback_markdown, &length);
    bool right = text != NULL && file_begin(&output, folder, name, book->error, sizeof book->error);
    if (right) {
        fwrite(text, 1, length, output.file);
        right = file_end(&output, book->error, sizeof book->error);
    }
    free(text);
    return right;
}

static bool write_row(void *data, const struct grade *grade) {
    struct list *list = data;
    FILE *to = list->to;
    char username[GRADE_NAME], path[PATH_SIZE], repository[GRADE_NAME], text[32];
    if (!platform_place(list->context->book, grade, username, path))
        return false;
    repository_of(path, username, repository);
    const struct roster_student *listed =
        list->roster != NULL ? roster_student(list->roster, grade->student) : NULL;
    fprintf(to, "%s,,,", grade->lab);
    text_csv(to, username);
    fputc(',', to);
    if (listed != NULL && list->identifier >= 0)
        platform_cell(to, csv_cell(&list->roster->csv, listed->row, (uint32_t)list->identifier));
    else
        text_csv(to, grade->student);
    fputc(',', to);
    text_csv(to, repository);
    fprintf(to, ",,%s,", text_format_time(text, grade->submitted));
    fputs(export_has_points(grade) ? score_points_text(text, grade->points) : "", to);
    fprintf(to, ",%s\r\n", score_points_text(text, grade->max));
    return repository[0] == '\0' || !export_has_points(grade) || write_file(list->context, grade, repository);
}

static bool grades(struct list *list, char labs[][16], int count) {
    struct gradebook *book = list->context->book;
    struct file_output output;
    char folder[PATH_SIZE];
    bool right = true;
    path_print(folder, "%s/github", book->folder);
    if (!file_begin(&output, folder, "grades.csv", book->error, sizeof book->error))
        return false;
    list->to = output.file;
    fputs(
        "assignment_name,assignment_url,starter_code_url,github_username,roster_identifier,student_repository_name,"
        "student_repository_url,submission_timestamp,points_awarded,points_available\r\n",
        list->to);
    for (int i = 0; right && i < count; i++)
        right = !kept_layout_is(book, labs[i], title) ||
                gradebook_each_grade_of(book, NULL, labs[i], write_row, list);
    if (right)
        return file_end(&output, book->error, sizeof book->error);
    file_discard(&output);
    return false;
}

bool github_files(const struct export_context *context) {
    static const char *const identifiers[] = {"identifier", "roster identifier"};
    struct list list = {.context = context, .identifier = -1};
    struct roster roster;
    char labs[LABS][16], error[TEXT_ERROR];
    bool any = false;
    int count = platform_labs(context->book, labs, LABS);
    for (int i = 0; i < count; i++)
        any = any || kept_layout_is(context->book, labs[i], title);
    if (!any)
        return count >= 0;
    if (kept_roster(context->book, NULL, &roster, error, sizeof error)) {
        list.roster = &roster;
        list.identifier = roster_column(&roster.csv, identifiers, 2);
    }
    bool right = grades(&list, labs, count);
    if (list.roster != NULL)
        roster_free(&roster);
    return right;
}

/*
 * canvas.c: what Canvas imports.
 *
 *   canvas/grades.csv          Grades, Import (lib/gradebook_importer.rb): Student, ID and what else Canvas's own export has up to
 *                              Section, then a column for each lab; second the row of the points possible. A column of the
 *                              export that is the lab's, "Lab 1 (4711)", keeps its name and its points; other
 *                              assignments are left out, which leaves them as they are.
 *   canvas/lab1-feedback.zip   Upload Submissions: Canvas finds student and submission by the two numbers in the name that it
 *                              gave the file, and shows it as the student's own, under that file's name (infer_comment_
 *                              context_from_filename). So it is their kernel.cu, with the feedback as a comment above.
 */
#include "class/export/platform.h"
#include "class/gradebook.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { LABS = 32 };

static const char title[] = "Canvas";

/* ---- grades.csv */

/* What stands before the assignments, in Canvas's order. */
static const char *const student_columns[] = {"Student",     "LastName",     "FirstName",      "ID",
                                              "SIS User ID", "SIS Login ID", "Integration ID", "Root Account",
                                              "Section"};
enum { STUDENT_COLUMNS = sizeof student_columns / sizeof *student_columns };

struct sheet {
    const struct export_context *context;
    FILE *to;
    const struct roster *roster; /* Canvas's gradebook; NULL: there is none */
    int columns[STUDENT_COLUMNS];
    char labs[LABS][16];
    int assignments[LABS]; /* the roster's columns; -1: a new one */
    int lab_count;
    unsigned unknown;
};

/* Is "lab 1" or "lab1" a word of it? */
static bool names_lab(const char *heading, const char *lab) {
    size_t digits = strlen(lab) - 3;
    for (const char *at = heading; *at != '\0'; at++) {
        if ((at > heading && isalnum((unsigned char)at[-1])) || strncasecmp(at, "lab", 3) != 0)
            continue;
        const char *number = at + 3 + strspn(at + 3, " -_#0");
        if (strncmp(number, lab + 3, digits) == 0 && !isdigit((unsigned char)number[digits]))
            return true;
    }
    return false;
}

/* The one assignment that is the lab's: "Title (4711)"; -1: none, or more than one. */
static int assignment_of(const struct roster *roster, const char *lab, unsigned *found) {
    int column = -1;
    *found = 0;
    for (uint32_t c = 0; c < csv_width(&roster->csv, 0); c++) {
        const char *heading = csv_cell(&roster->csv, 0, c), *open = strrchr(heading, '(');
        if (open == NULL || open[1 + strspn(open + 1, "0123456789")] != ')' || !names_lab(heading, lab))
            continue;
        column = (int)c;
        ++*found;
    }
    return *found == 1 ? column : -1;
}

static void find_columns(struct sheet *table) {
    unsigned found;
    for (int c = 0; c < STUDENT_COLUMNS; c++)
        table->columns[c] = table->roster != NULL ? csv_column(&table->roster->csv, student_columns[c]) : -1;
    for (int i = 0; i < table->lab_count; i++) {
        table->assignments[i] =
            table->roster != NULL ? assignment_of(table->roster, table->labs[i], &found) : -1;
        if (table->roster != NULL && found > 1)
            platform_note(
                table->context,
                "canvas/grades.csv: %u assignments of Canvas's gradebook name %s: its column is a new one.",
                found, table->labs[i]);
    }
}

static const char *cell(const struct sheet *table, uint32_t row, int column) {
    return csv_cell(&table->roster->csv, row, (uint32_t)column);
}

/* The row of the points possible of Canvas's file; 0: it has none. */
static uint32_t points_row(const struct sheet *table) {
    for (uint32_t row = 1; row < table->roster->csv.row_count; row++)
        if (strstr(cell(table, row, 0), "Points Possible") != NULL)
            return row;
    return 0;
}

/* Points as Canvas writes them, which may have a comma for the point: "87,5". "1,000" is a
 * thousand. */
static bool points_of(const char *text, double *points) {
    char plain[32];
    const char *comma = strchr(text, ',');
    if (comma == NULL || strlen(comma) == 4 || strlen(text) >= sizeof plain)
        return csv_number(text, points);
    strcpy(plain, text);
    plain[comma - text] = '.';
    return csv_number(plain, points);
}

/* How many points the lab has; NAN is not possible: a lab of the table has a grade. */
static bool take_max(void *context, const struct grade *grade) {
    *(double *)context = grade->max;
    return true;
}

/* A lab whose points are others in Canvas is left out: 47 of 20 is nobody's grade. */
static bool leave_out(struct sheet *table) {
    uint32_t points = table->roster != NULL ? points_row(table) : 0;
    int kept = 0;
    for (int i = 0; i < table->lab_count; i++) {
        double max = 0, theirs;
        if (!gradebook_each_grade_of(table->context->book, NULL, table->labs[i], take_max, &max))
            return false;
        bool other = points > 0 && table->assignments[i] >= 0 &&
                     points_of(cell(table, points, table->assignments[i]), &theirs) && theirs != max;
        if (other)
            platform_note(
                table->context,
                "canvas/grades.csv is without %s: Canvas has %g points for it and the policy %g: set points = %g in "
                "the policy, or the assignment's points.",
                table->labs[i], theirs, max, theirs);
        memmove(table->labs[kept], table->labs[i], sizeof *table->labs);
        table->assignments[kept] = table->assignments[i];
        kept += !other;
    }
    table->lab_count = kept;
    return true;
}

static bool write_head(struct sheet *table) {
    char text[32];
    bool own = table->roster != NULL, right = true;
    uint32_t points = own ? points_row(table) : 0;
    unsigned columns = 0;
    for (int c = 0; c < STUDENT_COLUMNS; c++)
        if (own ? table->columns[c] >= 0 : c == 0 || (c >= 3 && c <= 5) || c == 8)
            fprintf(table->to, "%s%s", columns++ > 0 ? "," : "", student_columns[c]);
    for (int i = 0; i < table->lab_count; i++) {
        fputc(',', table->to);
        platform_cell(table->to,
                      table->assignments[i] >= 0 ? cell(table, 0, table->assignments[i]) : table->labs[i]);
    }
    fputs("\r\n    Points Possible", table->to);
    for (unsigned c = 1; c < columns; c++)
        fputc(',', table->to);
    for (int i = 0; right && i < table->lab_count; i++) {
        double max = 0;
        right = gradebook_each_grade_of(table->context->book, NULL, table->labs[i], take_max, &max);
        const char *kept =
            points > 0 && table->assignments[i] >= 0 ? cell(table, points, table->assignments[i]) : "";
        fputc(',', table->to);
        platform_cell(table->to, *kept != '\0' ? kept : score_points_text(text, max));
    }
    fputs("\r\n", table->to);
    return right;
}

/* The labs' cells of a student. What has no points yet stays as Canvas has it. */
static bool write_points(struct sheet *table, const char *student, uint32_t row) {
    struct grade *grade = malloc(sizeof *grade);
    bool right = grade != NULL, found;
    char points[32];
    for (int i = 0; right && i < table->lab_count; i++) {
        right = platform_grade(table->context->book, student, table->labs[i], grade, &found);
        fputc(',', table->to);
        if (right && found && export_has_points(grade))
            fputs(score_points_text(points, grade->points), table->to);
        else if (right && found && grade->excused)
            fputs("EX", table->to); /* Canvas's word for it */
        else if (row > 0 && table->assignments[i] >= 0)
            platform_cell(table->to, cell(table, row, table->assignments[i]));
    }
    fputs("\r\n", table->to);
    free(grade);
    return right;
}

static bool roster_rows(struct sheet *table) {
    bool right = true;
    for (size_t s = 0; right && s < table->roster->count; s++) {
        const struct roster_student *student = &table->roster->students[s];
        unsigned written = 0;
        for (int c = 0; c < STUDENT_COLUMNS; c++)
            if (table->columns[c] >= 0) {
                fputs(written++ > 0 ? "," : "", table->to);
                platform_cell(table->to, cell(table, student->row, table->columns[c]));
            }
        right = write_points(table, student->id, student->row);
    }
    return right;
}

/* Without Canvas's gradebook: who came in Canvas's download has Canvas's number. */
static bool number_row(void *context, const struct grade *grade) {
    struct sheet *table = context;
    char number[GRADE_NAME] = "", path[PATH_SIZE];
    bool known = false;
    for (int i = 0; i < table->lab_count && !known; i++) {
        struct grade other = {.points = 0};
        snprintf(other.student, sizeof other.student, "%s", grade->student);
        snprintf(other.lab, sizeof other.lab, "%s", table->labs[i]);
        if (!kept_layout_is(table->context->book, other.lab, title))
            continue;
        if (!platform_place(table->context->book, &other, number, path))
            return false;
        known = number[0] != '\0';
    }
    if (!known) {
        table->unknown++;
        return true;
    }
    text_csv(table->to, grade->name[0] != '\0' ? grade->name : grade->student);
    fprintf(table->to, ",%s,,,", number);
    return write_points(table, grade->student, 0);
}

static bool grades(struct sheet *table) {
    struct gradebook *book = table->context->book;
    struct file_output output;
    char folder[PATH_SIZE];
    path_print(folder, "%s/canvas", book->folder);
    if (!file_begin(&output, folder, "grades.csv", book->error, sizeof book->error))
        return false;
    table->to = output.file;
    find_columns(table);
    if (!leave_out(table) || !write_head(table) ||
        !(table->roster != NULL ? roster_rows(table)
                                : platform_each_student(table->context->book, number_row, table))) {
        file_discard(&output);
        return false;
    }
    if (table->unknown > 0)
        platform_note(
            table->context,
            "canvas/grades.csv is without %u students: their Canvas number is not known. Give Canvas's exported gradebook "
            "as ROSTER.",
            table->unknown);
    return file_end(&output, book->error, sizeof book->error);
}

/* ---- the files to upload again */

struct parcel {
    const struct export_context *context;
    struct zip_file zip;
    unsigned
        without; /* with no kernel.cu, or one in an archive, which Canvas would show under the archive's name */
    char names[600];
};

/* Each line of the feedback a comment; then the kernel. */
static bool add_commented(struct parcel *parcel, const char *path, const char *feedback, const char *kernel,
                          size_t length) {
    char *text = NULL;
    size_t size;
    FILE *memory = open_memstream(&text, &size);
    if (memory == NULL)
        return false;
    for (const char *line = feedback; *line != '\0';) {
        size_t end = strcspn(line, "\n");
        fprintf(memory, "//%s%.*s\n", end > 0 ? " " : "", (int)end, line);
        line += end + (line[end] == '\n');
    }
    fputc('\n', memory);
    fwrite(kernel, 1, length, memory);
    bool right = fclose(memory) == 0 && zip_add(&parcel->zip, path, text, size);
    free(text);
    return right;
}

static bool add_kernel(void *context, const struct grade *grade) {
    struct parcel *parcel = context;
    struct gradebook *book = parcel->context->book;
    char number[GRADE_NAME], path[PATH_SIZE], folder[PATH_SIZE], stored[PATH_SIZE];
    size_t length, feedback_length;
    if (!export_has_points(grade))
        return true;
    if (!platform_place(book, grade, number, path))
        return false;
    if (strchr(path, '/') != NULL || path[0] == '\0' || grade->sha256[0] == '\0') {
        size_t used = strlen(parcel->names);
        if (number[0] != '\0' && used + GRADE_NAME < sizeof parcel->names)
            snprintf(parcel->names + used, sizeof parcel->names - used, "%s%s", used > 0 ? ", " : "",
                     grade->student);
        parcel->without += number[0] != '\0';
        return true;
    }
    if (!path_join(folder, book->folder, "kernels") || !kernel_store_path(folder, grade->sha256, stored))
        return false;
    char *kernel = file_read(stored, KERNEL_LIMIT, &length, book->error, sizeof book->error);
    char *feedback =
        kernel != NULL ? platform_feedback(parcel->context, grade, feedback_text, &feedback_length) : NULL;
    bool right = feedback != NULL && add_commented(parcel, path, feedback, kernel, length);
    free(kernel);
    free(feedback);
    return right;
}

static bool feedback(const struct export_context *context, const char *lab) {
    struct gradebook *book = context->book;
    struct parcel parcel = {.context = context};
    char folder[PATH_SIZE], name[64];
    path_print(folder, "%s/canvas", book->folder);
    snprintf(name, sizeof name, "%s-feedback.zip", lab);
    if (!zip_begin(&parcel.zip, folder, name, book->error, sizeof book->error))
        return false;
    bool right = gradebook_each_grade_of(book, NULL, lab, add_kernel, &parcel);
    if (right && parcel.without > 0)
        platform_note(
            context,
            "canvas/%s is without %u who handed in an archive, or no kernel.cu (%s): Canvas tells them "
            "nothing; send them their files of feedback/%s.",
            name, parcel.without, parcel.names, lab);
    return zip_end(&parcel.zip, right);
}

bool canvas_files(const struct export_context *context) {
    struct sheet table = {.context = context};
    struct roster roster;
    char error[TEXT_ERROR];
    bool has = kept_roster(context->book, NULL, &roster, error, sizeof error), from = false;
    table.roster = has && roster.kind == ROSTER_CANVAS_GRADEBOOK ? &roster : NULL;
    table.lab_count = platform_labs(context->book, table.labs, LABS);
    bool right = table.lab_count >= 0;
    for (int i = 0; right && i < table.lab_count; i++) {
        if (!kept_layout_is(context->book, table.labs[i], title))
            continue;
        from = true;
        right = feedback(context, table.labs[i]);
    }
    right = right && ((table.roster == NULL && !from) || grades(&table));
    if (has)
        roster_free(&roster);
    return right;
}

/*
 * moodle.c: what Moodle imports.
 *
 *   moodle/grades.csv            Grades, Import, CSV file: a student a row, a lab a column. Moodle takes an empty cell in the
 *                                column that names the student for the student of the row before (grade/import/csv), so
 *                                no such column has one: who cannot be named is left out, and the instructor is told.
 *   moodle/lab1-worksheet.csv    the assignment's grading worksheet with Grade and Feedback comments filled in, all else as it
 *                                came (mod/assign/feedback/offline). Feedback is HTML there.
 *   moodle/lab1-feedback.zip     Upload multiple feedback files in a zip: a folder "Full name_NUMBER_assignsubmission_file_" for
 *                                each student; Moodle reads the number between the first two '_'
 *                                (mod/assign/feedback/file/importziplib.php).
 */
#include "class/export/platform.h"
#include "class/gradebook.h"
#include "class/intake/layout.h"

#include "base/ini.h"
#include "report/writers/html_escape.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LABS = 32, GOALS = 16 };

static const char title[] = "Moodle";

/* ---- grades.csv */

/* The columns by which Moodle finds a user, as a roster has them. */
static const struct user_column {
    const char *heading, *names[3];
} user_columns[] = {{"ID number", {"id number", "idnumber"}},
                    {"Username", {"username"}},
                    {"Email address", {"email address", "email", "e-mail"}}};
enum { USER_COLUMNS = sizeof user_columns / sizeof *user_columns };

struct grade_table {
    const struct export_context *context;
    FILE *to;
    struct roster roster;
    bool has_roster;
    int columns[USER_COLUMNS]; /* of the roster */
    char labs[LABS][16];
    int lab_count;
    unsigned filled[USER_COLUMNS], students; /* of the students that are there */
    int key;                                 /* the column that names them; -1: none */
    bool written[USER_COLUMNS];              /* filled in all the rows that are written */
    unsigned left_out;
};

static void user_cell(const struct grade_table *table, const struct grade *grade, int column,
                      char text[ROSTER_TEXT]) {
    static const char *const email = "Email address";
    const struct roster_student *listed =
        table->has_roster ? roster_student(&table->roster, grade->student) : NULL;
    text[0] = '\0';
    if (listed != NULL && table->columns[column] >= 0) {
        char *copy = strdup(csv_cell(&table->roster.csv, listed->row, (uint32_t)table->columns[column]));
        snprintf(text, ROSTER_TEXT, "%s", copy != NULL ? ini_trim(copy) : "");
        free(copy);
    } else if (strcmp(user_columns[column].heading, email) == 0) {
        snprintf(text, ROSTER_TEXT, "%s", grade->email);
    }
}

static bool count_cells(void *context, const struct grade *grade) {
    struct grade_table *table = context;
    char text[ROSTER_TEXT];
    table->students++;
    for (int c = 0; c < USER_COLUMNS; c++) {
        user_cell(table, grade, c, text);
        table->filled[c] += text[0] != '\0';
    }
    return true;
}

static bool check_cells(void *context, const struct grade *grade) {
    struct grade_table *table = context;
    char key[ROSTER_TEXT], text[ROSTER_TEXT];
    user_cell(table, grade, table->key, key);
    table->left_out += key[0] == '\0';
    for (int c = 0; c < USER_COLUMNS && key[0] != '\0'; c++) {
        user_cell(table, grade, c, text);
        table->written[c] = table->written[c] && text[0] != '\0';
    }
    return true;
}

static bool write_student(void *context, const struct grade *grade) {
    struct grade_table *table = context;
    char text[ROSTER_TEXT], points[32];
    struct grade *of_lab = malloc(sizeof *of_lab);
    user_cell(table, grade, table->key, text);
    bool right = of_lab != NULL, found;
    if (text[0] == '\0') {
        free(of_lab);
        return true;
    }
    for (int c = 0; c < USER_COLUMNS; c++) {
        user_cell(table, grade, c, text);
        if (table->written[c]) {
            platform_cell(table->to, text);
            fputc(',', table->to);
        }
    }
    text_csv(table->to, grade->name);
    for (int i = 0; right && i < table->lab_count; i++) {
        right = platform_grade(table->context->book, grade->student, table->labs[i], of_lab, &found);
        /* "-" is no grade, for a new item as for one that is there */
        fprintf(table->to, ",%s",
                right && found && export_has_points(of_lab) ? score_points_text(points, of_lab->points)
                                                            : "-");
    }
    fputs("\r\n", table->to);
    free(of_lab);
    return right;
}

static bool write_grades(struct grade_table *table) {
    const struct export_context *context = table->context;
    struct file_output output;
    char folder[PATH_SIZE];
    path_print(folder, "%s/moodle", context->book->folder);
    if (!file_begin(&output, folder, "grades.csv", context->book->error, sizeof context->book->error))
        return false;
    table->to = output.file;
    for (int c = 0; c < USER_COLUMNS; c++)
        if (table->written[c])
            fprintf(table->to, "%s,", user_columns[c].heading);
    fputs("Full name", table->to);
    for (int i = 0; i < table->lab_count; i++)
        fprintf(table->to, ",%s", table->labs[i]);
    fputs("\r\n", table->to);
    if (platform_each_student(context->book, write_student, table))
        return file_end(&output, context->book->error, sizeof context->book->error);
    file_discard(&output);
    return false;
}

static bool grades(const struct export_context *context) {
    struct grade_table table = {.context = context, .key = -1};
    char error[TEXT_ERROR];
    table.has_roster = kept_roster(context->book, NULL, &table.roster, error, sizeof error);
    for (int c = 0; c < USER_COLUMNS; c++) {
        table.columns[c] = table.has_roster ? roster_column(&table.roster.csv, user_columns[c].names, 3) : -1;
        table.written[c] = true;
    }
    table.lab_count = platform_labs(context->book, table.labs, LABS);
    bool right = table.lab_count >= 0 && platform_each_student(context->book, count_cells, &table);
    for (int c = 0; c < USER_COLUMNS; c++)
        if (table.filled[c] > 0 && (table.key < 0 || table.filled[c] > table.filled[table.key]))
            table.key = c;
    /* another platform's class has none, whatever columns its roster has */
    bool moodles = table.has_roster && table.roster.kind == ROSTER_MOODLE_WORKSHEET, theirs = false;
    for (int i = 0; i < table.lab_count; i++) {
        moodles = moodles || kept_layout_is(context->book, table.labs[i], title);
        for (unsigned l = 0; layout_platform(l) != NULL; l++)
            theirs = theirs || (strcmp(layout_platform(l)->title, title) != 0 &&
                                kept_layout_is(context->book, table.labs[i], layout_platform(l)->title));
    }
    bool most = !theirs && table.key >= 0 && table.filled[table.key] * 2 > table.students;
    if (right && table.key >= 0 && (moodles || most)) {
        right = platform_each_student(context->book, check_cells, &table) && write_grades(&table);
        if (right && table.left_out > 0)
            platform_note(
                context,
                "moodle/grades.csv is without %u of %u students: they have no %s by which Moodle knows them.",
                table.left_out, table.students, user_columns[table.key].heading);
    }
    if (table.has_roster)
        roster_free(&table.roster);
    return right;
}

/* ---- the worksheet */

/* Text in a cell of HTML: no line ends, and no backslash, which PHP's reader of CSV takes for an escape. */
static void comment_text(FILE *to, const char *text) {
    char one[2] = "";
    for (const char *at = text; *at != '\0';) {
        size_t plain = strcspn(at, "\\\n\r");
        char *piece = strndup(at, plain);
        html_escape(to, piece != NULL ? piece : "");
        free(piece);
        at += plain;
        if ((*one = *at) == '\0')
            break;
        fputs(*one == '\\' ? "&#92;" : " ", to);
        at++;
    }
}

static const char own_words[] = "Score ";

static void write_comment(FILE *to, const struct export_grade *of) {
    const struct grade *grade = of->grade;
    char points[32], max[32], name[TABLE_CELL];
    struct report_goal goals[GOALS];
    fprintf(to, "%s%s of %s (%s).", own_words, score_points_text(points, grade->points),
            score_points_text(max, grade->max), grade->passed ? "passed" : "not passed");
    if (grade->message[0] != '\0') {
        fputc(' ', to);
        comment_text(to, grade->message);
    }
    for (unsigned i = 0; i < of->count; i++) {
        if (!of->results[i].has_report || strcmp(of->results[i].outcome, "judged") != 0)
            continue;
        unsigned count = feedback_goals(of->policy, grade, &of->results[i].report, goals, GOALS);
        for (unsigned g = 0; g < count; g++) {
            fputs("<br>", to);
            feedback_goal_name(&goals[g], name);
            comment_text(to, name);
            fprintf(to, ": %.4g, %s of ", goals[g].value, score_points_text(points, goals[g].points));
            fprintf(to, "%s points", score_points_text(max, goals[g].max));
        }
    }
}

static bool comment(const struct export_grade *of, FILE *to) {
    write_comment(to, of);
    return true;
}

struct sheet {
    const struct export_context *context;
    const char *lab;
    const struct roster *roster;
    FILE *to;
    int grade, most, comments; /* columns */
    unsigned other_maximum;
    double maximum, ours;
};

/* The student's row, or one of nobody's: as it came. */
static bool sheet_row(struct sheet *sheet, uint32_t row, const struct grade *grade) {
    const struct csv *csv = &sheet->roster->csv;
    char points[32];
    bool right = true;
    for (uint32_t column = 0; right && column < csv_width(csv, 0); column++) {
        const char *cell = csv_cell(csv, row, column);
        fputs(column > 0 ? "," : "", sheet->to);
        if (grade != NULL && (int)column == sheet->grade) {
            platform_cell(sheet->to, score_points_text(points, grade->points));
        } else if (grade != NULL && (int)column == sheet->comments &&
                   (*cell == '\0' || strncmp(cell, own_words, sizeof own_words - 1) == 0)) {
            size_t length;
            char *text = platform_feedback(sheet->context, grade, comment, &length);
            right = text != NULL;
            platform_cell(sheet->to, right ? text : "");
            free(text);
        } else {
            platform_cell(sheet->to, cell);
        }
    }
    fputs("\r\n", sheet->to);
    return right;
}

/* Points of another full score would be other marks, and Moodle drops those above its own without a word. */
static void compare_maximum(struct sheet *sheet, uint32_t row, const struct grade *grade) {
    double most;
    if (sheet->most >= 0 && csv_number(csv_cell(&sheet->roster->csv, row, (uint32_t)sheet->most), &most) &&
        fabs(most - grade->max) > 0.005) {
        sheet->other_maximum++;
        sheet->maximum = most;
        sheet->ours = grade->max;
    }
}

static bool sheet_rows(struct sheet *sheet) {
    const struct roster *roster = sheet->roster;
    struct grade *grade = malloc(sizeof *grade);
    bool right = grade != NULL && sheet_row(sheet, 0, NULL);
    size_t next = 0;
    for (uint32_t row = 1; right && row < roster->csv.row_count; row++) {
        bool found = false;
        while (next < roster->count && roster->students[next].row < row)
            next++;
        if (next < roster->count && roster->students[next].row == row)
            right =
                platform_grade(sheet->context->book, roster->students[next].id, sheet->lab, grade, &found);
        if (right && found)
            compare_maximum(sheet, row, grade);
        right = right && sheet_row(sheet, row, found && export_has_points(grade) ? grade : NULL);
    }
    free(grade);
    return right;
}

static int column_of(const struct roster *roster, const char *name) {
    return roster_column(&roster->csv, &name, 1);
}

static bool worksheet(const struct export_context *context, const char *lab, const struct roster *roster) {
    struct gradebook *book = context->book;
    struct sheet sheet = {.context = context,
                          .lab = lab,
                          .roster = roster,
                          .grade = column_of(roster, "grade"),
                          .most = column_of(roster, "maximum grade"),
                          .comments = column_of(roster, "feedback comments")};
    struct file_output output;
    char folder[PATH_SIZE], name[64];
    path_print(folder, "%s/moodle", book->folder);
    snprintf(name, sizeof name, "%s-worksheet.csv", lab);
    if (!file_begin(&output, folder, name, book->error, sizeof book->error))
        return false;
    sheet.to = output.file;
    if (!sheet_rows(&sheet)) {
        file_discard(&output);
        return false;
    }
    if (sheet.other_maximum > 0)
        platform_note(
            context,
            "moodle/%s: Moodle's maximum is %g and %s has %g points: set points = %g in the policy, or the "
            "assignment's maximum.",
            name, sheet.maximum, lab, sheet.ours, sheet.maximum);
    return file_end(&output, book->error, sizeof book->error);
}

/* ---- the feedback files */

struct parcel {
    const struct export_context *context;
    const struct roster *roster; /* the worksheet; NULL: none */
    struct zip_file zip;
    bool from_moodle; /* the lab's download was */
    unsigned nobody;
};

/* "Full name_NUMBER_assignsubmission_file_": a name holds neither '_' nor '/'. */
static void folder_name(char *to, size_t size, const char *name, const char *number) {
    size_t used = 0;
    for (const char *c = name[0] != '\0' ? name : "student"; *c != '\0' && used + 1 < GRADE_NAME; c++)
        to[used++] = *c == '_' || *c == '/' || *c == '\\' ? ' ' : *c;
    snprintf(to + used, size - used, "_%s_assignsubmission_file_", number);
}

/* The number by which Moodle knows the student in this assignment; "": not told. */
static bool number_of(struct parcel *parcel, const struct grade *grade, char number[GRADE_NAME]) {
    char path[PATH_SIZE];
    number[0] = '\0';
    if (parcel->from_moodle && !platform_place(parcel->context->book, grade, number, path))
        return false;
    const struct roster_student *listed =
        number[0] == '\0' && parcel->roster != NULL ? roster_student(parcel->roster, grade->student) : NULL;
    if (listed != NULL) {
        const char *cell =
            csv_cell(&parcel->roster->csv, listed->row, (uint32_t)parcel->roster->number_column);
        size_t length = strlen(cell), digits = 0;
        while (digits < length && cell[length - digits - 1] >= '0' && cell[length - digits - 1] <= '9')
            digits++;
        snprintf(number, GRADE_NAME, "%s", cell + length - digits);
    }
    return true;
}

static bool add_feedback(void *context, const struct grade *grade) {
    struct parcel *parcel = context;
    char number[GRADE_NAME], path[GRADE_NAME * 3];
    size_t length;
    if (!export_has_points(grade))
        return true;
    if (!number_of(parcel, grade, number))
        return false;
    if (number[0] == '\0') {
        parcel->nobody++;
        return true;
    }
    char *text = platform_feedback(parcel->context, grade, feedback_html, &length);
    if (text == NULL)
        return false;
    folder_name(path, sizeof path - 64, grade->name, number);
    snprintf(path + strlen(path), 64, "/%s-feedback.html", grade->lab);
    bool right = zip_add(&parcel->zip, path, text, length);
    free(text);
    return right;
}

static bool feedback(const struct export_context *context, const char *lab, const struct roster *roster) {
    struct gradebook *book = context->book;
    struct parcel parcel = {
        .context = context, .roster = roster, .from_moodle = kept_layout_is(book, lab, title)};
    char folder[PATH_SIZE], name[64];
    path_print(folder, "%s/moodle", book->folder);
    snprintf(name, sizeof name, "%s-feedback.zip", lab);
    if (!zip_begin(&parcel.zip, folder, name, book->error, sizeof book->error))
        return false;
    bool right = gradebook_each_grade_of(book, NULL, lab, add_feedback, &parcel);
    if (right && parcel.nobody > 0)
        platform_note(context, "moodle/%s is without %u students: Moodle's number of them is not known.",
                      name, parcel.nobody);
    return zip_end(&parcel.zip, right);
}

static bool of_lab(const struct export_context *context, const char *lab) {
    struct roster roster;
    char error[TEXT_ERROR];
    bool has = kept_roster(context->book, lab, &roster, error, sizeof error);
    bool sheet = has && roster.kind == ROSTER_MOODLE_WORKSHEET;
    if (has && roster.kind == ROSTER_MOODLE_TRANSLATED)
        platform_note(
            context,
            "moodle/%s-worksheet.csv is not written: the worksheet is not in English, and Moodle takes it back "
            "by its headings. Download it with Moodle's language set to English.",
            lab);
    bool right = !sheet || worksheet(context, lab, &roster);
    if (right && (sheet || kept_layout_is(context->book, lab, title)))
        right = feedback(context, lab, sheet ? &roster : NULL);
    if (has)
        roster_free(&roster);
    return right;
}

bool moodle_files(const struct export_context *context) {
    char labs[LABS][16];
    int count = platform_labs(context->book, labs, LABS);
    bool right = count >= 0 && grades(context);
    for (int i = 0; right && i < count; i++)
        right = of_lab(context, labs[i]);
    return right;
}

/* instructor.c: the two files, row by row, and back out of the gradebook. */
#include "class/instructor.h"

#include "base/file.h"
#include "base/ini.h"
#include "class/score/score.h"
#include "report/ncu/csv.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { FILE_LIMIT = 16 << 20, COLUMNS = 6 };

/* A file with these columns and no others. */
struct table {
    struct plan *plan;
    struct csv csv;
    const char *file;
    const char *const *names;
    unsigned count;
    int columns[COLUMNS]; /* -1: it is not there */
    uint32_t row;
};

__attribute__((format(printf, 2, 3))) static bool refuse(const struct table *t, const char *format, ...) {
    char what[512], clean[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    text_clean(clean, sizeof clean, what);
    return plan_refuse(t->plan, "%.400s:%u: %s", t->file, t->csv.row_line[t->row], clean);
}

static void cell(const struct table *t, unsigned column, char *text, size_t size) {
    char *copy =
        t->columns[column] >= 0 ? strdup(csv_cell(&t->csv, t->row, (uint32_t)t->columns[column])) : NULL;
    text_clean(text, size, copy != NULL ? ini_trim(copy) : "");
    free(copy);
}

/* The header: every column is known and there once; the first two have to be. */
static bool read_header(struct table *t) {
    t->row = 0;
    if (t->csv.row_count == 0)
        return plan_refuse(t->plan, "%.400s is empty: its first row names the columns", t->file);
    for (unsigned i = 0; i < t->count; i++)
        t->columns[i] = -1;
    for (uint32_t c = 0; c < csv_width(&t->csv, 0); c++) {
        char name[64];
        unsigned i = 0;
        text_clean(name, sizeof name, csv_cell(&t->csv, 0, c));
        while (i < t->count && strcasecmp(ini_trim(name), t->names[i]) != 0)
            i++;
        if (i == t->count)
            return refuse(t, "no column is called '%s'", name);
        if (t->columns[i] >= 0)
            return refuse(t, "the column %s is here twice", t->names[i]);
        t->columns[i] = (int)c;
    }
    for (unsigned i = 0; i < 2; i++)
        if (t->columns[i] < 0)
            return refuse(t, "the column %s is missing", t->names[i]);
    return true;
}

static bool open_table(struct table *t, const char *path) {
    char error[TEXT_ERROR];
    size_t length;
    char *text = file_read(path, FILE_LIMIT, &length, error, sizeof error);
    if (text == NULL)
        return plan_refuse(t->plan, "%s", error);
    bool right = csv_parse(&t->csv, text, length, path, error, sizeof error);
    free(text);
    if (!right)
        return plan_refuse(t->plan, "%s", error);
    right = read_header(t);
    if (!right)
        csv_free(&t->csv);
    return right;
}

/* Is nothing in the row? Spreadsheets leave such rows behind. */
static bool is_blank(const struct table *t) {
    for (uint32_t c = 0; c < csv_width(&t->csv, t->row); c++)
        if (csv_cell(&t->csv, t->row, c)[strspn(csv_cell(&t->csv, t->row, c), " \t")] != '\0')
            return false;
    return true;
}

/* The student of a row, under the id of the gradebook. */
static bool find_student(const struct table *t, char id[GRADE_NAME]) {
    struct plan *plan = t->plan;
    char given[GRADE_NAME];
    cell(t, 0, given, sizeof given);
    if (given[0] == '\0')
        return refuse(t, "no student");
    if (plan_known_student(plan, given, id))
        return true;
    return plan->error[0] != '\0' ? false
                                  : refuse(t, "nobody called '%s' is in the roster or has handed in", given);
}

/* Has anybody a grade in this lab, or gets one in this run? A dry run cannot know. */
static bool is_graded(struct plan *plan, const char *lab) {
    if (plan->book == NULL || plan_find_lab(plan, lab) != NULL)
        return true;
    sqlite3_stmt *row = gradebook_prepare(plan->book, "SELECT 1 FROM grades WHERE lab = ?", "s", lab);
    bool found = row != NULL && sqlite3_step(row) == SQLITE_ROW;
    sqlite3_finalize(row);
    return found;
}

static bool find_lab(const struct table *t, char id[16], double *max) {
    char given[64] = "", error[TEXT_ERROR];
    struct lab lab;
    struct policy_rules rules;
    struct score_prediction prediction;
    cell(t, 1, given, sizeof given);
    if (strlen(given) >= 16 || !policy_lab(t->plan->options->root, given, &lab, error, sizeof error))
        return refuse(t, "there is no lab '%s'", given);
    if (!is_graded(t->plan, given))
        return refuse(t, "nobody has a grade in %s", given);
    snprintf(id, 16, "%s", given);
    policy_rules(&t->plan->policy, lab.id, &rules);
    if (!score_prediction(t->plan->options->root, &lab, &rules, NULL, 0, "", &prediction, error,
                          sizeof error))
        return plan_refuse(t->plan, "%s", error);
    *max =
        (isfinite(rules.points) ? rules.points : policy_goal_points(&t->plan->policy, &lab)) + prediction.max;
    return true;
}

/* ---- overrides */

static bool read_waived(const struct table *t, struct instructor_word *word) {
    for (const char *at = word->waived; *at != '\0'; at += strspn(at, " ,")) {
        size_t span = strcspn(at, " ,");
        if (!policy_is_flag(at, span) && !(span == 3 && strncmp(at, "all", 3) == 0) &&
            !(span == 4 && strncmp(at, "late", 4) == 0))
            return refuse(t, "'%.*s' is neither a flag nor all nor late", (int)span, at);
        at += span;
    }
    for (char *c = word->waived; *c != '\0'; c++)
        *c = *c == ',' ? ' ' : *c;
    return true;
}

static bool read_word(const struct table *t, double max, struct instructor_word *word) {
    char points[64], excused[64];
    *word = (struct instructor_word){.present = true, .points = NAN};
    cell(t, 2, points, sizeof points);
    cell(t, 3, excused, sizeof excused);
    cell(t, 4, word->waived, sizeof word->waived);
    cell(t, 5, word->remark, sizeof word->remark);
    /* a decimal comma would be taken for one between thousands */
    if (points[0] != '\0' && (strchr(points, ',') != NULL || !csv_number(points, &word->points)))
        return refuse(t, "'%s' is not a number of points%s", points,
                      strchr(points, ',') != NULL ? ": write a point, as in 80.5" : "");
    if (isfinite(word->points) && !(word->points >= 0 && word->points <= max))
        return refuse(t, "%s points are outside 0 to %g", points, max);
    word->excused = strcasecmp(excused, "yes") == 0;
    if (excused[0] != '\0' && !word->excused && strcasecmp(excused, "no") != 0)
        return refuse(t, "excused is yes or no, and not '%s'", excused);
    if ((points[0] != '\0') + word->excused + (word->waived[0] != '\0') != 1)
        return refuse(t, "one of points, excused and waived is to be given");
    return read_waived(t, word);
}

static bool put_override(struct table *t) {
    struct instructor_word word;
    char id[GRADE_NAME], lab[16];
    double max = 0;
    if (!find_lab(t, lab, &max) || !read_word(t, max, &word))
        return false;
    if (t->plan->book == NULL)
        return true;
    if (!find_student(t, id))
        return false;
    struct instructor_word before;
    if (!instructor_word(t->plan->book, id, lab, &before))
        return plan_book_failed(t->plan);
    if (before.present)
        return refuse(t, "%s of %s is here twice", lab, id);
    return gradebook_do(t->plan->book, "INSERT INTO overrides VALUES(?, ?, ?, ?, ?, ?)", "ssdiss", id, lab,
                        word.points, (int64_t)word.excused, word.waived, word.remark) ||
           plan_book_failed(t->plan);
}

/* ---- regrades */

static bool put_regrade(struct table *t) {
    static const char *const states[] = {"open", "accepted", "declined"};
    char id[GRADE_NAME], lab[16], question[GRADE_MESSAGE], answer[GRADE_MESSAGE], state[32];
    double max = 0;
    bool known = false;
    cell(t, 2, question, sizeof question);
    cell(t, 3, answer, sizeof answer);
    cell(t, 4, state, sizeof state);
    if (state[0] == '\0')
        snprintf(state, sizeof state, "open");
    for (int i = 0; i < 3; i++)
        known = known || strcmp(state, states[i]) == 0;
    if (!known)
        return refuse(t, "a state is open, accepted or declined, and not '%s'", state);
    if (question[0] == '\0')
        return refuse(t, "no question");
    if (strcmp(state, "open") != 0 && answer[0] == '\0')
        return refuse(t, "%s, and no answer", state);
    if (!find_lab(t, lab, &max))
        return false;
    if (t->plan->book == NULL)
        return true;
    return find_student(t, id) &&
           (gradebook_do(t->plan->book, "INSERT INTO regrades VALUES(?, ?, ?, ?, ?, ?)", "ssisss", id, lab,
                         (int64_t)t->csv.row_line[t->row], question, answer, state) ||
            plan_book_failed(t->plan));
}

/* ---- both */

/* One of the files. */
struct file {
    const char *path;
    const char *names[COLUMNS];
    unsigned count;
    bool (*put)(struct table *);
    const char *keep, *empty, *lost; /* statements: keep the rows in `words`; no rows; rows that are gone */
    const char *title;               /* of what is lost */
    void (*describe)(struct plan *plan, sqlite3_stmt *lost, char *text, size_t size);
};

/* "s1 lab1 77 -> 0": what the decision gave, and what is computed without it. */
static void describe_override(struct plan *plan, sqlite3_stmt *lost, char *text, size_t size) {
    const char *student = gradebook_text(lost, 0), *lab = gradebook_text(lost, 1);
    char had[32] = "", gets[32] = "not judged yet", error[TEXT_ERROR];
    struct grade *grade = calloc(1, sizeof *grade);
    sqlite3_stmt *row = gradebook_prepare(
        plan->book, "SELECT points, excused FROM grades WHERE student = ? AND lab = ?", "ss", student, lab);
    if (row != NULL && sqlite3_step(row) == SQLITE_ROW) {
        score_points_text(had, sqlite3_column_double(row, 0));
        if (sqlite3_column_int(row, 1) != 0)
            snprintf(had, sizeof had, "excused");
    }
    sqlite3_finalize(row);
    snprintf(error, sizeof error, "%s",
             plan->error); /* a lab that cannot be scored today says nothing here */
    if (grade != NULL && score_student(plan, student, lab, grade) && !grade_is_open(grade))
        score_points_text(gets, grade->points);
    snprintf(plan->error, sizeof plan->error, "%s", error);
    free(grade);
    snprintf(text, size, "%.60s %s %s%s%s", student, lab, had, had[0] != '\0' ? " -> " : "", gets);
}

static void describe_question(struct plan *plan, sqlite3_stmt *lost, char *text, size_t size) {
    (void)plan;
    snprintf(text, size, "%.60s %s '%.60s'", gradebook_text(lost, 0), gradebook_text(lost, 1),
             gradebook_text(lost, 2));
}

/* What the new file no longer has is told; without --replace that is refused. */
static bool check_lost(struct plan *plan, const struct file *file) {
    enum { SHOWN = 6 };
    char all[TEXT_ERROR] = "", one[256], clean[256];
    unsigned count = 0;
    sqlite3_stmt *lost = gradebook_prepare(plan->book, file->lost, "");
    if (lost == NULL)
        return plan_book_failed(plan);
    while (sqlite3_step(lost) == SQLITE_ROW) {
        if (count++ >= SHOWN)
            continue;
        file->describe(plan, lost, one, sizeof one);
        text_clean(clean, sizeof clean, one);
        snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s", count > 1 ? ", " : "", clean);
    }
    sqlite3_finalize(lost);
    if (!gradebook_run(plan->book, "DROP TABLE words"))
        return plan_book_failed(plan);
    if (count > SHOWN)
        snprintf(all + strlen(all), sizeof all - strlen(all), " and %u more", count - SHOWN);
    if (count > 0 && plan->options->replace)
        text_append(plan->lost, sizeof plan->lost, "%s: %.400s.", file->title, all);
    return count == 0 || plan->options->replace ||
           plan_refuse(
               plan,
               "%s: %.600s: %.200s lacks their rows; add them, or REPLACE=1 takes it back; nothing was "
               "changed",
               file->title, all, file->path);
}

static bool put_file(struct plan *plan, const struct file *file) {
    struct table t = {.plan = plan, .file = file->path, .names = file->names, .count = file->count};
    plan->error[0] = '\0';
    if (!open_table(&t, file->path))
        return false;
    bool right = plan->book == NULL ||
                 (gradebook_run(plan->book, file->keep) && gradebook_run(plan->book, file->empty)) ||
                 plan_book_failed(plan);
    for (t.row = 1; right && t.row < t.csv.row_count; t.row++)
        right = is_blank(&t) || file->put(&t);
    csv_free(&t.csv);
    return right && (plan->book == NULL || check_lost(plan, file));
}

bool instructor_put(struct plan *plan) {
    const struct plan_options *o = plan->options;
    const struct file overrides =
                          {.path = o->overrides,
                           .names = {"student", "lab", "points", "excused", "waived", "remark"},
                           .count = 6,
                           .put = put_override,
                           .keep = "CREATE TEMP TABLE words AS SELECT * FROM overrides",
                           .empty = "DELETE FROM overrides",
                           .lost = "SELECT student, lab FROM words EXCEPT SELECT student, lab FROM overrides"
                                   " ORDER BY 1, 2",
                           .title = "no longer decided by hand",
                           .describe = describe_override},
                      regrades = {.path = o->regrades,
                                  .names = {"student", "lab", "question", "answer", "state"},
                                  .count = 5,
                                  .put = put_regrade,
                                  .keep = "CREATE TEMP TABLE words AS SELECT * FROM regrades",
                                  .empty = "DELETE FROM regrades",
                                  .lost = "SELECT student, lab, question FROM words EXCEPT"
                                          " SELECT student, lab, question FROM regrades ORDER BY 1, 2, 3",
                                  .title = "no longer asked",
                                  .describe = describe_question};
    return (o->overrides == NULL || put_file(plan, &overrides)) &&
           (o->regrades == NULL || put_file(plan, &regrades));
}

bool instructor_word(struct gradebook *book, const char *student, const char *lab,
                     struct instructor_word *word) {
    *word = (struct instructor_word){.points = NAN};
    sqlite3_stmt *row = gradebook_prepare(
        book, "SELECT points, excused, waived, remark FROM overrides WHERE student = ? AND lab = ?", "ss",
        student, lab);
    if (row == NULL)
        return false;
    int status = sqlite3_step(row);
    word->present = status == SQLITE_ROW;
    if (word->present) {
        word->points = sqlite3_column_type(row, 0) == SQLITE_NULL ? NAN : sqlite3_column_double(row, 0);
        word->excused = sqlite3_column_int(row, 1) != 0;
        snprintf(word->waived, sizeof word->waived, "%s", gradebook_text(row, 2));
        snprintf(word->remark, sizeof word->remark, "%s", gradebook_text(row, 3));
    }
    sqlite3_finalize(row);
    return status == SQLITE_ROW || status == SQLITE_DONE || gradebook_failed(book);
}

bool instructor_waives(const struct instructor_word *word, const char *name) {
    size_t length = strlen(name);
    for (const char *at = word->waived; *at != '\0'; at += strspn(at, " ")) {
        size_t span = strcspn(at, " ");
        if ((span == length && strncmp(at, name, span) == 0) ||
            (span == 3 && strncmp(at, "all", 3) == 0 && strcmp(name, "late") != 0))
            return true;
        at += span;
    }
    return false;
}

bool instructor_regrades(struct gradebook *book, const char *student, const char *lab, char *text,
                         size_t size, unsigned *open) {
    int status = SQLITE_DONE;
    *open = 0;
    text[0] = '\0';
    sqlite3_stmt *row = gradebook_prepare(
        book, "SELECT question, answer, state FROM regrades WHERE student = ? AND lab = ? ORDER BY number",
        "ss", student, lab);
    while (row != NULL && (status = sqlite3_step(row)) == SQLITE_ROW) {
        size_t used = strlen(text);
        const char *answer = gradebook_text(row, 1), *state = gradebook_text(row, 2);
        bool waits = strcmp(state, "open") == 0;
        *open += waits;
        snprintf(text + used, size - used, "%sAsked: %s %s%s%s%s", used > 0 ? " " : "",
                 gradebook_text(row, 0), waits ? "It waits for an answer." : "Answered (", waits ? "" : state,
                 waits ? "" : "): ", waits ? "" : answer);
    }
    sqlite3_finalize(row);
    return row != NULL && (status == SQLITE_DONE || gradebook_failed(book));
}

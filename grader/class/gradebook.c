/* gradebook.c: the gradebook's tables and the statements that write and read them. */
#include "class/gradebook.h"

#include "base/file.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

// clang-format off
static const char schema[] =
    "CREATE TABLE IF NOT EXISTS settings("
        "name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;"
    "CREATE TABLE IF NOT EXISTS students("
        "id TEXT PRIMARY KEY, name TEXT, first TEXT, last TEXT, email TEXT,"
        " in_roster INTEGER, extension_hours REAL) WITHOUT ROWID;"
    "CREATE TABLE IF NOT EXISTS rosters("
        "lab TEXT, student TEXT, extension_hours REAL, PRIMARY KEY(lab, student)) WITHOUT ROWID;"
    "CREATE TABLE IF NOT EXISTS submissions("
        "student TEXT, lab TEXT, sha256 TEXT, size INTEGER, submitted INTEGER, late INTEGER,"
        " path TEXT, problem TEXT, notes TEXT, handed_in_as TEXT, human TEXT, PRIMARY KEY(student, lab)) WITHOUT ROWID;"
    "CREATE TABLE IF NOT EXISTS history("
        "student TEXT, lab TEXT, number INTEGER, sha256 TEXT, submitted INTEGER, late INTEGER, path TEXT,"
        " prediction TEXT NOT NULL DEFAULT '', PRIMARY KEY(student, lab, number)) WITHOUT ROWID;"
    "CREATE TABLE IF NOT EXISTS overrides("
        "student TEXT, lab TEXT, points REAL, excused INTEGER, waived TEXT, remark TEXT,"
        " PRIMARY KEY(student, lab)) WITHOUT ROWID;"
    "CREATE TABLE IF NOT EXISTS regrades("
        "student TEXT, lab TEXT, number INTEGER, question TEXT, answer TEXT, state TEXT,"
        " PRIMARY KEY(student, lab, number)) WITHOUT ROWID;"
    "CREATE TABLE IF NOT EXISTS jobs("
        "key TEXT PRIMARY KEY, sha256 TEXT, lab TEXT, device TEXT, gpu TEXT, size TEXT, key_name TEXT, kit TEXT,"
        " build_seconds REAL, run_seconds REAL, memory_mib REAL,"
        " wanted INTEGER, state TEXT, attempts INTEGER, tries INTEGER, place TEXT,"
        " alone INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID;"
    "CREATE INDEX IF NOT EXISTS jobs_by_state ON jobs(wanted, state, key);"
    "CREATE INDEX IF NOT EXISTS jobs_by_kernel ON jobs(sha256, lab);"
    "CREATE TABLE IF NOT EXISTS results("
        "id INTEGER PRIMARY KEY, job TEXT, attempt INTEGER, outcome TEXT, result TEXT,"
        " build_seconds REAL, run_seconds REAL, finished TEXT, digest TEXT, UNIQUE(job, attempt));"
    "CREATE TABLE IF NOT EXISTS grades("
        "student TEXT, lab TEXT, outcome TEXT, earned REAL, points REAL, max REAL, passed INTEGER,"
        " flags TEXT, message TEXT, human TEXT, deadline INTEGER, late_days INTEGER, late_percent REAL,"
        " submitted INTEGER, devices INTEGER, gpu TEXT, size TEXT, key_name TEXT,"
        " sha256 TEXT, free_days INTEGER, excused INTEGER, override TEXT, regrades TEXT,"
        " PRIMARY KEY(student, lab)) WITHOUT ROWID;";
// clang-format on

static const char schema_number[] = "5";

/* From the tables before these. Grades are made anew by every run. */
static const char from_2[] =
    "ALTER TABLE jobs ADD COLUMN alone INTEGER NOT NULL DEFAULT 0;"
    "ALTER TABLE results ADD COLUMN digest TEXT;"
    "INSERT OR IGNORE INTO history(student, lab, number, sha256, submitted, late, path)"
    " SELECT student, lab, 1, sha256, submitted, late, path FROM submissions WHERE sha256 <> '';"
    "DROP TABLE grades;";

/* These had a student's prediction apart from the kernel that it is of, the newest one. */
static const char from_3[] =
    "CREATE TABLE IF NOT EXISTS predictions(student TEXT, lab TEXT, text TEXT);"
    "ALTER TABLE history ADD COLUMN prediction TEXT NOT NULL DEFAULT '';"
    "UPDATE history SET prediction = coalesce((SELECT text FROM predictions p"
    " WHERE p.student = history.student AND p.lab = history.lab), '')"
    " WHERE number = (SELECT max(number) FROM history h WHERE h.student = history.student AND h.lab = history.lab);"
    "DROP TABLE predictions;";

/* In these the last roster was that of every lab. */
static const char from_4[] = "INSERT OR IGNORE INTO rosters SELECT DISTINCT m.lab, s.id, s.extension_hours"
                             " FROM submissions m, students s WHERE s.in_roster;";

/* What may be done about a gradebook that cannot be used. */
#define LOST                                                                                                               \
    "put a copy of it back, or move the whole folder away and grade anew (other inputs are drawn then, unless the policy " \
    "has the key of keys/)"

bool gradebook_failed(struct gradebook *book) {
    int code = book->database != NULL ? sqlite3_errcode(book->database) & 0xff : SQLITE_NOMEM;
    bool damaged = code == SQLITE_CORRUPT || code == SQLITE_NOTADB;
    return fails(book->error, sizeof book->error, "%.500s/gradebook.sqlite%s: %.160s%s", book->folder,
                 damaged ? " is damaged" : "",
                 book->database != NULL ? sqlite3_errmsg(book->database) : "out of memory",
                 damaged ? ": " LOST : "");
}

bool gradebook_run(struct gradebook *book, const char *sql) {
    return sqlite3_exec(book->database, sql, NULL, NULL, NULL) == SQLITE_OK || gradebook_failed(book);
}

static sqlite3_stmt *prepare(struct gradebook *book, const char *sql, const char *types, va_list arguments) {
    sqlite3_stmt *statement;
    if (sqlite3_prepare_v2(book->database, sql, -1, &statement, NULL) != SQLITE_OK) {
        gradebook_failed(book);
        return NULL;
    }
    for (int i = 0; types[i] != '\0'; i++) {
        int status;
        if (types[i] == 's') {
            const char *text = va_arg(arguments, const char *);
            status = text != NULL ? sqlite3_bind_text(statement, i + 1, text, -1, SQLITE_STATIC)
                                  : sqlite3_bind_null(statement, i + 1);
        } else if (types[i] == 'i') {
            status = sqlite3_bind_int64(statement, i + 1, va_arg(arguments, int64_t));
        } else {
            status = sqlite3_bind_double(statement, i + 1, va_arg(arguments, double));
        }
        if (status != SQLITE_OK) {
            gradebook_failed(book);
            sqlite3_finalize(statement);
            return NULL;
        }
    }
    return statement;
}

sqlite3_stmt *gradebook_prepare(struct gradebook *book, const char *sql, const char *types, ...) {
    va_list arguments;
    va_start(arguments, types);
    sqlite3_stmt *statement = prepare(book, sql, types, arguments);
    va_end(arguments);
    return statement;
}

bool gradebook_do(struct gradebook *book, const char *sql, const char *types, ...) {
    va_list arguments;
    va_start(arguments, types);
    sqlite3_stmt *statement = prepare(book, sql, types, arguments);
    va_end(arguments);
    if (statement == NULL)
        return false;
    int status;
    while ((status = sqlite3_step(statement)) == SQLITE_ROW)
        ;
    if (status != SQLITE_DONE)
        gradebook_failed(book);
    sqlite3_finalize(statement);
    return status == SQLITE_DONE;
}

const char *gradebook_text(sqlite3_stmt *statement, int column) {
    const unsigned char *text = sqlite3_column_text(statement, column);
    return text != NULL ? (const char *)text : "";
}

/* SQLite takes an empty file for a new gradebook. */
static bool not_emptied(struct gradebook *book, const char *path) {
    char grades[PATH_SIZE];
    struct stat status, of_grades;
    if (!path_join(grades, book->folder, "grades.csv") || stat(grades, &of_grades) != 0 ||
        (stat(path, &status) == 0 && status.st_size > 0))
        return true;
    return fails(book->error, sizeof book->error,
                 "%.500s is gone or empty, and grades.csv is beside it: " LOST, path);
}

/* Are all its pages what SQLite wrote? A second for a hundred megabytes. */
static bool sound(struct gradebook *book) {
    sqlite3_stmt *statement = gradebook_prepare(book, "PRAGMA integrity_check(1)", "");
    bool right = statement != NULL && sqlite3_step(statement) == SQLITE_ROW;
    char said[160];
    text_clean(said, sizeof said, right ? gradebook_text(statement, 0) : sqlite3_errmsg(book->database));
    said[strcspn(said, "\n")] = '\0';
    sqlite3_finalize(statement);
    if (right && strcmp(said, "ok") == 0)
        return true;
    return fails(book->error, sizeof book->error, "%.500s/gradebook.sqlite is damaged (%s): " LOST,
                 book->folder, said);
}

bool gradebook_open(struct gradebook *book, const char *folder) {
    char path[PATH_SIZE], number[16];
    *book = (struct gradebook){0};
    if (!folder_make(folder, book->error, sizeof book->error))
        return false;
    if (!path_join(path, folder, "gradebook.sqlite"))
        return fails(book->error, sizeof book->error, "%.200s...: this path is too long", folder);
    snprintf(book->folder, sizeof book->folder, "%s", folder);
    if (!not_emptied(book, path))
        return false;
    if (sqlite3_open(path, &book->database) != SQLITE_OK) {
        gradebook_failed(book);
        gradebook_close(book);
        return false;
    }
    sqlite3_busy_timeout(book->database, 10000);
    /* a cache of 2 MiB, so that a class of any size needs no more memory than a small one */
    bool right = gradebook_run(book, "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;"
                                     "PRAGMA cache_size = -2048;") &&
                 sound(book) && gradebook_begin(book);
    right = right && gradebook_run(book, schema) && gradebook_get(book, "schema", number, sizeof number);
    int from = atoi(number);
    if (right && from >= 2 && from <= 4) {
        right = (from != 2 || (gradebook_run(book, from_2) && gradebook_run(book, schema))) &&
                (from != 3 || gradebook_run(book, from_3)) && gradebook_run(book, from_4);
        number[0] = '\0';
    }
    if (right && number[0] == '\0')
        right = gradebook_set(book, "schema", schema_number);
    else if (right && strcmp(number, schema_number) != 0) {
        snprintf(book->error, sizeof book->error,
                 "%.700s is of another version of the kit%s: choose another OUT", path,
                 strcmp(number, "1") == 0
                     ? ", whose inputs a seed of 32 bits gave away; its grades stay as they are"
                     : "");
        right = false;
    }
    right = right && gradebook_commit(book);
    if (!right)
        gradebook_close(book);
    return right;
}

void gradebook_close(struct gradebook *book) {
    sqlite3_close(book->database);
    book->database = NULL;
}

bool gradebook_begin(struct gradebook *book) {
    return gradebook_run(book, "BEGIN IMMEDIATE");
}

bool gradebook_commit(struct gradebook *book) {
    return gradebook_run(book, "COMMIT");
}

void gradebook_rollback(struct gradebook *book) {
    if (!sqlite3_get_autocommit(book->database))
        sqlite3_exec(book->database, "ROLLBACK", NULL, NULL, NULL);
}

bool gradebook_get(struct gradebook *book, const char *name, char *text, size_t size) {
    sqlite3_stmt *statement = gradebook_prepare(book, "SELECT value FROM settings WHERE name = ?", "s", name);
    if (statement == NULL)
        return false;
    int status = sqlite3_step(statement);
    snprintf(text, size, "%s", status == SQLITE_ROW ? gradebook_text(statement, 0) : "");
    sqlite3_finalize(statement);
    return status == SQLITE_ROW || status == SQLITE_DONE || gradebook_failed(book);
}

bool gradebook_set(struct gradebook *book, const char *name, const char *value) {
    return gradebook_do(book, "INSERT OR REPLACE INTO settings VALUES(?, ?)", "ss", name, value);
}

bool gradebook_put_student(struct gradebook *book, const char *id, const char *name, const char *first,
                           const char *last, const char *email, bool in_roster, double extension_hours) {
    return gradebook_do(book, "INSERT OR REPLACE INTO students VALUES(?, ?, ?, ?, ?, ?, ?)", "sssssid", id,
                        name, first, last, email, (int64_t)in_roster, extension_hours);
}

bool gradebook_put_roster(struct gradebook *book, const char *lab, bool given, bool whole) {
    return (!given || !whole || gradebook_do(book, "DELETE FROM rosters WHERE lab = ?", "s", lab)) &&
           gradebook_do(book,
                        "INSERT OR REPLACE INTO rosters SELECT ?1, id, extension_hours FROM students"
                        " WHERE in_roster AND (?2 OR NOT EXISTS (SELECT 1 FROM rosters WHERE lab = ?1))",
                        "si", lab, (int64_t)given);
}

bool gradebook_note_student(struct gradebook *book, const char *id, const char *name, const char *email) {
    return gradebook_do(book, "INSERT OR IGNORE INTO students VALUES(?, ?, '', '', ?, 0, 0)", "sss", id, name,
                        email);
}

bool gradebook_put_submission(struct gradebook *book, const char *student,
                              const struct submission *submission, int64_t submitted, const char *human) {
    return gradebook_do(book, "INSERT OR REPLACE INTO submissions VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                        "sssiiisssss", student, submission->lab, submission->sha256,
                        (int64_t)submission->size, submitted, (int64_t)submission->word, submission->path,
                        submission->problem, submission->notes, submission->student, human);
}

/* Of a student and a lab. */
#define NEWEST "(SELECT max(number) FROM history WHERE student = ?1 AND lab = ?2)"

char *gradebook_prediction(struct gradebook *book, const char *student, const char *lab) {
    sqlite3_stmt *row = gradebook_prepare(
        book, "SELECT prediction FROM history WHERE student = ?1 AND lab = ?2 AND number = " NEWEST, "ss",
        student, lab);
    if (row == NULL)
        return NULL;
    char *text = strdup(sqlite3_step(row) == SQLITE_ROW ? gradebook_text(row, 0) : "");
    sqlite3_finalize(row);
    if (text == NULL)
        snprintf(book->error, sizeof book->error, "out of memory");
    return text;
}

bool gradebook_put_history(struct gradebook *book, const char *student, const struct submission *submission,
                           int64_t submitted) {
    const char *prediction = submission->prediction != NULL ? submission->prediction : "";
    /* the same file again is no other submission, unless another prediction is beside it; its
     * time may be known by now */
    return gradebook_do(
               book,
               "UPDATE history SET submitted = ?4, late = ?5 WHERE student = ?1 AND lab = ?2 AND sha256 = ?3"
               " AND ?6 IN ('', prediction) AND ?4 <> 0 AND number = " NEWEST,
               "sssiis", student, submission->lab, submission->sha256, submitted, (int64_t)submission->word,
               prediction) &&
           gradebook_do(book,
                        "INSERT INTO history SELECT ?1, ?2, 1 + coalesce(" NEWEST
                        ", 0), ?3, ?4, ?5, ?6, ?7 WHERE NOT EXISTS (SELECT 1 FROM history h WHERE"
                        " h.student = ?1 AND h.lab = ?2 AND h.sha256 = ?3 AND ?7 IN ('', h.prediction) AND"
                        " h.number = " NEWEST ")",
                        "sssiiss", student, submission->lab, submission->sha256, submitted,
                        (int64_t)submission->word, submission->path, prediction);
}

bool gradebook_put_grade(struct gradebook *book, const struct grade *grade) {
    return gradebook_do(
        book,
        "INSERT OR REPLACE INTO grades VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,"
        " ?, ?, ?, ?)",
        "sssdddisssiidiissssiiss", grade->student, grade->lab, grade->outcome, grade->earned, grade->points,
        grade->max, (int64_t)grade->passed, grade->flags, grade->message, grade->human, grade->deadline,
        (int64_t)grade->late_days, grade->late_percent, grade->submitted, (int64_t)grade->devices, grade->gpu,
        grade->size, grade->key_name, grade->sha256, (int64_t)grade->free_days, (int64_t)grade->excused,
        grade->override, grade->regrades);
}

bool grade_is_open(const struct grade *grade) {
    return strcmp(grade->outcome, "waiting") == 0 || strcmp(grade->outcome, "trouble") == 0 ||
           strcmp(grade->outcome, "absent") == 0 || strcmp(grade->outcome, "disputed") == 0;
}

static void copy(char *to, size_t size, sqlite3_stmt *statement, int column) {
    text_clean(to, size, gradebook_text(statement, column));
}

static void read_grade(struct grade *grade, sqlite3_stmt *s) {
    *grade = (struct grade){0};
    copy(grade->student, sizeof grade->student, s, 0);
    copy(grade->lab, sizeof grade->lab, s, 1);
    copy(grade->outcome, sizeof grade->outcome, s, 2);
    grade->earned = sqlite3_column_double(s, 3);
    grade->points = sqlite3_column_double(s, 4);
    grade->max = sqlite3_column_double(s, 5);
    grade->passed = sqlite3_column_int(s, 6) != 0;
    copy(grade->flags, sizeof grade->flags, s, 7);
    copy(grade->message, sizeof grade->message, s, 8);
    copy(grade->human, sizeof grade->human, s, 9);
    grade->deadline = sqlite3_column_int64(s, 10);
    grade->late_days = (unsigned)sqlite3_column_int(s, 11);
    grade->late_percent = sqlite3_column_double(s, 12);
    grade->submitted = sqlite3_column_int64(s, 13);
    grade->devices = (unsigned)sqlite3_column_int(s, 14);
    copy(grade->gpu, sizeof grade->gpu, s, 15);
    copy(grade->size, sizeof grade->size, s, 16);
    copy(grade->key_name, sizeof grade->key_name, s, 17);
    copy(grade->name, sizeof grade->name, s, 18);
    copy(grade->first, sizeof grade->first, s, 19);
    copy(grade->last, sizeof grade->last, s, 20);
    copy(grade->email, sizeof grade->email, s, 21);
    copy(grade->sha256, sizeof grade->sha256, s, 22);
    copy(grade->notes, sizeof grade->notes, s, 23);
    grade->free_days = (unsigned)sqlite3_column_int(s, 24);
    grade->excused = sqlite3_column_int(s, 25) != 0;
    copy(grade->override, sizeof grade->override, s, 26);
    copy(grade->regrades, sizeof grade->regrades, s, 27);
}

bool gradebook_each_grade(struct gradebook *book, gradebook_visitor *visit, void *context) {
    return gradebook_each_grade_of(book, NULL, NULL, visit, context);
}

bool gradebook_each_grade_of(struct gradebook *book, const char *student, const char *lab,
                             gradebook_visitor *visit, void *context) {
    char sql[1024];
    snprintf(
        sql, sizeof sql,
        "SELECT g.student, g.lab, g.outcome, g.earned, g.points, g.max, g.passed, g.flags, g.message, g.human,"
        " g.deadline, g.late_days, g.late_percent, g.submitted, g.devices, g.gpu, g.size, g.key_name,"
        " s.name, s.first, s.last, s.email, g.sha256, m.notes, g.free_days, g.excused, g.override, g.regrades"
        " FROM grades g LEFT JOIN students s ON s.id = g.student"
        " LEFT JOIN submissions m ON m.student = g.student AND m.lab = g.lab"
        " WHERE %s AND (?2 IS NULL OR g.lab = ?2) ORDER BY g.student, length(g.lab), g.lab",
        student != NULL ? "g.student = ?1" : "?1 IS NULL");
    sqlite3_stmt *statement = gradebook_prepare(book, sql, "ss", student, lab);
    if (statement == NULL)
        return false;
    struct grade *grade = malloc(sizeof *grade);
    bool right = grade != NULL;
    int status = SQLITE_DONE;
    while (right && (status = sqlite3_step(statement)) == SQLITE_ROW) {
        read_grade(grade, statement);
        right = visit(context, grade);
    }
    free(grade);
    if (status != SQLITE_ROW && status != SQLITE_DONE)
        right = gradebook_failed(book);
    sqlite3_finalize(statement);
    return right;
}

char *gradebook_result(struct gradebook *book, const char *sha256, const char *lab, const char *device,
                       const char *gpu, const char *size, const char *key_name) {
    char digest[KERNEL_SHA256];
    book->error[0] = '\0';
    /* a job of the kit that is here before one of an older kit */
    sqlite3_stmt *statement = gradebook_prepare(
        book,
        "SELECT r.result, r.digest FROM jobs j JOIN results r ON r.job = j.key"
        " WHERE j.sha256 = ? AND j.lab = ? AND j.device = ? AND j.gpu = ? AND j.size = ? AND j.key_name = ?"
        " AND r.result IS NOT NULL AND r.outcome NOT IN ('trouble', 'again')"
        " ORDER BY j.wanted DESC, r.id DESC LIMIT 1",
        "ssssss", sha256, lab, device, gpu, size, key_name);
    if (statement == NULL)
        return NULL;
    char *text = sqlite3_step(statement) == SQLITE_ROW ? strdup(gradebook_text(statement, 0)) : NULL;
    if (text != NULL && sqlite3_column_type(statement, 1) != SQLITE_NULL) {
        kernel_sha256((const uint8_t *)text, strlen(text), digest);
        if (strcmp(digest, gradebook_text(statement, 1)) != 0) {
            snprintf(book->error, sizeof book->error,
                     "%.300s/gradebook.sqlite: the result of %.16s... in %s is not what was written: " LOST,
                     book->folder, sha256, lab);
            free(text);
            text = NULL;
        }
    }
    sqlite3_finalize(statement);
    return text;
}

static bool dump_query(struct gradebook *book, FILE *to, const char *title, const char *sql) {
    sqlite3_stmt *statement = gradebook_prepare(book, sql, "");
    if (statement == NULL)
        return false;
    int status;
    while ((status = sqlite3_step(statement)) == SQLITE_ROW) {
        fputs(title, to);
        for (int column = 0; column < sqlite3_column_count(statement); column++)
            fprintf(to, "|%s", gradebook_text(statement, column));
        fputc('\n', to);
    }
    sqlite3_finalize(statement);
    return (status == SQLITE_DONE && !ferror(to)) || gradebook_failed(book);
}

bool gradebook_dump(struct gradebook *book, FILE *to) {
    static const struct {
        const char *title, *sql;
    } parts[] = {
        {"student", "SELECT * FROM students ORDER BY id"},
        {"roster", "SELECT * FROM rosters ORDER BY lab, student"},
        {"submission", "SELECT * FROM submissions ORDER BY student, lab"},
        {"history", "SELECT * FROM history ORDER BY student, lab, number"},
        {"override", "SELECT * FROM overrides ORDER BY student, lab"},
        {"regrade", "SELECT * FROM regrades ORDER BY student, lab, number"},
        {"job", "SELECT key, sha256, lab, device, gpu, size, key_name, kit, state FROM jobs"
                " WHERE wanted ORDER BY key"},
        {"result", "SELECT r.job, r.outcome, r.result, count(*) FROM results r JOIN jobs j ON j.key = r.job"
                   " WHERE j.wanted AND r.outcome IN ('judged', 'failed', 'build-failed')"
                   " GROUP BY r.job ORDER BY r.job"},
        {"grade", "SELECT * FROM grades ORDER BY student, lab"},
    };
    bool right = true;
    for (size_t i = 0; right && i < sizeof parts / sizeof *parts; i++)
        right = dump_query(book, to, parts[i].title, parts[i].sql);
    return right;
}

/* ---- how each lab was read: settings, each by its lab's name */

static const char *setting(char name[48], const char *what, const char *lab) {
    snprintf(name, 48, "%s%s%s", what, lab != NULL ? " " : "", lab != NULL ? lab : "");
    return name;
}

bool kept_put(struct gradebook *book, const char *lab, const char *layout, const char *roster) {
    char name[48];
    return gradebook_set(book, setting(name, "layout", lab), layout) &&
           (roster == NULL || (gradebook_set(book, setting(name, "roster file", lab), roster) &&
                               gradebook_set(book, "roster file", roster)));
}

bool kept_layout_is(struct gradebook *book, const char *lab, const char *title) {
    char name[48], kept[64];
    return gradebook_get(book, setting(name, "layout", lab), kept, sizeof kept) && strcmp(kept, title) == 0;
}

bool kept_roster(struct gradebook *book, const char *lab, struct roster *roster, char *error, size_t size) {
    char name[48];
    *error = '\0';
    sqlite3_stmt *row = gradebook_prepare(book, "SELECT value FROM settings WHERE name = ?", "s",
                                          setting(name, "roster file", lab));
    if (row == NULL)
        return fails(error, size, "%s", book->error);
    bool right = false;
    if (sqlite3_step(row) == SQLITE_ROW) {
        const char *text = gradebook_text(row, 0);
        right = roster_parse(roster, text, strlen(text), "the roster", error, size);
    }
    sqlite3_finalize(row);
    return right;
}

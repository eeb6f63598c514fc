/* roster.c: finding the columns, reading the rows. */
#include "class/intake/roster.h"

#include "base/file.h"
#include "base/ini.h"
#include "base/utf8.h"
#include "class/text.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { ROSTER_LIMIT = 16 << 20 };

/* By priority: the first that is there is the student's id. English as the platforms have it;
 * German, French and Spanish as Moodle's language packs have it. */
// clang-format off
static const char *const id_columns[] = {
    "student", "student id", "sid", "id number", "sis user id", "sis login id", "identifier", "username",
    "user", "login", "login id", "github username", "roster identifier", "email", "email address", "id",
    "id-nummer", "anmeldename", "e-mail-adresse", "identifiant", "adresse de courriel", "número de id",
    "identificador", "nombre de usuario", "dirección de correo"};
// clang-format on
static const char *const name_columns[] = {
    "name", "full name", "student name", "vollständiger name", "nom complet", "nombre completo"};
static const char *const first_columns[] = {"first name", "firstname", "given name",
                                            "vorname",    "prénom",    "nombre"};
static const char *const last_columns[] = {"last name", "lastname",       "surname",    "family name",
                                           "nachname",  "nom de famille", "apellido(s)"};
static const char *const email_columns[] = {"email",          "email address",       "e-mail",
                                            "e-mail-adresse", "adresse de courriel", "dirección de correo"};
static const char *const extension_columns[] = {"extension hours", "extension"};
static const char *const group_columns[] = {"group", "team", "group name"};
static const char *const submitted_columns[] = {"submitted"};
/* The platforms' own: Moodle's lastmodifiedsubmission in English and other languages, GitHub
 * Classroom's, Classroom 50's. */
enum { MOODLES_TRANSLATIONS = 5 };
static const char *const platform_columns[] = {"last modified (submission)",
                                               "zuletzt geändert (abgabe)",
                                               "dernière modification (travail remis)",
                                               "\xc3\x9altima modificación (entrega)",
                                               "\xc3\x9altima atualização (submissão)",
                                               "poslední změna (odevzdaný úkol)",
                                               "submission timestamp",
                                               "datetime",
                                               "submission time"};
/* What a platform says of a submission, in the same languages; Gradescope's words among them.
 * Further words may follow ("Submitted for grading - Graded"). */
static const char *const status_columns[] = {"status", "statut", "estado", "estatus"};
static const char *const handed_in_words[] = {
    "submitted",  "graded",       "ungraded",      "zur bewertung abgegeben",
    "remis pour", "enviado para", "submetido para"};
static const char *const not_handed_in_words[] = {
    "no submission", "not submitted",        "draft",     "missing",     "keine abgabe",
    "entwurf",       "pas de travail remis", "brouillon", "sin entrega", "sin envío",
    "borrador",      "nenhum envio",         "rascunho"};
static const char *const draft_words[] = {"draft", "entwurf", "brouillon", "borrador", "rascunho"};

#define COUNT(list) (sizeof(list) / sizeof *(list))

/* "Email address", "email_address" and " EMAIL-ADDRESS " are one name. */
static bool same_column(const char *cell, const char *name) {
    while (isspace((unsigned char)*cell))
        cell++;
    for (; *name != '\0'; cell++, name++) {
        char c = *cell == '_' ? ' ' : (char)tolower((unsigned char)*cell);
        if (c != *name)
            return false;
    }
    while (isspace((unsigned char)*cell))
        cell++;
    return *cell == '\0';
}

int roster_column(const struct csv *csv, const char *const *names, size_t count) {
    for (size_t n = 0; n < count && names[n] != NULL; n++)
        for (uint32_t column = 0; column < csv_width(csv, 0); column++)
            if (same_column(csv_cell(csv, 0, column), names[n]))
                return (int)column;
    return -1;
}

void roster_cell(const struct csv *csv, uint32_t row, int column, char text[ROSTER_TEXT]) {
    char *copy = column >= 0 ? strdup(csv_cell(csv, row, (uint32_t)column)) : NULL;
    text_clean(text, ROSTER_TEXT, copy != NULL ? ini_trim(copy) : "");
    free(copy);
}

/* "Doe, Jane" to its parts; else the last word is the last name. */
static void split_name(struct roster_student *student) {
    char *comma = strchr(student->name, ',');
    if (comma != NULL) {
        char last[ROSTER_TEXT], first[ROSTER_TEXT];
        snprintf(last, sizeof last, "%.*s", (int)(comma - student->name), student->name);
        snprintf(first, sizeof first, "%s", comma + 1);
        snprintf(student->last, ROSTER_TEXT, "%s", ini_trim(last));
        snprintf(student->first, ROSTER_TEXT, "%s", ini_trim(first));
        return;
    }
    const char *space = strrchr(student->name, ' ');
    snprintf(student->last, ROSTER_TEXT, "%s", space != NULL ? space + 1 : student->name);
    snprintf(student->first, ROSTER_TEXT, "%.*s", space != NULL ? (int)(space - student->name) : 0,
             student->name);
}

struct columns {
    int name, first, last, email, extension, submitted, platform, status, role, group;
};

/* Classroom 50's roles beside "student". */
static bool is_staff(const char *role) {
    static const char *const staff[] = {"teacher", "hta", "ta", "instructor"};
    for (size_t i = 0; i < COUNT(staff); i++)
        if (strcmp(role, staff[i]) == 0)
            return true;
    return false;
}

static bool begins_with_one(const char *text, const char *const *words, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (strncasecmp(text, words[i], strlen(words[i])) == 0)
            return true;
    return false;
}

/* The status decides, where its words are known; else that there is a time. */
static bool is_handed_in(const struct roster_student *student, const char *status) {
    if (begins_with_one(status, not_handed_in_words, COUNT(not_handed_in_words)))
        return false;
    return begins_with_one(status, handed_in_words, COUNT(handed_in_words)) || student->submitted != 0 ||
           student->time_unread;
}

/* The platform's word on when it was handed in: "-" and "" where nothing was. */
static void read_platform_time(struct roster_student *student, const char *text) {
    if (student->submitted != 0 || text[0] == '\0' || strcmp(text, "-") == 0)
        return;
    student->time_unread =
        !text_parse_time(text, &student->submitted) && !worksheet_time_parse(text, &student->submitted);
    if (student->time_unread)
        student->submitted = 0;
}

static bool read_row(struct roster *roster, const struct columns *columns, uint32_t row, const char *file,
                     char *error, size_t size) {
    const struct csv *csv = &roster->csv;
    struct roster_student *student = &roster->students[roster->count];
    char text[ROSTER_TEXT];
    *student = (struct roster_student){.row = row};
    for (unsigned i = 0; i < roster->alias_count && student->id[0] == '\0'; i++)
        roster_cell(csv, row, roster->aliases[i], student->id);
    if (student->id[0] == '\0')
        return true; /* an empty row, or a platform's line of totals */
    for (unsigned i = 0; i < roster->alias_count; i++)
        if (strlen(csv_cell(csv, row, (uint32_t)roster->aliases[i])) >= ROSTER_TEXT)
            return fails(error, size,
                         "%s: row %u: an id of more than %d bytes: two such could not be told apart", file,
                         row + 1, ROSTER_TEXT - 1);
    roster_cell(csv, row, columns->role, text);
    if (is_staff(text) ||
        (roster->kind == ROSTER_CLASSROOM50_SCORES && roster_student(roster, student->id) != NULL))
        return true; /* an older submission */
    roster_cell(csv, row, columns->name, student->name);
    if (roster->kind == ROSTER_CANVAS_GRADEBOOK && strcmp(student->name, "Student, Test") == 0)
        return true; /* Canvas's own, by which teachers try their course */
    roster_cell(csv, row, columns->first, student->first);
    roster_cell(csv, row, columns->last, student->last);
    roster_cell(csv, row, columns->email, student->email);
    if (student->name[0] != '\0' && student->last[0] == '\0')
        split_name(student);
    if (student->name[0] == '\0') {
        char both[ROSTER_TEXT * 2];
        snprintf(both, sizeof both, "%s %s", student->first, student->last);
        text_clean(student->name, ROSTER_TEXT, ini_trim(both));
    }
    roster_cell(csv, row, columns->group, student->group);
    roster_cell(csv, row, columns->extension, text);
    if (text[0] != '\0' && (!csv_number(text, &student->extension_hours) || student->extension_hours < 0))
        return fails(error, size, "%s: row %u: '%.40s' is not a number of hours", file, row + 1, text);
    roster_cell(csv, row, columns->submitted, text);
    if (text[0] != '\0' && !text_parse_time(text, &student->submitted) &&
        !worksheet_time_parse(text, &student->submitted))
        return fails(error, size, "%s: row %u: '%.40s' is not a time such as 2026-03-01 23:59", file, row + 1,
                     text);
    roster_cell(csv, row, columns->platform, text);
    read_platform_time(student, text);
    roster_cell(csv, row, columns->status, text);
    student->handed_in = is_handed_in(student, text);
    if (begins_with_one(text, draft_words, COUNT(draft_words)))
        snprintf(student->draft, sizeof student->draft, "%.40s", text);
    roster->count++;
    return true;
}

static int by_id(const void *a, const void *b) {
    return strcmp((*(struct roster_student *const *)a)->id, (*(struct roster_student *const *)b)->id);
}

/* No student may be there twice. */
static bool check_unique(const struct roster *roster, const char *file, char *error, size_t size) {
    const struct roster_student **sorted = calloc(roster->count + 1, sizeof(struct roster_student *));
    if (sorted == NULL)
        return fails(error, size, "%s: out of memory", file);
    for (size_t i = 0; i < roster->count; i++)
        sorted[i] = &roster->students[i];
    qsort(sorted, roster->count, sizeof *sorted, by_id);
    bool right = true;
    for (size_t i = 1; right && i < roster->count; i++)
        if (strcmp(sorted[i - 1]->id, sorted[i]->id) == 0) {
            snprintf(error, size, "%s: the student %.60s is in rows %u and %u", file, sorted[i]->id,
                     sorted[i - 1]->row + 1, sorted[i]->row + 1);
            right = false;
        }
    free(sorted);
    return right;
}

static int column_of(const struct csv *csv, const char *name) {
    return roster_column(csv, &name, 1);
}

static void find_kind(struct roster *roster) {
    const struct csv *csv = &roster->csv;
    /* in Canvas's gradebook "Student" is the name, and the ids follow */
    static const char *const canvas[] = {"sis user id", "sis login id"};
    bool canvas_ids =
        roster_column(csv, canvas, COUNT(canvas)) >= 0 ||
        (column_of(csv, "student") == 0 && column_of(csv, "id") == 1 && column_of(csv, "section") > 1);
    int identifier = column_of(csv, "identifier");
    roster->kind = ROSTER_OWN;
    roster->number_column = -1;
    if (canvas_ids) {
        roster->kind = ROSTER_CANVAS_GRADEBOOK;
        roster->number_column = column_of(csv, "id");
    } else if (identifier >= 0 && column_of(csv, "grade") >= 0 &&
               column_of(csv, "last modified (grade)") >= 0) {
        roster->kind = ROSTER_MOODLE_WORKSHEET;
        roster->number_column = identifier;
    } else if (roster_column(csv, platform_columns + 1, MOODLES_TRANSLATIONS) >= 0) {
        roster->kind = ROSTER_MOODLE_TRANSLATED;
    } else if (column_of(csv, "username") >= 0 && column_of(csv, "datetime") >= 0 &&
               column_of(csv, "submission tag") >= 0) {
        roster->kind = ROSTER_CLASSROOM50_SCORES;
    }
}

static void add_alias(struct roster *roster, int column) {
    if (column >= 0 && roster->alias_count < ROSTER_ALIASES)
        roster->aliases[roster->alias_count++] = column;
}

static void find_aliases(struct roster *roster) {
    for (size_t i = roster->kind == ROSTER_CANVAS_GRADEBOOK ? 1 : 0; i < COUNT(id_columns); i++) {
        int column = column_of(&roster->csv, id_columns[i]);
        if (roster->kind != ROSTER_MOODLE_WORKSHEET || column != roster->number_column)
            add_alias(roster, column);
    }
    if (roster->kind == ROSTER_MOODLE_WORKSHEET)
        add_alias(roster, roster->number_column);
}

/* A name in another encoding would be another name, or none. */
static bool is_text(const char *text, size_t length, const char *file, char *error, size_t size) {
    unsigned line = 1;
    if (length >= 2 && (memcmp(text, "\xff\xfe", 2) == 0 || memcmp(text, "\xfe\xff", 2) == 0))
        return fails(error, size, "%s: not UTF-8 but UTF-16 (\"Unicode text\"): save it as \"CSV UTF-8\"",
                     file);
    for (size_t at = 0, step; at < length; at += step) {
        step = utf8_length(text + at, length - at);
        if (step == 0 && text[at] != '\0')
            return fails(
                error, size,
                "%s:%u: not UTF-8: save it as \"CSV UTF-8\", or: iconv -f latin1 -t utf-8 %s > roster.csv",
                file, line, file);
        step += step == 0;
        line += text[at] == '\n';
    }
    return true;
}

/* None of the columns is known: which there are, and which would do. */
static void say_columns(const struct csv *csv, const char *file, char *error, size_t size) {
    char found[160] = "";
    for (uint32_t column = 0; column < csv_width(csv, 0) && strlen(found) < 100; column++) {
        char clean[40];
        text_clean(clean, sizeof clean, csv_cell(csv, 0, column));
        snprintf(found + strlen(found), sizeof found - strlen(found), "%s%s", column > 0 ? ", " : "", clean);
    }
    snprintf(
        error, size,
        "%s: no column 'student' in its first row (nor student id, sid, id number, username, login, identifier, "
        "github_username, email address, id)%s%s%s",
        file, found[0] != '\0' ? ": it has " : "", found,
        csv_width(csv, 0) == 1 && strchr(csv_cell(csv, 0, 0), '\t') != NULL
            ? ": separate the columns by commas"
            : "");
}

bool roster_parse(struct roster *roster, const char *text, size_t length, const char *file, char *error,
                  size_t size) {
    *roster = (struct roster){.source = strndup(text, length)};
    if (roster->source == NULL || !is_text(text, length, file, error, size) ||
        !csv_parse(&roster->csv, text, length, file, error, size)) {
        if (roster->source == NULL)
            snprintf(error, size, "%s: out of memory", file);
        roster_free(roster);
        return false;
    }
    const struct csv *csv = &roster->csv;
    bool right = true;
    find_kind(roster);
    find_aliases(roster);
    if (right && roster->alias_count == 0) {
        say_columns(csv, file, error, size);
        right = false;
    }
    struct columns columns = {.name = roster_column(csv, name_columns, COUNT(name_columns)),
                              .first = roster_column(csv, first_columns, COUNT(first_columns)),
                              .last = roster_column(csv, last_columns, COUNT(last_columns)),
                              .email = roster_column(csv, email_columns, COUNT(email_columns)),
                              .extension = roster_column(csv, extension_columns, COUNT(extension_columns)),
                              .group = roster_column(csv, group_columns, COUNT(group_columns)),
                              .submitted = roster_column(csv, submitted_columns, COUNT(submitted_columns)),
                              .platform = roster_column(csv, platform_columns, COUNT(platform_columns)),
                              .status = roster_column(csv, status_columns, COUNT(status_columns)),
                              .role = column_of(csv, "role")};
    if (right && columns.name < 0 && columns.last < 0 && column_of(csv, "student") != roster->aliases[0])
        columns.name = column_of(csv, "student");
    roster->students = right ? calloc(csv->row_count + 1, sizeof *roster->students) : NULL;
    if (right && roster->students == NULL) {
        snprintf(error, size, "%s: out of memory", file);
        right = false;
    }
    for (uint32_t row = 1; right && row < csv->row_count; row++)
        right = read_row(roster, &columns, row, file, error, size);
    right = right && check_unique(roster, file, error, size) && roster_tell_apart(roster, file, error, size);
    if (!right)
        roster_free(roster);
    return right;
}

bool roster_read(struct roster *roster, const char *path, char *error, size_t size) {
    size_t length;
    *roster = (struct roster){0};
    char *text = file_read(path, ROSTER_LIMIT, &length, error, size);
    if (text == NULL)
        return false;
    bool right = roster_parse(roster, text, length, path, error, size);
    free(text);
    return right;
}

void roster_free(struct roster *roster) {
    csv_free(&roster->csv);
    free(roster->source);
    free(roster->students);
    *roster = (struct roster){0};
}

const struct roster_student *roster_student(const struct roster *roster, const char *id) {
    for (size_t i = 0; i < roster->count; i++)
        if (strcmp(roster->students[i].id, id) == 0)
            return &roster->students[i];
    return NULL;
}

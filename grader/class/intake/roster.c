/* roster.c: finding the columns, reading the rows, finding a student again. */
#include "class/intake/roster.h"

#include "base/file.h"
#include "base/ini.h"
#include "class/text.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { ROSTER_LIMIT = 16 << 20 };

/* By priority: the first that is there is the student's id. */
static const char *const id_columns[] = {"student",     "student id",    "sid",        "id number",
                                         "sis user id", "sis login id",  "identifier", "username",
                                         "user",        "login",         "login id",   "github username",
                                         "email",       "email address", "id"};
static const char *const name_columns[] = {"name", "full name", "student name"};
static const char *const first_columns[] = {"first name", "firstname", "given name"};
static const char *const last_columns[] = {"last name", "lastname", "surname", "family name"};
static const char *const email_columns[] = {"email", "email address", "e-mail"};
static const char *const extension_columns[] = {"extension hours", "extension"};
static const char *const submitted_columns[] = {"submitted"};

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

static int find_column(const struct csv *csv, const char *const *names, size_t count) {
    for (size_t n = 0; n < count; n++)
        for (uint32_t column = 0; column < csv_width(csv, 0); column++)
            if (same_column(csv_cell(csv, 0, column), names[n]))
                return (int)column;
    return -1;
}

static void cell_text(const struct csv *csv, uint32_t row, int column, char text[ROSTER_TEXT]) {
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
    int name, first, last, email, extension, submitted;
};

static bool read_row(struct roster *roster, const struct columns *columns, uint32_t row, const char *file,
                     char *error, size_t size) {
    const struct csv *csv = &roster->csv;
    struct roster_student *student = &roster->students[roster->count];
    char text[ROSTER_TEXT];
    *student = (struct roster_student){.row = row};
    for (unsigned i = 0; i < roster->alias_count && student->id[0] == '\0'; i++)
        cell_text(csv, row, roster->aliases[i], student->id);
    if (student->id[0] == '\0')
        return true; /* an empty row, or a platform's line of totals */
    for (unsigned i = 0; i < roster->alias_count; i++)
        if (strlen(csv_cell(csv, row, (uint32_t)roster->aliases[i])) >= ROSTER_TEXT) {
            snprintf(error, size, "%s: row %u: an id of more than %d bytes: two such could not be told apart",
                     file, row + 1, ROSTER_TEXT - 1);
            return false;
        }
    cell_text(csv, row, columns->name, student->name);
    cell_text(csv, row, columns->first, student->first);
    cell_text(csv, row, columns->last, student->last);
    cell_text(csv, row, columns->email, student->email);
    if (student->name[0] != '\0' && student->last[0] == '\0')
        split_name(student);
    if (student->name[0] == '\0') {
        char both[ROSTER_TEXT * 2];
        snprintf(both, sizeof both, "%s %s", student->first, student->last);
        text_clean(student->name, ROSTER_TEXT, ini_trim(both));
    }
    cell_text(csv, row, columns->extension, text);
    if (text[0] != '\0' && (!csv_number(text, &student->extension_hours) || student->extension_hours < 0)) {
        snprintf(error, size, "%s: row %u: '%.40s' is not a number of hours", file, row + 1, text);
        return false;
    }
    cell_text(csv, row, columns->submitted, text);
    if (text[0] != '\0' && !text_parse_time(text, &student->submitted)) {
        snprintf(error, size, "%s: row %u: '%.40s' is not a time such as 2026-03-01 23:59", file, row + 1,
                 text);
        return false;
    }
    roster->count++;
    return true;
}

static int by_id(const void *a, const void *b) {
    return strcmp((*(struct roster_student *const *)a)->id, (*(struct roster_student *const *)b)->id);
}

/* No student may be there twice. */
static bool check_unique(const struct roster *roster, const char *file, char *error, size_t size) {
    const struct roster_student **sorted = calloc(roster->count + 1, sizeof(struct roster_student *));
    if (sorted == NULL) {
        snprintf(error, size, "%s: out of memory", file);
        return false;
    }
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

static void find_aliases(struct roster *roster) {
    const struct csv *csv = &roster->csv;
    /* in Canvas's gradebook "Student" is the name, and the ids follow */
    static const char *const canvas[] = {"sis user id", "sis login id"};
    bool canvas_names = find_column(csv, canvas, COUNT(canvas)) >= 0;
    for (size_t i = canvas_names ? 1 : 0; i < COUNT(id_columns) && roster->alias_count < ROSTER_ALIASES;
         i++) {
        int column = find_column(csv, &id_columns[i], 1);
        if (column >= 0)
            roster->aliases[roster->alias_count++] = column;
    }
}

bool roster_parse(struct roster *roster, const char *text, size_t length, const char *file, char *error,
                  size_t size) {
    *roster = (struct roster){0};
    if (!csv_parse(&roster->csv, text, length, file, error, size))
        return false;
    const struct csv *csv = &roster->csv;
    static const char *const student[] = {"student"};
    bool right = true;
    find_aliases(roster);
    if (roster->alias_count == 0) {
        snprintf(error, size, "%s: no column 'student' (nor sid, username, email, ...) in its first row%s",
                 file,
                 csv_width(csv, 0) == 1 && strchr(csv_cell(csv, 0, 0), ';') != NULL
                     ? ": separate the columns by commas"
                     : "");
        right = false;
    }
    struct columns columns = {.name = find_column(csv, name_columns, COUNT(name_columns)),
                              .first = find_column(csv, first_columns, COUNT(first_columns)),
                              .last = find_column(csv, last_columns, COUNT(last_columns)),
                              .email = find_column(csv, email_columns, COUNT(email_columns)),
                              .extension = find_column(csv, extension_columns, COUNT(extension_columns)),
                              .submitted = find_column(csv, submitted_columns, COUNT(submitted_columns))};
    if (right && columns.name < 0 && columns.last < 0 && find_column(csv, student, 1) != roster->aliases[0])
        columns.name = find_column(csv, student, 1);
    roster->students = right ? calloc(csv->row_count + 1, sizeof *roster->students) : NULL;
    if (right && roster->students == NULL) {
        snprintf(error, size, "%s: out of memory", file);
        right = false;
    }
    for (uint32_t row = 1; right && row < csv->row_count; row++)
        right = read_row(roster, &columns, row, file, error, size);
    right = right && check_unique(roster, file, error, size);
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
    free(roster->students);
    *roster = (struct roster){0};
}

/* Letters and digits of the texts, one after the other, small; other scripts' bytes as they are. */
static void squeeze(const char *one, const char *other, char text[ROSTER_TEXT * 2]) {
    size_t used = 0;
    const char *const parts[] = {one, other};
    for (int i = 0; i < 2; i++)
        for (const char *c = parts[i]; *c != '\0' && used + 1 < ROSTER_TEXT * 2; c++)
            if (isalnum((unsigned char)*c) || (unsigned char)*c >= 0x80)
                text[used++] = (char)tolower((unsigned char)*c);
    text[used] = '\0';
}

static bool is_named(const struct roster_student *student, const char *squeezed) {
    char text[ROSTER_TEXT * 2];
    squeeze(student->first, student->last, text);
    if (strcmp(text, squeezed) == 0)
        return true;
    squeeze(student->last, student->first, text);
    if (strcmp(text, squeezed) == 0)
        return true;
    squeeze(student->name, "", text);
    return strcmp(text, squeezed) == 0;
}

static bool has_alias(const struct roster *roster, const struct roster_student *student, const char *text) {
    for (unsigned i = 0; i < roster->alias_count; i++) {
        char cell[ROSTER_TEXT];
        cell_text(&roster->csv, student->row, roster->aliases[i], cell);
        size_t local = strcspn(cell, "@");
        /* Moodle's worksheet: "Participant 770017", whose folder says 770017 */
        static const char participant[] = "Participant ";
        if (strncmp(cell, participant, sizeof participant - 1) == 0 &&
            strcmp(cell + sizeof participant - 1, text) == 0)
            return true;
        if (strcasecmp(cell, text) == 0 ||
            (cell[local] == '@' && strlen(text) == local && strncasecmp(cell, text, local) == 0))
            return true;
    }
    return false;
}

const struct roster_student *roster_find(const struct roster *roster, const char *id, const char *email,
                                         const char *name) {
    const char *const texts[] = {id, email};
    for (int t = 0; t < 2; t++)
        for (size_t i = 0; *texts[t] != '\0' && i < roster->count; i++)
            if (strcasecmp(roster->students[i].id, texts[t]) == 0 ||
                has_alias(roster, &roster->students[i], texts[t]))
                return &roster->students[i];
    const struct roster_student *found = NULL;
    char squeezed[ROSTER_TEXT * 2];
    squeeze(*name != '\0' ? name : id, "", squeezed);
    for (size_t i = 0; squeezed[0] != '\0' && i < roster->count; i++)
        if (is_named(&roster->students[i], squeezed)) {
            if (found != NULL)
                return NULL;
            found = &roster->students[i];
        }
    return found;
}

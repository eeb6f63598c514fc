/* recording.c: comma-separated files, data files and tables of Markdown, as cells. */
#include "slides/recording.h"

#include "base/ini.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 160, NAME = 256 };

static bool refuse(char *error, size_t size, const char *file, const char *what, const char *which) {
    snprintf(error, size, "%s: %s%s%s", file, what, *which != '\0' ? ": " : "", which);
    return false;
}

static bool add(struct recording *recording, const char *row, const char *column, const char *text) {
    if (recording->count == recording->room) {
        size_t room = recording->room == 0 ? 256 : recording->room * 2;
        struct recording_cell *grown = realloc(recording->cell, room * sizeof *grown);
        if (grown == NULL)
            return false;
        recording->cell = grown;
        recording->room = room;
    }
    struct recording_cell cell = {strdup(row), strdup(column), strdup(text)};
    if (cell.row == NULL || cell.column == NULL || cell.text == NULL) {
        free(cell.row);
        free(cell.column);
        free(cell.text);
        return false;
    }
    recording->cell[recording->count++] = cell;
    return true;
}

void recording_free(struct recording *recording) {
    for (size_t i = 0; i < recording->count; i++) {
        free(recording->cell[i].row);
        free(recording->cell[i].column);
        free(recording->cell[i].text);
    }
    free(recording->cell);
    *recording = (struct recording){0};
}

static const char *without_prefix(const char *name, const char *prefix) {
    size_t length = strlen(prefix);
    return strncmp(name, prefix, length) == 0 ? name + length : name;
}

/* Cut a line into fields, which are trimmed. A Markdown row has a bar at both ends. Returns how many. */
static unsigned cut(char *line, char separator, char *field[COLUMNS]) {
    unsigned count = 0;
    line = ini_trim(line);
    size_t length = strlen(line);
    if (separator == '|') {
        if (length > 1 && line[length - 1] == '|')
            line[length - 1] = '\0';
        line++;
    }
    for (char *at = line; at != NULL && count < COLUMNS;) {
        char *end = strchr(at, separator);
        if (end != NULL)
            *end = '\0';
        field[count++] = ini_trim(at);
        at = end != NULL ? end + 1 : NULL;
    }
    return count;
}

/* The next line of a text, its end cut off; NULL: none is left. An empty line is one. */
static char *next_line(char **rest) {
    char *line = *rest;
    if (*line == '\0')
        return NULL;
    size_t length = strcspn(line, "\n");
    *rest = line + length + (line[length] != '\0');
    line[length] = '\0';
    return line;
}

/* The head line's columns and where the row's name stands. */
struct head {
    char *line;
    char *column[COLUMNS];
    unsigned count, key;
};

static bool add_row(struct recording *recording, const struct recording_source *source,
                    const struct head *head, char *line, char separator) {
    char *field[COLUMNS];
    unsigned count = cut(line, separator, field);
    if (head->key >= count || *field[head->key] == '\0')
        return true;
    const char *row = without_prefix(field[head->key], source->prefix);
    for (unsigned i = 0; i < count && i < head->count; i++)
        if (i != head->key && !add(recording, row, head->column[i], field[i]))
            return false;
    return true;
}

static bool read_csv(struct recording *recording, const struct recording_source *source, char *text,
                     char *error, size_t size) {
    struct head head = {0};
    for (char *line; (line = next_line(&text)) != NULL;) {
        if (*line == '#' || *line == '\0')
            continue;
        if (head.line == NULL) {
            head.line = line;
            head.count = cut(line, ',', head.column);
        } else if (strncmp(line, "unit,", 5) != 0 && !add_row(recording, source, &head, line, ','))
            return refuse(error, size, source->file, "out of memory", "");
    }
    return recording->count > 0 || refuse(error, size, source->file, "no rows", "");
}

static bool read_table(struct recording *recording, const struct recording_source *source, char *text,
                       char *error, size_t size) {
    struct head head = {0};
    for (char *line; (line = next_line(&text)) != NULL;) {
        if (head.line == NULL) {
            if (*line != '|' || strstr(line, source->where) == NULL)
                continue;
            head.line = line;
            head.count = cut(line, '|', head.column);
            while (*source->key != '\0' && head.key < head.count &&
                   strcmp(head.column[head.key], source->key) != 0)
                head.key++;
            if (head.key == head.count)
                return refuse(error, size, source->file, "the table has no such column", source->key);
        } else if (*line != '|')
            break;
        else if (strncmp(line, "|-", 2) != 0 && !add_row(recording, source, &head, line, '|'))
            return refuse(error, size, source->file, "out of memory", "");
    }
    return head.line != NULL ||
           refuse(error, size, source->file, "no table whose head line has", source->where);
}

struct sections {
    struct recording *recording;
    const struct recording_source *source;
    char row[NAME];
    char described[NAME]; /* MEASURED: " size 4096x4096 source event", as far as it was read */
};

static bool begin_section(struct ini *ini, const char *name) {
    struct sections *sections = ini->context;
    const char *last = strrchr(name, ' ');
    snprintf(sections->row, sizeof sections->row, "%s", last != NULL ? last + 1 : name);
    sections->described[0] = '\0';
    return true;
}

/* Whether the [recording] so far has each "key value" of `where`. */
static bool described(const struct sections *sections) {
    char where[NAME], pair[NAME];
    snprintf(where, sizeof where, "%s", sections->source->where);
    char *rest = NULL;
    for (char *key = strtok_r(where, " ", &rest); key != NULL; key = strtok_r(NULL, " ", &rest)) {
        const char *value = strtok_r(NULL, " ", &rest);
        snprintf(pair, sizeof pair, " %s=%s ", key, value != NULL ? value : "");
        if (strstr(sections->described, pair) == NULL)
            return false;
    }
    return true;
}

static bool read_key(struct ini *ini, const char *key, const char *value) {
    struct sections *sections = ini->context;
    if (sections->source->kind == RECORDING_SECTIONS)
        return add(sections->recording, *sections->row != '\0' ? sections->row : "-", key, value) ||
               ini_refuse(ini, "out of memory");
    if (strcmp(key, "step") != 0) {
        size_t length = strlen(sections->described);
        snprintf(sections->described + length, sizeof sections->described - length, " %s=%s ", key, value);
        return true;
    }
    if (!described(sections))
        return true;
    char row[NAME];
    snprintf(row, sizeof row, "%s", value);
    char *blank = strchr(row, ' ');
    if (blank == NULL)
        return ini_refuse(ini, "a step has a name and a time");
    *blank = '\0';
    return add(sections->recording, row, "us", ini_trim(blank + 1)) || ini_refuse(ini, "out of memory");
}

static bool read_sections(struct recording *recording, const struct recording_source *source,
                          const char *text, size_t length, char *error, size_t size) {
    struct sections sections = {.recording = recording, .source = source};
    struct ini ini = {.file = source->file,
                      .error = error,
                      .error_size = size,
                      .context = &sections,
                      .section = begin_section,
                      .key = read_key};
    if (!ini_read(&ini, text, length))
        return false;
    return recording->count > 0 || refuse(error, size, source->file, "nothing there", source->where);
}

bool recording_read(struct recording *recording, const struct recording_source *source, const char *text,
                    size_t length, char *error, size_t size) {
    if (source->kind == RECORDING_SECTIONS || source->kind == RECORDING_MEASURED)
        return read_sections(recording, source, text, length, error, size);
    char *copy = strndup(text, length);
    if (copy == NULL)
        return refuse(error, size, source->file, "out of memory", "");
    bool right = source->kind == RECORDING_CSV ? read_csv(recording, source, copy, error, size)
                                               : read_table(recording, source, copy, error, size);
    free(copy);
    return right;
}

/* Whether a cell is of a row, "5e" or "5e#2"; *count is that of such cells so far. */
static bool of_row(const struct recording_cell *cell, const char *row, unsigned *count) {
    const char *mark = strchr(row, '#');
    size_t length = mark != NULL ? (size_t)(mark - row) : strlen(row);
    if (strncmp(cell->row, row, length) != 0 || cell->row[length] != '\0')
        return false;
    ++*count;
    return mark == NULL || strtoul(mark + 1, NULL, 10) == *count;
}

const char *recording_text(const struct recording *recording, const char *row, const char *column) {
    unsigned count = 0;
    for (size_t i = 0; i < recording->count; i++)
        if (strcmp(recording->cell[i].column, column) == 0 && of_row(&recording->cell[i], row, &count))
            return recording->cell[i].text;
    return NULL;
}

bool recording_has_row(const struct recording *recording, const char *row) {
    unsigned count = 0;
    for (size_t i = 0; i < recording->count; i++)
        if (of_row(&recording->cell[i], row, &count))
            return true;
    return false;
}

bool recording_has_column(const struct recording *recording, const char *column) {
    for (size_t i = 0; i < recording->count; i++)
        if (strcmp(recording->cell[i].column, column) == 0)
            return true;
    return false;
}

bool recording_parse_number(const char *text, double *value) {
    char digits[64];
    size_t length = 0;
    text += strspn(text, "* ~");
    for (; length < sizeof digits - 1 && (isalnum((unsigned char)*text) || strchr(".,+-", *text) != NULL) &&
           *text != '\0';
         text++)
        if (*text != ',')
            digits[length++] = *text;
    digits[length] = '\0';
    char *end;
    *value = strtod(digits, &end);
    return end != digits && (isdigit((unsigned char)digits[0]) || strchr("+-.", digits[0]) != NULL);
}

static int by_size(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

bool recording_number(const struct recording *recording, const char *row, const char *column, double *value) {
    enum { LAUNCHES = 64 };
    double number[LAUNCHES];
    size_t count = 0;
    unsigned launches = 0;
    for (size_t i = 0; i < recording->count && count < LAUNCHES; i++) {
        const struct recording_cell *cell = &recording->cell[i];
        if (strcmp(cell->column, column) == 0 && of_row(cell, row, &launches) &&
            recording_parse_number(cell->text, &number[count]))
            count++;
    }
    if (count == 0)
        return false;
    qsort(number, count, sizeof *number, by_size);
    *value = count % 2 == 1 ? number[count / 2] : (number[count / 2 - 1] + number[count / 2]) / 2;
    return true;
}

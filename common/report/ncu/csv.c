/* csv.c: counts the cells in one pass, and cuts them in a second; every cell is text in a copy. */
#include "report/ncu/csv.h"
#include "base/path.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void csv_free(struct csv *csv) {
    free(csv->row_start);
    free(csv->row_line);
    free(csv->cells);
    free(csv->text);
    *csv = (struct csv){0};
}

static bool skipped(const char *line) {
    return *line == '#' || strncmp(line, "==", 2) == 0 || *line == '\n' || *line == '\r';
}

/* What separates the fields of the first row: semicolons, where the decimal point is a comma. */
static char separator_of(const char *text, size_t length) {
    size_t at = 0, commas = 0, semicolons = 0;
    bool quoted = false;
    while (at < length && skipped(text + at)) {
        while (at < length && text[at] != '\n')
            at++;
        at += at < length;
    }
    for (; at < length && (quoted || text[at] != '\n'); at++) {
        quoted = quoted != (text[at] == '"');
        commas += !quoted && text[at] == ',';
        semicolons += !quoted && text[at] == ';';
    }
    return semicolons > commas ? ';' : ',';
}

/* Reads one field at *at, unquoted in place; *at becomes the separator behind it, or the end.
 * False: a quote is not closed. */
static bool field(char **at, char *end, char separator, char **value) {
    char *from = *at, *to = from;
    *value = from;
    if (from < end && *from == '"') {
        for (from++;; from++) {
            if (from >= end)
                return false;
            if (*from == '"') {
                if (from + 1 >= end || from[1] != '"')
                    break;
                from++;
            }
            *to++ = *from;
        }
        from++; /* the closing quote; anything up to the separator is dropped */
    } else {
        while (from < end && *from != separator && *from != '\n')
            *to++ = *from++;
        if (to > *value && to[-1] == '\r')
            to--;
    }
    while (from < end && *from != separator && *from != '\n')
        from++;
    *at = from;
    if (to < end)
        *to = '\0'; /* to <= from: the caller has read the separator that this may overwrite */
    return true;
}

bool csv_parse(struct csv *csv, const char *text, size_t length, const char *file, char *error, size_t size) {
    *csv = (struct csv){0};
    if (length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0)
        text += 3, length -= 3;
    if (memchr(text, '\0', length) != NULL)
        return fails(error, size, "%s: a NUL byte: this is not a text file", file);
    size_t fields = 1, lines = 1;
    for (size_t i = 0; i < length; i++) {
        fields += text[i] == ',' || text[i] == ';' || text[i] == '\n';
        lines += text[i] == '\n';
    }
    csv->text = malloc(length + 2);
    csv->cells = calloc(fields + 1, sizeof *csv->cells);
    csv->row_start = calloc(lines + 2, sizeof *csv->row_start);
    csv->row_line = calloc(lines + 2, sizeof *csv->row_line);
    if (csv->text == NULL || csv->cells == NULL || csv->row_start == NULL || csv->row_line == NULL ||
        fields > UINT32_MAX) {
        csv_free(csv);
        return fails(error, size, "%s: out of memory", file);
    }
    memcpy(csv->text, text, length);
    csv->text[length] = csv->text[length + 1] = '\0';

    const char separator = separator_of(csv->text, length);
    char *at = csv->text, *end = csv->text + length;
    uint32_t cells = 0, line = 1;
    const char *counted = text; /* lines are counted up to here */
    while (at < end) {
        for (const char *here = text + (at - csv->text); counted < here; counted++)
            line += *counted == '\n';
        if (skipped(at)) {
            char *newline = memchr(at, '\n', (size_t)(end - at));
            at = newline != NULL ? newline + 1 : end;
            continue;
        }
        csv->row_start[csv->row_count] = cells;
        csv->row_line[csv->row_count] = line;
        for (bool more = true; more;) {
            char *value, ended_by;
            char *start = at;
            if (!field(&at, end, separator, &value)) {
                unsigned line = 1;
                for (const char *c = text; c < text + (start - csv->text); c++)
                    line += *c == '\n';
                csv_free(csv);
                return fails(error, size, "%s:%u: a quote is not closed", file, line);
            }
            ended_by = at < end ? text[at - csv->text] : '\n';
            csv->cells[cells++] = value;
            more = ended_by == separator;
            at++;
        }
        csv->row_start[++csv->row_count] = cells;
    }
    return true;
}

uint32_t csv_width(const struct csv *csv, uint32_t row) {
    return row < csv->row_count ? csv->row_start[row + 1] - csv->row_start[row] : 0;
}

const char *csv_cell(const struct csv *csv, uint32_t row, uint32_t column) {
    return column < csv_width(csv, row) ? csv->cells[csv->row_start[row] + column] : "";
}

int csv_column(const struct csv *csv, const char *name) {
    for (uint32_t column = 0; column < csv_width(csv, 0); column++)
        if (strcmp(csv_cell(csv, 0, column), name) == 0)
            return (int)column;
    return -1;
}

bool csv_number(const char *text, double *value) {
    char plain[64];
    size_t length = 0;
    while (isspace((unsigned char)*text))
        text++;
    for (; *text != '\0' && !isspace((unsigned char)*text); text++) {
        if (*text == ',')
            continue;
        if (strchr("0123456789.eE+-", *text) == NULL || length + 1 >= sizeof plain)
            return false;
        plain[length++] = *text;
    }
    plain[length] = '\0';
    while (isspace((unsigned char)*text))
        text++;
    char *end;
    *value = strtod(plain, &end);
    return length > 0 && *end == '\0' && end != plain && *text == '\0' && isfinite(*value);
}

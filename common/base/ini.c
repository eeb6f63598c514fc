/* ini.c: reads sections and keys, line by line. */
#include "base/ini.h"

#include "base/file.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_LIMIT = 512 };

bool ini_refuse(struct ini *ini, const char *format, ...) {
    char what[384];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    for (char *c = what; *c != '\0'; c++)
        if (*c < ' ' || *c > '~')
            *c = '?';
    if (ini->line != 0)
        snprintf(ini->error, ini->error_size, "%s:%u: %s", ini->file, ini->line, what);
    else
        snprintf(ini->error, ini->error_size, "%s: %s", ini->file, what);
    return false;
}

char *ini_trim(char *text) {
    while (isspace((unsigned char)*text))
        text++;
    size_t length = strlen(text);
    while (length > 0 && isspace((unsigned char)text[length - 1]))
        text[--length] = '\0';
    return text;
}

bool ini_number(struct ini *ini, const char *text, double low, double high, double *value,
                const char **rest) {
    char number[64], *end = number;
    size_t length = strspn(text, "0123456789.eE+-");
    if (length > 0 && length < sizeof number) {
        memcpy(number, text, length);
        number[length] = '\0';
        *value = strtod(number, &end);
    }
    if (end == number || end != number + length || (rest == NULL && text[length] != '\0'))
        return ini_refuse(ini, "'%.40s' is not a number", text);
    if (!(*value >= low && *value <= high))
        return ini_refuse(ini, "%.*s is outside %.10g to %.10g", (int)length, text, low, high);
    if (rest != NULL)
        *rest = text + length + strspn(text + length, " \t");
    return true;
}

bool ini_count(struct ini *ini, const char *text, uint64_t low, uint64_t high, uint64_t *value) {
    char *end;
    errno = 0;
    *value = strtoull(text, &end, 10);
    if (!isdigit((unsigned char)*text) || *end != '\0')
        return ini_refuse(ini, "'%.40s' is not a whole number", text);
    if (errno != 0 || *value < low || *value > high)
        return ini_refuse(ini, "%.40s is outside %llu to %llu", text, (unsigned long long)low,
                          (unsigned long long)high);
    return true;
}

bool ini_whole(struct ini *ini) {
    return !ini->commented ||
           ini_refuse(
               ini,
               "a text with a comment behind it, or one that ' ;' or ' #' would cut: put the comment on a "
               "line of its own, the character right behind another");
}

bool ini_text(struct ini *ini, const char *text, char *to, size_t size) {
    if (!ini_whole(ini))
        return false;
    if (*text == '\0' || strlen(text) >= size)
        return ini_refuse(ini, "a text of 1 to %zu characters is needed", size - 1);
    memcpy(to, text, strlen(text) + 1);
    return true;
}

/* Returns the start of a line's comment, or the line's end. */
static char *comment_of(char *text) {
    char *at = text + strcspn(text, ";#");
    while (*at != '\0' && at != text && !isspace((unsigned char)at[-1]))
        at += 1 + strcspn(at + 1, ";#");
    return at;
}

static bool read_line(struct ini *ini, char *text) {
    char *comment = comment_of(text);
    ini->commented = *comment != '\0';
    *comment = '\0';
    text = ini_trim(text);
    size_t length = strlen(text);
    if (length == 0)
        return true;
    if (*text == '[' && ini->section != NULL) {
        if (text[length - 1] != ']')
            return ini_refuse(ini, "a section ends with ]");
        ini->commented = false; /* the comment is behind the section, not behind a value */
        text[length - 1] = '\0';
        return ini->section(ini, ini_trim(text + 1));
    }
    char *equals = strchr(text, '=');
    if (equals == NULL)
        return ini_refuse(ini, ini->section != NULL ? "neither [section] nor key = value"
                                                    : "expected \"key = value\"");
    *equals = '\0';
    return ini->key(ini, ini_trim(text), ini_trim(equals + 1));
}

bool ini_read(struct ini *ini, const char *text, size_t length) {
    ini->line = 0;
    /* A byte order mark, which editors of Windows write. */
    for (size_t at = length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0; at < length;) {
        const char *end = memchr(text + at, '\n', length - at);
        size_t span = end != NULL ? (size_t)(end - text) - at : length - at;
        char line[LINE_LIMIT];
        ini->line++;
        if (span >= sizeof line)
            return ini_refuse(ini, "longer than %zu characters", sizeof line - 1);
        if (memchr(text + at, '\0', span) != NULL)
            return ini_refuse(ini, "a NUL byte: this is not a text file");
        memcpy(line, text + at, span);
        line[span] = '\0';
        if (!read_line(ini, line))
            return false;
        at += span + 1;
    }
    ini->line = 0;
    ini->commented = false;
    return true;
}

bool ini_load(struct ini *ini, size_t most) {
    size_t length;
    char *text = file_read(ini->file, most, &length, ini->error, ini->error_size);
    bool right = text != NULL && ini_read(ini, text, length);
    free(text);
    return right;
}

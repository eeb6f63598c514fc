/*
 * ini.h: the kit's data files (labs, GPUs, policies): `[section]` and `key = value` lines; '#' or ';' begins a
 * comment at a line's start or behind white space, elsewhere it is a character like others. Strict: what is not understood
 * is an error with file and line. The reader finds the lines; the caller says what they mean. Any bytes are safe to pass.
 */
#ifndef BASE_INI_H
#define BASE_INI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ini {
    const char *file; /* stands in messages */
    unsigned line;    /* the line being read, from 1; 0: the file as a whole */
    bool commented;   /* a comment stands behind that line's value */
    char *error;      /* one line: FILE:LINE: what is wrong */
    size_t error_size;
    void *context; /* the caller's */
    /* Both return false after ini_refuse. The strings are trimmed and valid only during the call. */
    bool (*section)(struct ini *, const char *name); /* NULL: the file has no sections */
    bool (*key)(struct ini *, const char *key, const char *value);
};

/* Hand over each section and key of a text in order. False, and *error says why, at the first that is refused. */
bool ini_read(struct ini *ini, const char *text, size_t length);

/* The same of the whole file ini->file, which has at most `most` bytes. */
bool ini_load(struct ini *ini, size_t most);

/* Writes "FILE:LINE: ..." to ini->error, unprintable characters as '?'. Always false, so that a reader may return
 * it. */
bool ini_refuse(struct ini *ini, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A decimal number within [low, high] at the start of the text; *rest, where not NULL, becomes what follows it, else
 * nothing may follow. No "inf", "nan" or hexadecimal. False after ini_refuse. */
bool ini_number(struct ini *ini, const char *text, double low, double high, double *value, const char **rest);

/* A whole number within [low, high], digits alone. False after ini_refuse. */
bool ini_count(struct ini *ini, const char *text, uint64_t low, uint64_t high, uint64_t *value);

/* Whether the value is all that stands there: in a text for a person a comment is no comment but a text that would be cut.
 * False after ini_refuse. */
bool ini_whole(struct ini *ini);

/* A text of 1 to size - 1 characters, whole, copied. False after ini_refuse. */
bool ini_text(struct ini *ini, const char *text, char *to, size_t size);

/* Without the white space at both ends; cuts the text where it lies. */
char *ini_trim(char *text);

#endif

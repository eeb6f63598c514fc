/* ini.h: reads the kit's data files (labs, GPUs, policies): `[section]` and `key = value` lines.
 * '#' or ';' begins a comment at a line's start or behind white space. Any other line is an error
 * with file and line. The caller gives sections and keys their meaning. Any bytes are safe to
 * pass. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ini {
    const char *file; /* name for messages */
    unsigned line;    /* the line being read, from 1; 0: the file as a whole */
    bool commented;   /* a comment follows the value on its line */
    char *error;      /* one line: FILE:LINE: what is wrong */
    size_t error_size;
    void *context; /* the caller's */
    /* Both return false after ini_refuse. The strings are trimmed, and valid during the call. */
    bool (*section)(struct ini *, const char *name); /* NULL: the file has no sections */
    bool (*key)(struct ini *, const char *key, const char *value);
};

/* Calls section and value for each line of a text, in order. Stops at the first refusal: false,
 * *error says why. */
bool ini_read(struct ini *ini, const char *text, size_t length);

/* Like ini_read, for the file ini->file of at most `most` bytes. */
bool ini_load(struct ini *ini, size_t most);

/* Writes "FILE:LINE: ..." to ini->error, with '?' for unprintable characters. Always returns false,
 * for a caller to return. */
bool ini_refuse(struct ini *ini, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Reads a decimal number in [low, high] at the start of the text. *rest becomes the text behind the
 * number; with rest NULL nothing may follow. "inf", "nan", hexadecimal are refused. False after
 * ini_refuse. */
bool ini_number(struct ini *ini, const char *text, double low, double high, double *value, const char **rest);

/* Reads a whole number in [low, high]; only digits are accepted. False after ini_refuse. */
bool ini_count(struct ini *ini, const char *text, uint64_t low, uint64_t high, uint64_t *value);

/* Refuses a comment behind the value, which may be part of a text for a person. False after
 * ini_refuse. */
bool ini_whole(struct ini *ini);

/* Copies a text of 1 to size - 1 characters without a comment behind it. False after ini_refuse. */
bool ini_text(struct ini *ini, const char *text, char *to, size_t size);

/* Trims white space at both ends, in place. Returns the start of the rest. */
char *ini_trim(char *text);

/* text.h: names, times and messages that come from outside, made safe to keep and to print. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { TEXT_FILE_NAME = 80, TEXT_TIME = 32, TEXT_ERROR = 1024 };

/* Copy what fits, as valid UTF-8 on one line: invalid bytes, control characters, direction marks and other invisible
 * characters become '?'. */
void text_clean(char *to, size_t size, const char *from);
/* Append a sentence to those in `to`, in the same way. */
__attribute__((format(printf, 3, 4))) void text_append(char *to, size_t size, const char *format, ...);
bool text_is_utf8(const uint8_t *bytes, size_t size);
/* A name as a file's name: letters, digits, '.', '-', '_'. If a character had to change, a hash of the whole name follows,
 * so that two names never share a file. */
void text_file_name(char to[TEXT_FILE_NAME], const char *name);

/* "2026-03-01 23:59", "2026-03-01T23:59:30Z", "2026-03-01 23:59 +01:00"; no zone: this machine's. Seconds
 * since 1970. false: not a time. */
bool text_parse_time(const char *text, int64_t *seconds);
/* "2026-03-01T22:59:00Z", "" for 0. */
const char *text_format_time(char text[TEXT_TIME], int64_t seconds);

/* A field of a CSV file (RFC 4180): quoted where it must be. What a spreadsheet would take for a formula
 * (= + - @ in any width, tab, line end at its start, spaces before it or not) gets a ' before it. */
void text_csv(FILE *to, const char *text);

/* ---- normal_form.c: one name in two forms of Unicode */

/* The name in one form, to be compared and never kept: `e` and its accent are two characters. At most three times as long; what
 * does not fit is cut. Any bytes are safe to pass. */
void text_normal(char *to, size_t size, const char *name);

/* One name, whatever its capitals and the form of its accents? Of long ones the beginning. */
bool text_same_name(const char *one, const char *other);

/* ---- lookalike.c: two names that differ for a computer, and for nobody else */

/* A name's key: Cyrillic, Greek and fullwidth letters become the Latin ones that look the same, a letter with its accent has
 * one form, invisible characters go; 0 is O, 1 and I are l. Two names with one key look alike. A key that does not fit is
 * cut. */
void lookalike_key(const char *name, char *key, size_t size);
/* The key of an id as people type it: capitals and blanks are nothing. It is no lookalike_key. */
void typed_key(const char *id, char *key, size_t size);

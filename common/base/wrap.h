/* wrap.h: text in lines of so many columns. */
#pragma once

#include <stdio.h>

/* Writes text in lines of at most `width` columns, broken at blanks. The first line begins at column
 * `at`, the others after `indent` blanks. Line ends in the text are kept; "95 %" is not broken. No
 * line end follows. */
void wrap_text(FILE *to, unsigned width, unsigned at, unsigned indent, const char *text);

/* A line on standard error for whoever started the program: text behind `head`. SIMGPU_COLUMNS=n
 * wraps it at n columns; other programs read whole lines. */
void wrap_message(const char *head, const char *text);

/*
 * terminal.h: text for a person: colours, and lines of at most 80 columns, fewer on a narrower
 * terminal, at least 60. The text is plain where the output is no terminal, TERM is "dumb", or
 * NO_COLOR is set to anything but "".
 */
#ifndef REPORT_TERMINAL_H
#define REPORT_TERMINAL_H

#include <stdbool.h>
#include <stdio.h>

enum terminal_style { STYLE_NORMAL, STYLE_STRONG, STYLE_DIM, STYLE_GOOD, STYLE_BAD, STYLE_WARN, STYLE_TITLE };

enum { TERMINAL_WIDTH = 80, TERMINAL_NARROWEST = 60 };

struct terminal {
    FILE *out;
    bool colour;
    unsigned width; /* columns; 0: TERMINAL_WIDTH */
};

struct terminal terminal_open(FILE *out);
/* Columns that a line may have. */
unsigned terminal_width(const struct terminal *terminal);

/* Prints formatted text in a style, which ends with the text. */
__attribute__((format(printf, 3, 4))) void terminal_print(const struct terminal *terminal,
                                                          enum terminal_style style, const char *format, ...);

/* Prints text broken at blanks into lines of at most terminal_width. The first line begins at
 * column `at`, the others after `indent` blanks. Line ends in the text are kept, "95 %" is not
 * broken. A line end follows. */
void terminal_wrap(const struct terminal *terminal, enum terminal_style style, unsigned at, unsigned indent,
                   const char *text);

/* Asks a question with "[y/N]" on standard output; returns whether standard input said yes. */
__attribute__((format(printf, 1, 2))) bool terminal_agrees(const char *format, ...);

/* Prints the lines in which two files differ, or that they do not. False: `diff` failed, and has
 * said why. */
bool terminal_difference(const struct terminal *terminal, const char *one, const char *one_name,
                         const char *other, const char *other_name);

#endif

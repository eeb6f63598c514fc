/* terminal.h: text for a person: colours, and lines of at most 80 columns, on a narrower terminal
 * at least 60. Text is plain if the output is no terminal, TERM is "dumb", or NO_COLOR is set. */
#pragma once

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
/* Number of columns of a line. */
unsigned terminal_width(const struct terminal *terminal);

/* Prints formatted text in a style. */
__attribute__((format(printf, 3, 4))) void terminal_print(const struct terminal *terminal,
                                                          enum terminal_style style, const char *format, ...);

/* Prints text in lines of at most terminal_width, broken at blanks. The first line begins at column
 * `at`, the others after `indent` blanks. Line ends in the text are kept; "95 %" is not broken. A
 * line end follows. */
void terminal_wrap(const struct terminal *terminal, enum terminal_style style, unsigned at, unsigned indent,
                   const char *text);

/* Asks a question with "[y/N]" on standard output. Returns whether standard input said yes. */
__attribute__((format(printf, 1, 2))) bool terminal_agrees(const char *format, ...);

/* Prints the lines in which two files differ, or that they are equal. False: `diff` failed and said
 * why. */
bool terminal_difference(const struct terminal *terminal, const char *one, const char *one_name,
                         const char *other, const char *other_name);

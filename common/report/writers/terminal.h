/*
 * terminal.h: words for a person: colours, lines of at most 80 columns, fewer where the terminal
 * has fewer, but never below 60. Plain text where the output is no terminal, TERM is "dumb", or
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
/* How many columns a line may have. */
unsigned terminal_width(const struct terminal *terminal);

/* Formatted text in a style; the style ends with it. */
__attribute__((format(printf, 3, 4))) void terminal_print(const struct terminal *terminal,
                                                          enum terminal_style style, const char *format, ...);

/* Text broken at blanks into lines of at most terminal_width; the first begins at column `at`,
 * the others after `indent` blanks. Its own line ends are kept, "95 %" is not broken. Ends with
 * a line end. */
void terminal_wrap(const struct terminal *terminal, enum terminal_style style, unsigned at, unsigned indent,
                   const char *text);

/* A question and "[y/N]" on standard output, an answer from standard input: was it yes? */
__attribute__((format(printf, 1, 2))) bool terminal_agrees(const char *format, ...);

/* What differs between two files, line by line, on standard output; says so where nothing does.
 * False: `diff` could not tell, and has said why. */
bool terminal_difference(const struct terminal *terminal, const char *one, const char *one_name,
                         const char *other, const char *other_name);

#endif

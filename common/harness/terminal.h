/* terminal.h: colours and lines for a person; plain text when the output is not a terminal or NO_COLOR is
 * set. */
#ifndef HARNESS_TERMINAL_H
#define HARNESS_TERMINAL_H

#include <stdbool.h>
#include <stdio.h>

enum terminal_style { STYLE_NORMAL, STYLE_STRONG, STYLE_DIM, STYLE_GOOD, STYLE_BAD, STYLE_WARN, STYLE_TITLE };

enum { TERMINAL_WIDTH = 80 };

struct terminal {
    FILE *out;
    bool colour;
};

struct terminal terminal_open(FILE *out);

/* Formatted text in a style; the style ends with it. */
__attribute__((format(printf, 3, 4))) void terminal_print(const struct terminal *terminal,
                                                          enum terminal_style style, const char *format, ...);

/* A text broken at spaces into lines of at most TERMINAL_WIDTH, each indented by `indent` spaces after the
 * first; the first starts at column `at`. Ends with a newline. Newlines in the text are kept. */
void terminal_wrap(const struct terminal *terminal, enum terminal_style style, unsigned at, unsigned indent,
                   const char *text);

/* A time of microseconds with three or four digits and its unit: "105.6 us", "1.234 ms". */
void terminal_time(double microseconds, char *text, size_t size);

#endif

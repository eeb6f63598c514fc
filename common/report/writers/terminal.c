/* terminal.c: styles as escape sequences, text in lines, questions. */
#include "report/writers/terminal.h"
#include "base/child.h"
#include "base/wrap.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static const char *const escapes[] = {
    [STYLE_NORMAL] = "",          [STYLE_STRONG] = "\033[1m", [STYLE_DIM] = "\033[2m",
    [STYLE_GOOD] = "\033[32m",    [STYLE_BAD] = "\033[31m",   [STYLE_WARN] = "\033[33m",
    [STYLE_TITLE] = "\033[1;36m",
};

struct terminal terminal_open(FILE *out) {
    const char *no_color = getenv("NO_COLOR"), *kind = getenv("TERM");
    struct winsize size = {0};
    bool there = isatty(fileno(out)) == 1;
    unsigned width = TERMINAL_WIDTH;
    if (there && ioctl(fileno(out), TIOCGWINSZ, &size) == 0 && size.ws_col > 0 && size.ws_col < width)
        width = size.ws_col > TERMINAL_NARROWEST ? size.ws_col : TERMINAL_NARROWEST;
    return (struct terminal){
        out, there && (no_color == NULL || *no_color == '\0') && (kind == NULL || strcmp(kind, "dumb") != 0),
        width};
}

unsigned terminal_width(const struct terminal *t) {
    return t->width != 0 ? t->width : TERMINAL_WIDTH;
}

void terminal_print(const struct terminal *t, enum terminal_style style, const char *format, ...) {
    bool coloured = t->colour && style != STYLE_NORMAL;
    if (coloured)
        fputs(escapes[style], t->out);
    va_list arguments;
    va_start(arguments, format);
    vfprintf(t->out, format, arguments);
    va_end(arguments);
    if (coloured)
        fputs("\033[0m", t->out);
}

void terminal_wrap(const struct terminal *t, enum terminal_style style, unsigned at, unsigned indent,
                   const char *text) {
    bool coloured = t->colour && style != STYLE_NORMAL;
    if (coloured)
        fputs(escapes[style], t->out);
    wrap_text(t->out, terminal_width(t), at, indent, text);
    fprintf(t->out, "%s\n", coloured ? "\033[0m" : "");
}

bool terminal_agrees(const char *format, ...) {
    char answer[16] = "";
    va_list arguments;
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    printf(" [y/N] ");
    fflush(stdout);
    return fgets(answer, sizeof answer, stdin) != NULL && (answer[0] == 'y' || answer[0] == 'Y');
}

bool terminal_difference(const struct terminal *t, const char *one, const char *one_name, const char *other,
                         const char *other_name) {
    const char *const arguments[] = {"diff",     "-u",     t->colour ? "--color=always" : "--color=never",
                                     "--label",  one_name, "--label",
                                     other_name, one,      other,
                                     NULL};
    struct child diff = {.arguments = arguments,
                         .input = CHILD_NOTHING,
                         .output = CHILD_OURS,
                         .errors = CHILD_OURS,
                         .same_group = true};
    fflush(stdout);
    int status = child_wait(child_start(&diff), INFINITY);
    if (status == 0)
        puts("no difference");
    return status == 0 || status == 1;
}

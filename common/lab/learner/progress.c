/* progress.c: drawn over itself, on standard error. */
#include "lab/learner/progress.h"
#include "base/clock.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

/* The terminal is one and the line on it is one: this state belongs to the process. */
static struct {
    bool begun, drawn;
    double start;
    char text[76];
} line;

void progress_show(const char *format, ...) {
    if (!isatty(STDERR_FILENO))
        return;
    double time = clock_seconds();
    if (!line.begun) {
        line.begun = true;
        line.start = time;
    }
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line.text, sizeof line.text, format, arguments);
    va_end(arguments);
    if (time - line.start < 1.0)
        return;
    line.drawn = true;
    fprintf(stderr, "\r\033[K%s ...", line.text);
    fflush(stderr);
}

void progress_running(double instructions) {
    if (!line.begun)
        return;
    line.drawn = true;
    fprintf(stderr, "\r\033[K%.44s, still running: %.0f M instructions", line.text, instructions / 1e6);
    fflush(stderr);
}

void progress_bar(unsigned done, unsigned all, const char *what) {
    enum { BAR = 30 };
    char bar[BAR + 1];
    unsigned full = all > 0 ? done * BAR / all : 0;
    for (unsigned i = 0; i < BAR; i++)
        bar[i] = i < full ? '#' : '.';
    bar[BAR] = '\0';
    progress_show("[%s] %u of %u  %s", bar, done, all, what);
}

void progress_clear(void) {
    if (line.drawn) {
        fputs("\r\033[K", stderr);
        fflush(stderr);
    }
    line.begun = line.drawn = false;
}

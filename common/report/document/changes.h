/* changes.h: compares two reports of one lab, GPU and problem, run by run, counter by counter and
 * line by line. Lines are matched by their text. */
#pragma once

#include "report/document/report.h"
#include "report/writers/terminal.h"

/* An earlier run, for a list. */
struct past_run {
    char when[32]; /* "2026-11-22 05:45" */
    double time_us, points, max;
};

struct change {
    char text[200]; /* "kernel.cu:25 global load: 4.84 -> 1.86 sectors per request" */
    char file[64];  /* "kernel.cu"; "": no particular line */
    uint32_t line;  /* in the new text; 0: no particular line, or deleted */
    double weight;  /* larger comes first */
};

enum { CHANGES_MOST = 24, PAST_MOST = 12 };

struct changes {
    char since[32]; /* time of the earlier run */
    uint32_t count, past_count;
    struct change items[CHANGES_MOST]; /* the whole run first, then lines and counters by weight */
    struct past_run past[PAST_MOST];   /* the oldest first; the last is this run */
};

/* Fills items of *changes with the differences. If a source is NULL, lines with the same number are
 * the same. False: out of memory. */
bool changes_between(const struct report *before, const char *before_source, const struct report *after,
                     const char *after_source, struct changes *changes);

/* For each line of `after`, from 1: its line in `before`, 0: none. Unchanged lines keep their
 * order. *count: lines of `after`. NULL: out of memory, or the texts are too long. The caller frees
 * it. */
uint32_t *changes_follow(const char *before, const char *after, uint32_t *count);

/* Prints "Since last time" in 80 columns; nothing if changes is NULL. */
void changes_print(const struct terminal *terminal, const struct changes *changes);

/*
 * changes.h: what an edit changed. Two reports of the same lab, GPU and problem are compared run by
 * run, counter by counter and line by line; lines are followed through the edit.
 */
#ifndef REPORT_CHANGES_H
#define REPORT_CHANGES_H

#include "report/document/report.h"
#include "report/writers/terminal.h"

/* An earlier run, for the list of them. */
struct past_run {
    char when[32]; /* "2026-11-22 05:45" */
    double time_us, points, max;
};

struct change {
    char text[200]; /* "kernel.cu:25 global load: 4.84 -> 1.86 sectors per request" */
    char file[64];  /* "kernel.cu"; "": no one line */
    uint32_t line;  /* in the new text; 0: no one line, or it is gone */
    double weight;  /* the larger comes first */
};

enum { CHANGES_MOST = 24, PAST_MOST = 12 };

struct changes {
    char since[32]; /* when the earlier run was */
    uint32_t count, past_count;
    struct change items[CHANGES_MOST]; /* the run as a whole first, then lines and counters by weight */
    struct past_run past[PAST_MOST];   /* the oldest first, the last is this one */
};

/* Fills items of *changes with the differences. The sources may be NULL; then lines with the
 * same number are the same. false: out of memory. */
bool changes_between(const struct report *before, const char *before_source, const struct report *after,
                     const char *after_source, struct changes *changes);

/* For each line of `after`, from 1: its line in `before`, 0: none. Unchanged lines keep their
 * order. *count: the lines of `after`. NULL: out of memory, or the texts are too long. The
 * caller frees the array. */
uint32_t *changes_follow(const char *before, const char *after, uint32_t *count);

/* Prints "Since last time", 80 columns; nothing where changes is NULL. */
void changes_print(const struct terminal *terminal, const struct changes *changes);

#endif

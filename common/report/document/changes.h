/*
 * changes.h: what an edit changed: two reports of the same lab, on the same GPU and the same
 * problem, compared run by run, counter by counter and line by line, the lines followed through the
 * edit.
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
    uint32_t line;  /* of now; 0: no one line, or it is gone */
    double weight;  /* the larger the sooner told */
};

enum { CHANGES_MOST = 24, PAST_MOST = 12 };

struct changes {
    char since[32];   /* when the earlier run was */
    bool same_source; /* nothing was edited: it is compared with the last that was another */
    uint32_t count, past_count;
    struct change items[CHANGES_MOST]; /* the run as a whole first, then lines and counters by weight */
    struct past_run past[PAST_MOST];   /* the oldest first, the last is this one */
};

/* Fill items of *changes with what differs. The sources may be NULL: lines are then taken for
 * the same where their numbers are. false: out of memory. */
bool changes_between(const struct report *before, const char *before_source, const struct report *after,
                     const char *after_source, struct changes *changes);

/* For each line of `after`, from 1, the line of `before` that it was, 0: none; lines that stayed
 * as they are keep their order. NULL: out of memory, or the texts are too long. *count: how many
 * lines `after` has. For the caller to free. */
uint32_t *changes_follow(const char *before, const char *after, uint32_t *count);

/* "Since last time" on a terminal, 80 columns; nothing where changes is NULL. */
void changes_print(const struct terminal *terminal, const struct changes *changes);

#endif

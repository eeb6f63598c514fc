/* progress.h: one line on a terminal that says how far the class is: "212 of 600  35 %  13.1 a minute  30 min
 * left". Where the output is no terminal, a line of its own every half minute. */
#ifndef GRADER_PROGRESS_H
#define GRADER_PROGRESS_H

#include "grader/queue.h"

struct progress {
    FILE *to; /* NULL: quiet */
    bool terminal;
    double started, shown; /* seconds of a steady clock */
    unsigned done_before;  /* when this run began */
};

void progress_begin(struct progress *progress, FILE *to, const struct queue_counts *counts);
/* At most ten times a second; free to call more often. */
void progress_show(struct progress *progress, const struct queue_counts *counts);
void progress_end(struct progress *progress, const struct queue_counts *counts);
/* Would progress_show write something now? */
bool progress_due(const struct progress *progress);

/* The line itself. seconds: since the beginning. */
void progress_text(char *text, size_t size, const struct queue_counts *counts, unsigned done_before,
                   double seconds);

double progress_clock(void);

#endif

/* progress_line.h: one line on a terminal that says how far the class is:
 * "212 of 600 judged  35 %  13.1 a minute  30 min left".
 * Where the output is no terminal, a line of its own every half minute. */
#ifndef CLASS_PROGRESS_LINE_H
#define CLASS_PROGRESS_LINE_H

#include "class/queue/queue.h"

struct progress_line {
    FILE *to; /* NULL: quiet */
    bool terminal;
    double started, shown; /* seconds of a steady clock */
    unsigned done_before;  /* when this run began */
};

void progress_line_begin(struct progress_line *progress, FILE *to, const struct queue_counts *counts);
/* At most ten times a second; free to call more often. */
void progress_line_show(struct progress_line *progress, const struct queue_counts *counts);
void progress_line_end(struct progress_line *progress, const struct queue_counts *counts);
/* Would progress_line_show write something now? */
bool progress_line_due(const struct progress_line *progress);

/* The line itself. seconds: since the beginning. */
void progress_line_text(char *text, size_t size, const struct queue_counts *counts, unsigned done_before,
                        double seconds);

#endif

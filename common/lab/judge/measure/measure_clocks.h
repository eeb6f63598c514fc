/*
 * measure_clocks.h: what the clocks say of the calls of a measurement on a real GPU, and what follows where they contradict
 * each other. Private to measure*.c.
 */
#ifndef LAB_MEASURE_CLOCKS_H
#define LAB_MEASURE_CLOCKS_H

#include "lab/judge/measure/measure_parts.h"

enum clock {
    CLOCK_EVENT,   /* the events of the call's own process */
    CLOCK_BETWEEN, /* how much longer the judge waited */
    CLOCK_AFTER,   /* how long the device went on when the call's stream had ended */
    CLOCK_WINDOW, /* an owner has the buffers: how much more time passed on the GPU until the results were there, */
    CLOCK_AGAIN, /* and until they were there when the program had answered */
    CLOCK_COPY,  /* a plain copy */
    CLOCKS
};

/* A variant's calls: microseconds, by clock and round. */
struct timed {
    double *clock[CLOCKS];
    bool late; /* in some call the results were not final when the program's work was said to be done */
};

struct clocks {
    bool owned; /* an owner has the buffers */
    unsigned rounds;
    struct timed times[MEASURE_VARIANTS];
    /* Buffers of an owner: the variants that are not watched once more, when the watched one's process is no more. */
    unsigned alone_rounds; /* 0: not so */
    struct timed alone[MEASURE_VARIANTS];
};

/* Room for so many rounds of so many variants. False: out of memory; clocks_free in any case. */
bool clocks_create(struct clocks *clocks, unsigned variants, unsigned rounds, unsigned alone_rounds);
void clocks_free(struct clocks *clocks);
/* Note what a call took. */
void clocks_note(struct timed *timed, unsigned round, const struct trial_result *result);

/* A variant's median and its 95 % interval. Of one that is slower beside the watched variant than alone, what it takes
 * alone: it has been held up by what the watched program does on the GPU outside of its own calls. */
double clocks_median(const struct measurement *m, const struct clocks *clocks, unsigned variant,
                     enum clock clock, double interval[2]);
/* Whether any trusted variant has been held up so, and by more than chance. */
bool clocks_held_up(const struct measurement *m, const struct clocks *clocks);
/* Time of the watched variant's calls that its events have not seen, by the clocks that are not its own; 0: none. */
double clocks_unseen_us(const struct measurement *m, const struct clocks *clocks);

#endif

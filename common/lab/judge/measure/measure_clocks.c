/* measure_clocks.c: medians of clocks, compared. */
#include "lab/judge/measure/measure.h"
#include "lab/judge/measure/measure_parts.h"

#include <math.h>
#include <stdlib.h>

static bool create(struct timed *t, unsigned rounds) {
    bool right = true;
    for (int c = 0; c < CLOCKS; c++)
        right = (t->clock[c] = calloc(rounds, sizeof(double))) != NULL && right;
    return right;
}

bool clocks_create(struct clocks *clocks, unsigned variants, unsigned rounds, unsigned alone_rounds) {
    bool right = true;
    *clocks = (struct clocks){.rounds = rounds};
    for (unsigned v = 0; v < variants; v++) {
        right = create(&clocks->times[v], rounds) && right;
        right = create(&clocks->alone[v], alone_rounds) && right;
    }
    return right;
}

void clocks_free(struct clocks *clocks) {
    for (unsigned v = 0; v < MEASURE_VARIANTS; v++)
        for (int c = 0; c < CLOCKS; c++) {
            free(clocks->times[v].clock[c]);
            free(clocks->alone[v].clock[c]);
        }
}

void clocks_note(struct timed *t, unsigned round, const struct trial_result *result) {
    t->clock[CLOCK_EVENT][round] = result->event_us;
    t->clock[CLOCK_BETWEEN][round] = result->wall_us - result->event_us;
    t->clock[CLOCK_AFTER][round] = result->after_us;
    t->clock[CLOCK_WINDOW][round] = result->window_us - result->event_us;
    t->clock[CLOCK_AGAIN][round] = result->again_us - result->event_us;
    t->clock[CLOCK_COPY][round] = result->copy_us;
    t->late = t->late || result->late;
}

static bool trusted(const struct measurement *m, unsigned variant) {
    return (int)variant != m->watched && !m->variants[variant].beside;
}

typedef bool comparison(double beside_us, double alone_us);

static bool held_up(const struct measurement *m, const struct clocks *c, unsigned variant, comparison *by) {
    return c->alone_rounds > 0 && trusted(m, variant) &&
           by(statistics_median(c->times[variant].clock[CLOCK_EVENT], c->rounds),
              statistics_median(c->alone[variant].clock[CLOCK_EVENT], c->alone_rounds));
}

bool clocks_held_up(const struct measurement *m, const struct clocks *clocks) {
    bool any = false;
    for (unsigned v = 0; v < m->count; v++)
        any = any || held_up(m, clocks, v, plausible_held_up_suspect);
    return any;
}

double clocks_median(const struct measurement *m, const struct clocks *c, unsigned variant, enum clock clock,
                     double interval[2]) {
    bool alone = held_up(m, c, variant, plausible_held_up);
    double *values = alone ? c->alone[variant].clock[clock] : c->times[variant].clock[clock];
    unsigned count = alone ? c->alone_rounds : c->rounds;
    double median = statistics_median(values, count);
    interval[0] = interval[1] = (double)NAN;
    statistics_median_interval(values, count, interval); /* they are sorted now */
    return median;
}

/* The least and the most of the trusted variants' medians; without any, false. */
static bool trusted_span(const struct measurement *m, const struct timed times[], enum clock clock,
                         unsigned rounds, double *least, double *most) {
    bool any = false;
    for (unsigned v = 0; v < m->count; v++) {
        if (!trusted(m, v))
            continue;
        double median = statistics_median(times[v].clock[clock], rounds);
        *least = any ? fmin(*least, median) : median;
        *most = any ? fmax(*most, median) : median;
        any = true;
    }
    return any;
}

/* By the clock of the process that owns the buffers, against what trusted programs take when no other is there. */
static double unseen_in_window(const struct measurement *m, const struct clocks *c) {
    const struct timed *watched = &c->times[m->watched];
    enum clock clock = watched->late ? CLOCK_AGAIN : CLOCK_WINDOW;
    double least, most;
    if (c->alone_rounds == 0 || !trusted_span(m, c->alone, clock, c->alone_rounds, &least, &most))
        return 0;
    return plausible_window_us(statistics_median(watched->clock[clock], c->rounds), least, most,
                               statistics_median(watched->clock[CLOCK_EVENT], c->rounds));
}

double clocks_unseen_us(const struct measurement *m, const struct clocks *c) {
    const struct timed *watched = &c->times[m->watched];
    double least, between, after, us = 0;
    if (c->owned)
        return unseen_in_window(m, c);
    if (!trusted_span(m, c->times, CLOCK_BETWEEN, c->rounds, &least, &between) || between < 0)
        return 0;
    us = plausible_unseen_us(statistics_median(watched->clock[CLOCK_BETWEEN], c->rounds), between);
    trusted_span(m, c->times, CLOCK_AFTER, c->rounds, &least, &after);
    return fmax(us, plausible_elsewhere_us(statistics_median(watched->clock[CLOCK_AFTER], c->rounds), after));
}

/* watch_decide.c: what follows from a look: which limit is passed, and whose fault it is. */
#include "job/watch_parts.h"

double watch_wall(double seconds) {
    return seconds < 60 ? 10 * seconds : seconds + 540;
}

double watch_sleep(double seconds) {
    return seconds < 20 ? 20 : seconds;
}

/* Have they slept longer than they may, all together? What they compute at once counts for all of it: it is limited, too. */
static bool has_slept(const struct watch_limits *limits, struct watch_history *h,
                      const struct watch_look *look, double fair) {
    double ran = look->use.ran - h->last_ran;
    h->ran += ran > 0 ? ran : 0; /* less than before: some have ended */
    h->last_ran = look->use.ran;
    double computed = h->ran > h->used ? h->ran : h->used;
    return limits->sleep_seconds > 0 && look->use.ran > 0 && fair - computed > limits->sleep_seconds;
}

/* Have they done nothing, and could not have, for so long? A hundredth of the time is nothing. */
static bool is_idle(const struct watch_limits *limits, struct watch_history *h, const struct watch_look *look,
                    double fair) {
    double progress = look->use.ran + look->use.waited, done = progress - h->progress;
    if (limits->idle_seconds <= 0 || progress <= 0) /* the system does not tell */
        return false;
    if (done >= 0 && done < 0.01 * limits->idle_seconds) /* less than before: some have ended */
        return fair - h->idle_since > limits->idle_seconds;
    h->progress = progress;
    h->idle_since = fair;
    return false;
}

enum watch_verdict watch_decide(const struct watch_limits *limits, struct watch_history *h,
                                const struct watch_look *look) {
    /* one that ends between two looks may be counted in neither: what was seen stays seen */
    h->used = look->used > h->used ? look->used : h->used;
    h->peak_bytes = look->bytes > h->peak_bytes ? look->bytes : h->peak_bytes;
    /* in a row: whoever stops and continues all of this machine's processes does so one after the other */
    h->stopped_looks = look->stopped ? h->stopped_looks + 1 : 0;
    double fair = fair_clock_read(&h->clock, look->now, &look->use);
    bool idle = is_idle(limits, h, look, fair), slept = has_slept(limits, h, look, fair);
    if (look->bytes > limits->memory_bytes)
        return WATCH_MEMORY;
    if (look->threads > limits->threads || look->too_many)
        return WATCH_THREADS;
    if (limits->own_bytes != 0 && look->own_bytes > limits->own_bytes)
        return WATCH_JUDGE;
    if (limits->scratch_bytes > 0 && look->scratch > limits->scratch_bytes)
        return WATCH_SCRATCH;
    if (look->lure)
        return WATCH_LURE;
    if (h->used > limits->seconds)
        return WATCH_TIME;
    if (h->stopped_looks >= WATCH_STOPPED_LOOKS)
        return WATCH_STOPPED;
    if (idle || slept || fair > limits->wall_seconds)
        return WATCH_WAITS;
    return look->now - h->clock.start > FAIR_CLOCK_MOST * limits->wall_seconds ? WATCH_BUSY : WATCH_WITHIN;
}

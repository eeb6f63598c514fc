/*
 * watch.h: what limits on single processes cannot bound, or cannot tell of: memory, processes, time and scratch files
 * of everything this process has started, together, and who opens what is none of his business. Looked at from outside, a few times in a tenth of a second; what goes beyond
 * a limit is killed, all of it.
 */
#ifndef JOB_WATCH_H
#define JOB_WATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct watch_limits {
    uint64_t memory_bytes; /* resident, anonymous and shared */
    unsigned threads;      /* of all processes */
    /* Of processor time, of all of them together, from watch_start on: what a busy machine leaves as it is. */
    double seconds;
    double wall_seconds; /* of the clock on the wall: far behind (watch_wall) */
    /* In which they and this process neither compute nor wait for a processor: they wait for what does not come. 0: not
     * looked at. */
    double idle_seconds;
    uint64_t scratch_bytes; /* that a sandbox has in its /tmp; 0: not looked at */
    const char *scratch;    /* or in this folder, where it has no /tmp of its own; NULL: it has */
    uint64_t own_bytes;     /* what this process itself may have to write to; 0: anything */
    const char *lure;       /* a FIFO that nobody may open for reading (lure.h); NULL: none */
};

/* WATCH_JUDGE: this process itself grew too large. */
enum watch_verdict {
    WATCH_WITHIN,
    WATCH_MEMORY,
    WATCH_THREADS,
    WATCH_TIME, /* of the processor */
    WATCH_WALL, /* or idle */
    WATCH_JUDGE,
    WATCH_SCRATCH,
    WATCH_LURE
};

struct watch;

/* The clock's limit beside one of processor time: ten times as late, but not more than nine minutes later. A machine that has
 * ten times as much to do as it can is not the submission's fault. */
double watch_wall(double seconds);
/* How many processes the system has ended, for want of memory, since it was started: where that grows, whom it hit may be
 * blameless. */
uint64_t watch_memory_kills(void);

/* Watch every descendant of this process (who loses its parent falls to it, from now on), in a thread, until watch_stop. NULL and a message when that cannot
 * be. */
struct watch *watch_start(const struct watch_limits *limits, char *error, size_t size);
/* The first limit that was passed, if any. peak_bytes: the most memory seen; may be NULL. NULL is fine. */
enum watch_verdict watch_stop(struct watch *watch, uint64_t *peak_bytes);

#endif

/*
 * watch.h: limits on all descendants of this process together: memory, threads, time and scratch files, and the opening
 * of a lure. Limits of single processes cannot do this. Every 25 ms a thread looks; if a limit is passed, all
 * descendants are killed.
 */
#ifndef JOB_WATCH_H
#define JOB_WATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct watch_limits {
    uint64_t memory_bytes; /* resident, anonymous and shared */
    unsigned threads;      /* of all processes */
    double
        seconds; /* of processor time, all together, since watch_start: a busy machine does not change it */
    double wall_seconds; /* since watch_start, much more than `seconds` (watch_wall) */
    /* In a row, in which neither the descendants nor this process compute or wait for a processor. 0: not limited. */
    double idle_seconds;
    uint64_t scratch_bytes; /* in a sandbox's /tmp; 0: not limited */
    const char *scratch;    /* a folder in the place of /tmp; NULL: the sandbox has a private /tmp */
    uint64_t own_bytes;     /* private writable memory of this process itself; 0: not limited */
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

/* Wall-clock limit, in seconds, beside a limit of processor time: ten times as much, but at most nine minutes more. A machine
 * that is ten times overloaded is not the submission's fault. */
double watch_wall(double seconds);
/* Number of processes that the system has killed for lack of memory since it started. If the number grows, a process that
 * was killed may be blameless. */
uint64_t watch_memory_kills(void);

/* Watch every descendant of this process in a thread until watch_stop; from now on this process adopts orphans. NULL and a
 * message if that fails. */
struct watch *watch_start(const struct watch_limits *limits, char *error, size_t size);
/* The first limit that was passed, if any. peak_bytes: the most memory seen; may be NULL. NULL is fine. */
enum watch_verdict watch_stop(struct watch *watch, uint64_t *peak_bytes);

#endif

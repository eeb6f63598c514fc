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
    uint64_t memory_bytes;  /* resident, anonymous and shared */
    unsigned threads;       /* of all processes */
    double seconds;         /* from watch_start on */
    uint64_t scratch_bytes; /* that a sandbox has in its /tmp; 0: not looked at */
    uint64_t own_bytes;     /* what this process itself may have to write to; 0: anything */
    const char *lure;       /* a FIFO that nobody may open for reading (lure.h); NULL: none */
};

/* WATCH_JUDGE: this process itself grew too large. */
enum watch_verdict {
    WATCH_WITHIN,
    WATCH_MEMORY,
    WATCH_THREADS,
    WATCH_TIME,
    WATCH_JUDGE,
    WATCH_SCRATCH,
    WATCH_LURE
};

struct watch;

/* Watch every descendant of this process, in a thread, until watch_stop. NULL and a message when that cannot
 * be. */
struct watch *watch_start(const struct watch_limits *limits, char *error, size_t size);
/* The first limit that was passed, if any. peak_bytes: the most memory seen; may be NULL. NULL is fine. */
enum watch_verdict watch_stop(struct watch *watch, uint64_t *peak_bytes);

#endif

/*
 * watch.h: limits on all descendants of this process together: memory, threads, time and scratch files, and the opening
 * of a lure. Limits of single processes cannot do this. Every 25 ms a thread looks; if a limit is passed, all
 * descendants are killed.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct watch_limits {
    uint64_t memory_bytes; /* resident, anonymous and shared */
    unsigned threads;      /* of all processes */
    double
        seconds; /* of processor time, all together, since watch_start: a busy machine does not change it */
    /* Elapsed since watch_start, less the time waited for a processor (fair_clock in base/processor.h). Waiting counts
     * beyond FAIR_CLOCK_MOST times as much. */
    double wall_seconds;
    /* In a row, in which neither the descendants nor this process compute or wait for a processor. 0: not limited. */
    double idle_seconds;
    /* All together, in which neither the descendants nor this process compute or wait for a
     * processor: fair time less the processor time. 0: not limited. */
    double sleep_seconds;
    uint64_t scratch_bytes; /* in a sandbox's /tmp; 0: not limited */
    const char *scratch;    /* a folder in the place of /tmp; NULL: the sandbox has a private /tmp */
    uint64_t own_bytes;     /* private writable memory of this process itself; 0: not limited */
    const char *lure;       /* a FIFO that nobody may open for reading (lure.h); NULL: none */
};

enum watch_verdict {
    WATCH_WITHIN,
    WATCH_MEMORY,
    WATCH_THREADS,
    WATCH_TIME,    /* of the processor */
    WATCH_WAITS,   /* for what does not come: idle_seconds, sleep_seconds, or wall_seconds */
    WATCH_STOPPED, /* by a signal that stops a process, which nobody here continues */
    WATCH_BUSY, /* FAIR_CLOCK_MOST: nearly all of it they waited for a processor, which is the machine's fault */
    WATCH_JUDGE, /* this process itself grew too large */
    WATCH_SCRATCH,
    WATCH_LURE
};

struct watch;

/* Seconds for wall_seconds beside a limit of processor time: ten times as much, but at most nine minutes more. The rest is
 * for the disk, and other waiting that is nobody's fault. */
double watch_wall(double seconds);

/* Seconds for sleep_seconds beside a limit of processor time: as much, but not less than 20, for
 * the disk. */
double watch_sleep(double seconds);

/* Watch every descendant of this process in a thread until watch_stop; from now on this process adopts orphans. NULL and a
 * message if that fails. */
struct watch *watch_start(const struct watch_limits *limits, char *error, size_t size);

struct watch_end {
    enum watch_verdict verdict; /* the first limit that was passed, if any */
    uint64_t peak_bytes;        /* the most memory seen */
    double elapsed, used;       /* seconds; used: of processor time */
    /* The system has ended a process meanwhile, one of theirs or another, for want of memory. */
    bool memory_kill;
    bool
        large; /* they held half of memory_bytes: if one of them was ended for want of memory, the want was theirs */
};
/* NULL is fine, and so is an end of NULL. */
enum watch_verdict watch_stop(struct watch *watch, struct watch_end *end);

/* Waits until no child and no adopted process is left, at most so many seconds. The processor time of
 * what ended counts from then on. */
void watch_wait_for_adopted(double seconds);

/* "the machine was too busy: in 600 s it had a processor for 12 s": of an end with WATCH_BUSY. */
void watch_busy_message(const struct watch_end *end, char *message, size_t size);

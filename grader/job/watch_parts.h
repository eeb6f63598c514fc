/* watch_parts.h: what a look of the watch sees, and what follows from it. Private to watch*.c and their test. */
#pragma once

#include "base/processor.h"
#include "job/watch.h"

enum { WATCH_LOOK_EVERY_MS = 25, WATCH_STOPPED_LOOKS = 40 };

struct watch_look {
    double now; /* clock_seconds */
    uint64_t bytes, scratch, own_bytes;
    unsigned threads;
    bool too_many;            /* processes, to be counted */
    bool lure;                /* somebody opens it */
    double used;              /* seconds of processor time since the watch began */
    struct processor_use use; /* of the processes that are there, and this one */
    bool stopped;             /* any of them */
};

/* From the first look on. All zero but `clock`, which is started. */
struct watch_history {
    struct fair_clock clock;
    double used;
    double ran, last_ran; /* seconds of all that were seen, this process among them; by the last look */
    double progress; /* seconds computed and waited for a processor, as far as they were more than nothing */
    double idle_since; /* fair seconds since the start, when that was */
    unsigned stopped_looks;
    uint64_t peak_bytes;
};

enum watch_verdict watch_decide(const struct watch_limits *limits, struct watch_history *history,
                                const struct watch_look *look);

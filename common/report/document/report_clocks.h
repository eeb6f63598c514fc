/* report_clocks.h: what a real GPU said of itself while it was measured: its clocks, its
 * temperature, what held it back. */
#ifndef REPORT_REPORT_CLOCKS_H
#define REPORT_REPORT_CLOCKS_H

#include <stdbool.h>
#include <stdint.h>

/* MHz, over the samples. */
struct report_clock {
    double least, mean, most;
};

struct report_clocks {
    bool present;     /* false: a simulated GPU, or a report of an older kit; absent in JSON */
    uint32_t samples; /* 0: nothing could be asked, and the note says why */
    struct report_clock sm, memory;
    double coolest, hottest; /* degrees Celsius; 0: not told */
    char throttled[160];     /* what held the clocks back, in NVML's words: "sw_power_cap"; "": nothing */
    char note[320];          /* what a reader of the times must know; "": nothing */
};

/* Clocks count as moved, and as others than the last run's, from this share on. */
#define REPORT_CLOCKS_MOVED 0.02

/* Take more samples in, of another part of the lab. */
void report_clocks_add(struct report_clocks *clocks, const struct report_clocks *more);

/* Write the note: that a clock moved during the run, that it is another than in the last one
 * (NULL: there is none), and what held it back. */
void report_clocks_judge(struct report_clocks *clocks, const struct report_clocks *last);

#endif

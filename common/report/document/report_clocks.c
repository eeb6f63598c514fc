/* report_clocks.c: judges the clocks of a run, alone and against the last run's. */
#include "report/document/report.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void clock_add(struct report_clock *clock, uint32_t samples, const struct report_clock *more,
                      uint32_t more_samples) {
    clock->least = fmin(clock->least, more->least);
    clock->most = fmax(clock->most, more->most);
    clock->mean = (clock->mean * samples + more->mean * more_samples) / (samples + more_samples);
}

void report_clocks_add(struct report_clocks *clocks, const struct report_clocks *more) {
    if (!more->present)
        return;
    if (clocks->samples == 0 || more->samples == 0) {
        if (!clocks->present || clocks->samples == 0)
            *clocks = *more;
        return;
    }
    clock_add(&clocks->sm, clocks->samples, &more->sm, more->samples);
    clock_add(&clocks->memory, clocks->samples, &more->memory, more->samples);
    clocks->coolest = fmin(clocks->coolest, more->coolest);
    clocks->hottest = fmax(clocks->hottest, more->hottest);
    clocks->samples += more->samples;
    for (const char *word = more->throttled; *word != '\0'; word += strspn(word, " ")) {
        size_t length = strcspn(word, " "), used = strlen(clocks->throttled);
        bool known = false;
        for (const char *at = clocks->throttled; *at != '\0'; at += strspn(at, " ")) {
            known = known || (strcspn(at, " ") == length && memcmp(at, word, length) == 0);
            at += strcspn(at, " ");
        }
        if (!known)
            snprintf(clocks->throttled + used, sizeof clocks->throttled - used, "%s%.*s", used > 0 ? " " : "",
                     (int)length, word);
        word += length;
    }
}

static void say(struct report_clocks *clocks, const char *name, const struct report_clock *clock,
                const struct report_clock *last) {
    size_t used = strlen(clocks->note);
    if (clock->most - clock->least > REPORT_CLOCKS_MOVED * clock->most) {
        snprintf(clocks->note + used, sizeof clocks->note - used,
                 "%sThe %s clock moved between %.0f and %.0f MHz during this run.", used > 0 ? " " : "", name,
                 clock->least, clock->most);
        used = strlen(clocks->note);
    }
    if (last != NULL && fabs(clock->mean - last->mean) > REPORT_CLOCKS_MOVED * fmax(clock->mean, last->mean))
        snprintf(clocks->note + used, sizeof clocks->note - used,
                 "%sThe %s clock was %.0f MHz; in the last run it was %.0f.", used > 0 ? " " : "", name,
                 clock->mean, last->mean);
}

void report_clocks_judge(struct report_clocks *clocks, const struct report_clocks *last) {
    if (!clocks->present || clocks->samples == 0)
        return;
    clocks->note[0] = '\0';
    bool compared = last != NULL && last->samples > 0;
    say(clocks, "SM", &clocks->sm, compared ? &last->sm : NULL);
    say(clocks, "memory", &clocks->memory, compared ? &last->memory : NULL);
    size_t used = strlen(clocks->note);
    if (used > 0)
        snprintf(clocks->note + used, sizeof clocks->note - used,
                 " Speedups of this run hold; its microseconds are not the last run's: make doctor.");
}

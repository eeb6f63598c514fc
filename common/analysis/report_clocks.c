/* report_clocks.c: clocks of a run, compared with themselves and with the last run's. */
#include "analysis/report_clocks.h"
#include "analysis/json_read.h"

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

static json_t *clock_to_json(const struct report_clock *clock) {
    return json_pack("{s:o, s:o, s:o}", "least", json_number(clock->least), "mean", json_number(clock->mean),
                     "most", json_number(clock->most));
}

json_t *report_clocks_to_json(const struct report_clocks *c) {
    return json_pack("{s:I, s:o, s:o, s:{s:o, s:o}, s:o, s:o}", "samples", (json_int_t)c->samples, "sm_mhz",
                     clock_to_json(&c->sm), "memory_mhz", clock_to_json(&c->memory), "temperature_c", "least",
                     json_number(c->coolest), "most", json_number(c->hottest), "throttled",
                     json_text(c->throttled), "note", json_text(c->note));
}

static void clock_from_json(struct report_clock *clock, struct json_reader *reader, const json_t *json,
                            const char *key) {
    static const char *const names[] = {"least", "mean", "most", NULL};
    const json_t *object = json_get_object(reader, json, key);
    size_t mark = json_enter(reader, key);
    if (json_expect_keys(reader, object, names)) {
        clock->least = json_get_number(reader, object, "least", false);
        clock->mean = json_get_number(reader, object, "mean", false);
        clock->most = json_get_number(reader, object, "most", false);
    }
    json_leave(reader, mark);
}

void report_clocks_from_json(struct report_clocks *clocks, struct json_reader *reader, const json_t *json) {
    static const char *const names[] = {"samples",   "sm_mhz", "memory_mhz", "temperature_c",
                                        "throttled", "note",   NULL};
    static const char *const ends[] = {"least", "most", NULL};
    size_t mark = json_enter(reader, "clocks");
    if (json_expect_keys(reader, json, names)) {
        clocks->present = true;
        clocks->samples = (uint32_t)json_get_count(reader, json, "samples", UINT32_MAX);
        clock_from_json(&clocks->sm, reader, json, "sm_mhz");
        clock_from_json(&clocks->memory, reader, json, "memory_mhz");
        const json_t *temperature = json_get_object(reader, json, "temperature_c");
        size_t inner = json_enter(reader, "temperature_c");
        if (json_expect_keys(reader, temperature, ends)) {
            clocks->coolest = json_get_number(reader, temperature, "least", false);
            clocks->hottest = json_get_number(reader, temperature, "most", false);
        }
        json_leave(reader, inner);
        json_get_short(reader, json, "throttled", clocks->throttled, sizeof clocks->throttled);
        json_get_short(reader, json, "note", clocks->note, sizeof clocks->note);
    }
    json_leave(reader, mark);
}

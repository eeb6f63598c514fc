/* spans.c: reads a run's spans and adds them up. */
#include "report/document/spans.h"

#include "base/span_kinds.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* SPAN_LANES: this kind is not drawn. */
static enum span_lane lane_of(enum span_kind kind) {
    static const enum span_lane lanes[SPAN_KIND_COUNT + 1] = {
        [SPAN_KIND_HOST] = SPAN_HOST,           [SPAN_KIND_MARK] = SPAN_LANES,
        [SPAN_KIND_KERNEL] = SPAN_KERNELS,      [SPAN_KIND_FILL] = SPAN_KERNELS,
        [SPAN_KIND_TO_DEVICE] = SPAN_TO_DEVICE, [SPAN_KIND_FROM_DEVICE] = SPAN_FROM_DEVICE,
        [SPAN_KIND_IN_DEVICE] = SPAN_KERNELS,   [SPAN_KIND_GRAPH] = SPAN_GRAPHS,
        [SPAN_KIND_COUNT] = SPAN_LANES,
    };
    return lanes[kind];
}

static int by_begin(const void *left, const void *right) {
    const struct span *a = left, *b = right;
    return (a->begin_us > b->begin_us) - (a->begin_us < b->begin_us);
}

/* Reads one object. False: it is no span. */
static bool read_one(const json_t *item, struct span *span, bool *has_lane) {
    const char *kind = json_string_value(json_object_get(item, "kind")),
               *name = json_string_value(json_object_get(item, "name"));
    const json_t *begin = json_object_get(item, "begin_us"), *time = json_object_get(item, "time_us");
    if (kind == NULL || !json_is_number(begin) || !json_is_number(time))
        return false;
    *span = (struct span){.begin_us = json_number_value(begin), .time_us = json_number_value(time)};
    span->lane = lane_of(span_kind_find(kind));
    *has_lane = span->lane != SPAN_LANES && span->time_us > 0;
    span->waits = span->lane == SPAN_HOST && name != NULL && strcmp(name, "SYNCHRONISE") == 0;
    if (name != NULL && span_kind_find(kind) == SPAN_KIND_KERNEL)
        snprintf(span->name, sizeof span->name, "%.*s", (int)strcspn(name, "("), name);
    return true;
}

/* A mark "unordered" has begin and time of the span that it is for. */
static void take_mark(struct spans *spans, const json_t *item, const struct span *mark) {
    const char *kind = json_string_value(json_object_get(item, "kind")),
               *name = json_string_value(json_object_get(item, "name"));
    for (uint32_t i = 0; i < spans->count && span_kind_find(kind) == SPAN_KIND_MARK; i++)
        if (name != NULL && strcmp(name, "unordered") == 0 && spans->list[i].lane != SPAN_HOST &&
            spans->list[i].begin_us == mark->begin_us && spans->list[i].time_us == mark->time_us)
            spans->list[i].unordered = true;
}

static double end_of(const struct span *span) {
    return span->begin_us + span->time_us;
}

/* Cuts the spans to the run, which ends when the GPU's work has ended and the host has waited for
 * it. What lies outside, such as freeing memory, is dropped. */
static void cut_to_run(struct spans *spans, double run_us) {
    const double unequal = 1e-6; /* share of the run by which sums of its parts may differ */
    double device = 0, end = 0;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < spans->count; i++)
        if (spans->list[i].lane != SPAN_HOST)
            device = fmax(device, end_of(&spans->list[i]));
    for (uint32_t i = 0; i < spans->count; i++)
        if (spans->list[i].begin_us < device)
            end = fmax(end, end_of(&spans->list[i]));
    for (uint32_t i = 0; i < spans->count; i++)
        if (spans->list[i].begin_us < device && spans->list[i].begin_us >= end - run_us * (1 + unequal))
            spans->list[kept++] = spans->list[i];
    spans->count = kept;
}

bool spans_read(struct spans *spans, const json_t *array, double run_us) {
    *spans = (struct spans){.list = calloc(json_array_size(array) + 1, sizeof *spans->list)};
    if (spans->list == NULL)
        return false;
    for (size_t i = 0; i < json_array_size(array); i++) {
        struct span *span = &spans->list[spans->count];
        bool has_lane = false;
        if (!read_one(json_array_get(array, i), span, &has_lane)) {
            spans_free(spans);
            return false;
        }
        if (!has_lane)
            take_mark(spans, json_array_get(array, i),
                      &(struct span){.begin_us = span->begin_us, .time_us = span->time_us});
        spans->count += has_lane;
    }
    qsort(spans->list, spans->count, sizeof *spans->list, by_begin);
    if (isfinite(run_us))
        cut_to_run(spans, run_us);
    for (uint32_t i = 0; i < spans->count; i++)
        spans->to_us = fmax(spans->to_us, end_of(&spans->list[i]));
    spans->from_us = spans->count > 0 ? spans->list[0].begin_us : spans->to_us;
    return true;
}

void spans_free(struct spans *spans) {
    free(spans->list);
    *spans = (struct spans){0};
}

static bool counts_as(const struct span *span, enum span_what what) {
    if (what == SPAN_FILLS)
        return span->lane == SPAN_KERNELS && span->name[0] == '\0';
    return span->waits == (what == SPAN_WAITS);
}

double spans_share(const struct spans *spans, enum span_lane lane, enum span_what what) {
    double worked = 0, until = spans->from_us, all = spans->to_us - spans->from_us;
    for (uint32_t i = 0; i < spans->count; i++) {
        const struct span *span = &spans->list[i];
        double end = span->begin_us + span->time_us;
        if (span->lane != lane || !counts_as(span, what) || end <= until)
            continue;
        worked += end - fmax(span->begin_us, until);
        until = end;
    }
    return all > 0 ? worked / all : 0;
}

bool spans_has_row(const struct spans *spans, enum span_lane lane) {
    bool has = lane != SPAN_GRAPHS;
    for (uint32_t i = 0; i < spans->count && !has; i++)
        has = spans->list[i].lane == lane;
    return has;
}

/* How often a kernel with that name begins. */
static uint32_t times_of(const struct spans *spans, const char *name) {
    uint32_t times = 0;
    for (uint32_t i = 0; i < spans->count; i++)
        times += spans->list[i].name[0] != '\0' && strcmp(spans->list[i].name, name) == 0;
    return times;
}

/* When the kernel with that name begins for the number-th time, from 0. */
static double begin_of(const struct spans *spans, const char *name, uint32_t number) {
    for (uint32_t i = 0; i < spans->count; i++)
        if (strcmp(spans->list[i].name, name) == 0 && number-- == 0)
            return spans->list[i].begin_us;
    return spans->to_us;
}

void spans_middle(const struct spans *spans, double *from_us, double *to_us, uint32_t *rounds) {
    enum { FEWEST = 4, SHOWN = 2 };
    const char *name = "";
    uint32_t most = 0;
    *from_us = spans->from_us, *to_us = spans->to_us, *rounds = 0;
    double first = INFINITY, last = -INFINITY;
    for (uint32_t i = 0; i < spans->count; i++)
        if (spans->list[i].unordered) {
            first = fmin(first, spans->list[i].begin_us);
            last = fmax(last, end_of(&spans->list[i]));
        }
    if (first < last) {
        *from_us = fmax(*from_us, first - (last - first) / 2);
        *to_us = fmin(*to_us, last + (last - first) / 2);
        return;
    }
    for (uint32_t i = 0; i < spans->count; i++) {
        const struct span *span = &spans->list[i];
        if (span->name[0] == '\0' || strcmp(span->name, name) == 0)
            continue;
        uint32_t times = times_of(spans, span->name);
        if (times > most) {
            most = times;
            name = span->name;
        } else if (most > 0) /* once for the first kind of many is enough */
            break;
    }
    if (most < FEWEST)
        return;
    *from_us = begin_of(spans, name, most / 2);
    *to_us = begin_of(spans, name, most / 2 + SHOWN);
    *rounds = most;
}

/* timeline.c: when work on streams begins and ends. */
#include "gpu/runtime/server/timeline.h"

#include <string.h>

static double later(double a, double b) {
    return a > b ? a : b;
}

void timeline_start(struct timeline *timeline, const struct gpu_model *model) {
    memset(timeline, 0, sizeof *timeline);
    timeline->model = model;
}

double timeline_begin(const struct timeline *timeline, const struct timeline_stream *stream) {
    double begin = timeline->host;
    if (stream == NULL)
        return later(begin, later(timeline->standard.ready, timeline->last_blocking));
    begin = later(begin, stream->ready);
    return stream->non_blocking ? begin : later(begin, timeline->standard.ready);
}

static void enter(struct timeline *timeline, struct timeline_stream *stream, double end) {
    struct timeline_stream *own = stream != NULL ? stream : &timeline->standard;
    own->ready = later(own->ready, end);
    timeline->last = later(timeline->last, end);
    if (stream != NULL && !stream->non_blocking)
        timeline->last_blocking = later(timeline->last_blocking, end);
}

/* Kernels fill the GPU in order of issue: a kernel starts once there is room for its share. */
static double room_for(struct timeline *timeline, double begin, double share) {
    for (;;) {
        double used = 0, first_end = 0;
        uint32_t kept = 0;
        for (uint32_t i = 0; i < timeline->running_count; i++) {
            struct timeline_running kernel = timeline->running[i];
            /* Kept while any stream could still start work before its end, because streams have
             * different clocks. */
            if (kernel.end > timeline->host)
                timeline->running[kept++] = kernel;
            if (kernel.end <= begin)
                continue;
            used += kernel.share;
            if (first_end == 0 || kernel.end < first_end)
                first_end = kernel.end;
        }
        timeline->running_count = kept;
        if (used == 0 || (used + share <= 1 && kept < TIMELINE_RUNNING))
            return begin;
        begin = first_end;
    }
}

double timeline_kernel(struct timeline *timeline, struct timeline_stream *stream, double microseconds,
                       double share) {
    timeline_host_spends(timeline, timeline->model->host_launch_us);
    double begin = room_for(timeline, timeline_begin(timeline, stream), share);
    double end = begin + microseconds;
    if (timeline->running_count == TIMELINE_RUNNING)
        timeline->running_count = 0; /* all ended before this one begins */
    timeline->running[timeline->running_count++] = (struct timeline_running){end, share};
    enter(timeline, stream, end);
    return begin;
}

double timeline_copy_us(const struct timeline *timeline, enum timeline_copy kind, uint64_t bytes,
                        bool pinned) {
    const struct gpu_model *model = timeline->model;
    switch (kind) {
    case TIMELINE_TO_DEVICE:
    case TIMELINE_FROM_DEVICE:
        return pinned ? model->copy_start_us + (double)bytes / 1e3 / model->host_link_gbs
                      : model->pageable_copy_us + (double)bytes / 1e3 / model->host_pageable_gbs;
    case TIMELINE_IN_DEVICE: return gpu_copy_us(model, bytes);
    case TIMELINE_FILL: return gpu_fill_us(model, bytes);
    case TIMELINE_IN_HOST: break;
    }
    return 0;
}

double timeline_copy(struct timeline *timeline, struct timeline_stream *stream, enum timeline_copy kind,
                     uint64_t bytes, bool pinned, bool blocking) {
    timeline_host_spends(timeline, timeline->model->host_copy_us);
    double begin = timeline_begin(timeline, stream);
    double *engine = kind == TIMELINE_TO_DEVICE     ? &timeline->to_device_ready
                     : kind == TIMELINE_FROM_DEVICE ? &timeline->from_device_ready
                                                    : NULL;
    if (engine != NULL)
        begin = later(begin, *engine);
    else if (kind == TIMELINE_IN_DEVICE || kind == TIMELINE_FILL)
        begin = room_for(timeline, begin, 1);
    double end = begin + timeline_copy_us(timeline, kind, bytes, pinned);
    if (engine != NULL)
        *engine = end;
    enter(timeline, stream, end);
    if (blocking || (engine != NULL && !pinned))
        timeline_host_wait(timeline, end);
    return begin;
}

void timeline_host_spends(struct timeline *timeline, double microseconds) {
    if (!timeline->in_graph)
        timeline->host += microseconds;
}

void timeline_stream_wait(struct timeline *timeline, struct timeline_stream *stream, double time) {
    enter(timeline, stream, later(timeline_begin(timeline, stream), time));
}

void timeline_host_wait(struct timeline *timeline, double time) {
    timeline->host = later(timeline->host, time) + timeline->model->host_wait_us;
}

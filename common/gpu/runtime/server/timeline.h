/*
 * timeline.h: when things happen on the simulated GPU. Work runs at once, in the order it is given; its times
 * are modelled: each stream has a clock of its own, so that work of different streams overlaps in time where
 * hardware would let it. All times are microseconds since the device was opened. The same program gives the
 * same times on every machine.
 */
#ifndef RUNTIME_TIMELINE_H
#define RUNTIME_TIMELINE_H

#include "gpu/time/gpus.h"

#include <stdbool.h>
#include <stdint.h>

struct timeline_stream {
    bool non_blocking; /* does not wait for the default stream, nor the default stream for it */
    uint32_t flags;
    int32_t priority;
    double ready; /* when all work given to it so far is done */
};

enum { TIMELINE_RUNNING = 128 };

/* A kernel takes a share of the GPU while it runs; what does not fit beside others waits. */
struct timeline_running {
    double end, share;
};

struct timeline {
    double host;                     /* the program: its calls, what it waited for, its own work */
    bool in_graph;                   /* what is entered comes from a graph: no calls of the host's */
    struct timeline_stream standard; /* the default stream */
    double last_blocking;            /* latest end of any blocking stream's work */
    double last;                     /* latest end of all work */
    double to_device_ready, from_device_ready; /* the two copy engines */
    uint32_t running_count;
    struct timeline_running running[TIMELINE_RUNNING];
    const struct gpu_model *model;
};

/* The model is to live as long. */
void timeline_start(struct timeline *timeline, const struct gpu_model *model);

/* When work given to the stream now could begin. `stream` NULL: the default stream. */
double timeline_begin(const struct timeline *timeline, const struct timeline_stream *stream);

/* Enter a kernel that takes `microseconds` on `share` (0..1] of the GPU. When it begins. */
double timeline_kernel(struct timeline *timeline, struct timeline_stream *stream, double microseconds,
                       double share);

enum timeline_copy {
    TIMELINE_TO_DEVICE,
    TIMELINE_FROM_DEVICE,
    TIMELINE_IN_DEVICE,
    TIMELINE_FILL,
    TIMELINE_IN_HOST
};
/* How long a copy or fill of `bytes` takes by itself. */
double timeline_copy_us(const struct timeline *timeline, enum timeline_copy kind, uint64_t bytes,
                        bool pinned);
/* Enter a copy or fill of `bytes`; `blocking`: the host waits for it, as for every copy over the link that is not pinned.
 * When it begins. */
double timeline_copy(struct timeline *timeline, struct timeline_stream *stream, enum timeline_copy kind,
                     uint64_t bytes, bool pinned, bool blocking);

/* The host spends time in a call or on work of its own. In a graph it does not. */
void timeline_host_spends(struct timeline *timeline, double microseconds);

/* The stream goes on no earlier than `time`; the host waits until `time`, and takes a moment to come back. */
void timeline_stream_wait(struct timeline *timeline, struct timeline_stream *stream, double time);
void timeline_host_wait(struct timeline *timeline, double time);

#endif

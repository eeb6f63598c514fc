/* timeline.h: when work begins and ends on the simulated GPU. Work runs at once, in order of issue;
 * its times are modelled. Each stream has a clock, so that work of different streams overlaps where
 * hardware would let it. Times are microseconds since the device was opened, alike on all
 * machines. */
#ifndef RUNTIME_TIMELINE_H
#define RUNTIME_TIMELINE_H

#include "gpu/time/gpus.h"

#include <stdbool.h>
#include <stdint.h>

struct timeline_stream {
    bool non_blocking; /* it and the default stream do not wait for each other */
    uint32_t flags;
    int32_t priority;
    double ready; /* end of all work issued to it so far */
};

enum { TIMELINE_RUNNING = 128 };

/* A running kernel takes a share of the GPU; a kernel that does not fit beside others waits. */
struct timeline_running {
    double end, share;
};

struct timeline {
    double host;                               /* the program's clock: its calls, its waits, its own work */
    bool in_graph;                             /* entries come from a graph, without calls of the host */
    struct timeline_stream standard;           /* the default stream */
    double last_blocking;                      /* latest end of any blocking stream's work */
    double last;                               /* latest end of all work */
    double to_device_ready, from_device_ready; /* the two copy engines */
    uint32_t running_count;
    struct timeline_running running[TIMELINE_RUNNING];
    const struct gpu_model *model;
};

/* The model must live as long as the timeline. */
void timeline_start(struct timeline *timeline, const struct gpu_model *model);

/* When work issued to the stream now could begin. stream NULL: the default stream. */
double timeline_begin(const struct timeline *timeline, const struct timeline_stream *stream);

/* Enters a kernel that takes `microseconds` on `share` (0..1] of the GPU. Returns its begin. */
double timeline_kernel(struct timeline *timeline, struct timeline_stream *stream, double microseconds,
                       double share);

enum timeline_copy {
    TIMELINE_TO_DEVICE,
    TIMELINE_FROM_DEVICE,
    TIMELINE_IN_DEVICE,
    TIMELINE_FILL,
    TIMELINE_IN_HOST
};
/* Microseconds of a copy or fill of `bytes` alone. */
double timeline_copy_us(const struct timeline *timeline, enum timeline_copy kind, uint64_t bytes,
                        bool pinned);
/* Enters a copy or fill of `bytes` and returns its begin. blocking: the host waits for its end, as
 * for every copy to or from pageable memory. */
double timeline_copy(struct timeline *timeline, struct timeline_stream *stream, enum timeline_copy kind,
                     uint64_t bytes, bool pinned, bool blocking);

/* The host spends time in a call or on work of its own; in a graph it spends none. */
void timeline_host_spends(struct timeline *timeline, double microseconds);

/* stream_wait: the stream goes on no earlier than `time`. host_wait: the host waits until `time`,
 * and needs a moment to resume. */
void timeline_stream_wait(struct timeline *timeline, struct timeline_stream *stream, double time);
void timeline_host_wait(struct timeline *timeline, double time);

#endif

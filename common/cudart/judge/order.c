/*
 * order.c: which work of a recorded call comes before which, by what the program says: streams, events, waits of the
 * host. Modelled times say nothing of it: that one thing ended before another began may be chance.
 *
 * The work of one stream is in order, so what comes before a piece of work is told by a number for each stream: of its
 * pieces, the last one that does.
 */
#include "cudart/server/server.h"

static void join(struct server_clock *clock, const struct server_clock *other) {
    for (int i = 0; i < SERVER_LANES; i++)
        if (other->before[i] > clock->before[i])
            clock->before[i] = other->before[i];
}

/* The lane of a stream, a new one where it has none; NULL: there are too many. */
static struct server_lane *lane_of(struct server *server, uint32_t stream) {
    struct server_recording *recording = &server->recording;
    for (uint32_t i = 0; i < recording->lane_count; i++)
        if (recording->lanes[i].stream == stream)
            return &recording->lanes[i];
    if (recording->lane_count == SERVER_LANES) {
        server_recording_fails(server, "it works on more than 32 streams");
        return NULL;
    }
    const struct timeline_stream *object = stream != 0 ? handle_object(&server->streams, stream) : NULL;
    struct server_lane *lane = &recording->lanes[recording->lane_count++];
    *lane = (struct server_lane){.stream = stream, .non_blocking = object != NULL && object->non_blocking};
    return lane;
}

/* What comes before the next piece of work there. The default stream waits for those that wait for it. */
static struct server_clock clock_of(struct server *server, const struct server_lane *lane) {
    const struct server_recording *recording = &server->recording;
    struct server_clock clock = lane->clock;
    join(&clock, &recording->host);
    for (uint32_t i = 0; i < recording->lane_count; i++) {
        const struct server_lane *other = &recording->lanes[i];
        bool of_default = lane->stream == 0 && !other->non_blocking;
        bool of_other = other->stream == 0 && !lane->non_blocking;
        if (of_default || of_other)
            join(&clock, &other->clock);
    }
    return clock;
}

void server_order_work(struct server *server, uint32_t stream, struct server_operation *operation,
                       uint32_t index) {
    struct server_lane *lane = lane_of(server, stream);
    if (lane == NULL)
        return;
    operation->lane = (uint32_t)(lane - server->recording.lanes);
    operation->after = lane->clock = clock_of(server, lane);
    lane->clock.before[operation->lane] = index + 1;
}

void server_order_event(struct server *server, struct server_event *event, uint32_t stream) {
    struct server_lane *lane = server->recording.on ? lane_of(server, stream) : NULL;
    event->recording = server->recording.on ? server->recording.number : 0;
    if (lane != NULL)
        event->after = clock_of(server, lane);
}

/* What an event of this recording stands for; nothing, where it was recorded before. */
static bool is_of_call(const struct server *server, const struct server_event *event) {
    return event->recorded && event->recording == server->recording.number;
}

void server_order_stream_waits(struct server *server, uint32_t stream, const struct server_event *event) {
    struct server_lane *lane = server->recording.on ? lane_of(server, stream) : NULL;
    if (lane != NULL && is_of_call(server, event))
        join(&lane->clock, &event->after);
}

void server_order_host_waits_for_event(struct server *server, const struct server_event *event) {
    if (server->recording.on && is_of_call(server, event))
        join(&server->recording.host, &event->after);
}

void server_order_host_waits(struct server *server, uint32_t stream) {
    struct server_lane *lane = server->recording.on ? lane_of(server, stream) : NULL;
    if (lane == NULL)
        return;
    struct server_clock clock = clock_of(server, lane);
    join(&server->recording.host, &clock);
}

void server_order_host_waits_for_all(struct server *server) {
    for (uint32_t i = 0; server->recording.on && i < server->recording.lane_count; i++)
        join(&server->recording.host, &server->recording.lanes[i].clock);
}

/*
 * order.c: which work of a recorded call comes before which, by what the program says: streams, events, waits of the
 * host. Modelled times say nothing of it: that one thing ended before another began may be chance.
 *
 * The work of one stream is in order, so what comes before a piece of work is told by a number for each stream: of its
 * pieces, the last one that does.
 */
#include "gpu/runtime/judge/judge.h"

#include <stdlib.h>

static void join(struct judge_clock *clock, const struct judge_clock *other) {
    for (int i = 0; i < JUDGE_LANES; i++)
        if (other->before[i] > clock->before[i])
            clock->before[i] = other->before[i];
}

/* The lane of a stream, a new one where it has none; NULL: there are too many. */
static struct judge_lane *lane_of(struct judge *judge, uint32_t stream) {
    struct judge_recording *recording = &judge->recording;
    for (uint32_t i = 0; i < recording->lane_count; i++)
        if (recording->lanes[i].stream == stream)
            return &recording->lanes[i];
    if (recording->lane_count == JUDGE_LANES) {
        judge_recording_fails(judge, "it works on more than 32 streams");
        return NULL;
    }
    const struct timeline_stream *object =
        stream != 0 ? handle_object(&judge->server->streams, stream) : NULL;
    struct judge_lane *lane = &recording->lanes[recording->lane_count++];
    *lane = (struct judge_lane){.stream = stream, .non_blocking = object != NULL && object->non_blocking};
    return lane;
}

/* What comes before the next piece of work there. The default stream waits for those that wait for it. */
static struct judge_clock clock_of(struct judge *judge, const struct judge_lane *lane) {
    const struct judge_recording *recording = &judge->recording;
    struct judge_clock clock = lane->clock;
    join(&clock, &recording->host);
    for (uint32_t i = 0; i < recording->lane_count; i++) {
        const struct judge_lane *other = &recording->lanes[i];
        bool of_default = lane->stream == 0 && !other->non_blocking;
        bool of_other = other->stream == 0 && !lane->non_blocking;
        if (of_default || of_other)
            join(&clock, &other->clock);
    }
    return clock;
}

void judge_order_work(struct judge *judge, uint32_t stream, struct judge_operation *operation,
                      uint32_t index) {
    struct judge_lane *lane = lane_of(judge, stream);
    if (lane == NULL)
        return;
    operation->lane = (uint32_t)(lane - judge->recording.lanes);
    operation->after = lane->clock = clock_of(judge, lane);
    lane->clock.before[operation->lane] = index + 1;
}

static void note_event(struct judge *judge, uint32_t id, uint32_t stream) {
    struct server_event *event = handle_object(&judge->server->events, id);
    struct judge_lane *lane = lane_of(judge, stream);
    struct judge_event *noted = event->judged != NULL ? event->judged : calloc(1, sizeof *noted);
    event->judged = noted;
    if (noted == NULL)
        judge_recording_fails(judge, "out of memory for its events");
    if (noted != NULL)
        noted->recording = judge->recording.number;
    if (noted != NULL && lane != NULL)
        noted->after = clock_of(judge, lane);
}

/* What happens before an event of this recording; nothing, where it was recorded before. */
static void join_event(const struct judge *judge, uint32_t id, struct judge_clock *clock) {
    const struct server_event *event = handle_object(&judge->server->events, id);
    const struct judge_event *noted = event->judged;
    if (noted != NULL && noted->recording == judge->recording.number)
        join(clock, &noted->after);
}

void judge_order_host_waits(struct judge *judge, uint32_t stream) {
    struct judge_lane *lane = judge->recording.on ? lane_of(judge, stream) : NULL;
    if (lane == NULL)
        return;
    struct judge_clock clock = clock_of(judge, lane);
    join(&judge->recording.host, &clock);
}

static void host_waits_for_all(struct judge *judge) {
    for (uint32_t i = 0; i < judge->recording.lane_count; i++)
        join(&judge->recording.host, &judge->recording.lanes[i].clock);
}

static void note_wait(struct judge *judge, const struct request_synchronise *request) {
    switch (request->what) {
    case PROTOCOL_WAIT_STREAM: judge_order_host_waits(judge, request->id); break;
    case PROTOCOL_WAIT_EVENT: join_event(judge, request->id, &judge->recording.host); break;
    default: host_waits_for_all(judge);
    }
}

void judge_order_note(struct judge *judge, uint32_t operation, const void *request) {
    const struct request_pair *pair = request;
    struct judge_lane *lane;
    if (!judge->recording.on)
        return;
    switch (operation) {
    case PROTOCOL_EVENT_RECORD: note_event(judge, pair->first, pair->second); break;
    case PROTOCOL_STREAM_WAIT:
        if ((lane = lane_of(judge, pair->first)) != NULL)
            join_event(judge, pair->second, &lane->clock);
        break;
    case PROTOCOL_SYNCHRONISE: note_wait(judge, request); break;
    case PROTOCOL_FREE:
        if (!((const struct request_free *)request)->ordered)
            host_waits_for_all(judge);
        break;
    default: break;
    }
}

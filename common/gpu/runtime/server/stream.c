/* stream.c: streams and events: a number, and a clock of the timeline. */
#include "gpu/runtime/server/server.h"

#include <stdlib.h>

bool server_stream(struct server *server, uint32_t id, struct timeline_stream **stream, struct reply *reply) {
    *stream = id ? handle_object(&server->streams, id) : NULL;
    if (id && *stream == NULL)
        reply->error = ERROR_INVALID_HANDLE;
    return id == 0 || *stream != NULL;
}

static struct server_event *event_of(struct server *server, uint32_t id, struct reply *reply) {
    struct server_event *event = handle_object(&server->events, id);
    if (event == NULL)
        reply->error = ERROR_INVALID_HANDLE;
    return event;
}

static void reply_new(struct handles *handles, void *object, struct reply *reply) {
    uint32_t id = object != NULL ? handle_new(handles, object) : 0;
    if (!id) {
        free(object);
        reply->error = ERROR_MEMORY_ALLOCATION;
        return;
    }
    server_reply_value(reply, id);
}

HANDLER(STREAM_CREATE, request_stream_create) {
    struct timeline_stream *stream = calloc(1, sizeof *stream);
    if (stream != NULL)
        *stream = (struct timeline_stream){
            .non_blocking = request->flags & 1, .flags = request->flags, .priority = request->priority};
    reply_new(&server->streams, stream, reply);
}

HANDLER(STREAM_DESTROY, request_id) {
    struct timeline_stream *stream = request->id > 1 ? handle_release(&server->streams, request->id) : NULL;
    if (stream == NULL)
        reply->error = ERROR_INVALID_HANDLE;
    free(stream);
}

HANDLER(STREAM_INFO, request_id) {
    struct timeline_stream *stream;
    if (!server_stream(server, request->id, &stream, reply))
        return;
    struct reply_stream *answer = server_reply_bytes(reply, sizeof *answer);
    if (answer != NULL && stream != NULL)
        *answer = (struct reply_stream){stream->flags, stream->priority};
}

HANDLER(STREAM_WAIT, request_pair) {
    struct timeline_stream *stream;
    struct server_event *event = event_of(server, request->second, reply);
    if (event == NULL || !server_stream(server, request->first, &stream, reply))
        return;
    timeline_host_spends(&server->timeline, server->options.model->host_event_us);
    if (event->recorded)
        timeline_stream_wait(&server->timeline, stream, event->time);
}

HANDLER(EVENT_CREATE, request_id) {
    struct server_event *event = calloc(1, sizeof *event);
    if (event != NULL)
        event->flags = request->id;
    reply_new(&server->events, event, reply);
}

HANDLER(EVENT_DESTROY, request_id) {
    struct server_event *event = handle_release(&server->events, request->id);
    if (event == NULL)
        reply->error = ERROR_INVALID_HANDLE;
    else
        free(event->order);
    free(event);
}

HANDLER(EVENT_RECORD, request_pair) {
    struct timeline_stream *stream;
    struct server_event *event = event_of(server, request->first, reply);
    if (event == NULL || !server_stream(server, request->second, &stream, reply))
        return;
    timeline_host_spends(&server->timeline, server->options.model->host_event_us);
    event->recorded = true;
    event->time = timeline_begin(&server->timeline, stream);
}

HANDLER(EVENT_ELAPSED, request_pair) {
    enum { DISABLE_TIMING = 2 };
    const struct server_event *first = event_of(server, request->first, reply);
    const struct server_event *second = event_of(server, request->second, reply);
    if (first == NULL || second == NULL)
        return;
    if (!first->recorded || !second->recorded || ((first->flags | second->flags) & DISABLE_TIMING)) {
        reply->error = ERROR_INVALID_HANDLE;
        return;
    }
    struct reply_elapsed *answer = server_reply_bytes(reply, sizeof *answer);
    if (answer != NULL)
        answer->milliseconds = (second->time - first->time) / 1e3;
}

HANDLER(SYNCHRONISE, request_synchronise) {
    struct timeline_stream *stream;
    const struct server_event *event = NULL;
    double time = server->timeline.last;
    if (request->what == PROTOCOL_WAIT_STREAM) {
        if (!server_stream(server, request->id, &stream, reply))
            return;
        time = timeline_begin(&server->timeline, stream);
    } else if (request->what == PROTOCOL_WAIT_EVENT) {
        if ((event = event_of(server, request->id, reply)) == NULL)
            return;
        time = event->recorded ? event->time : 0;
    } else if (request->what == PROTOCOL_HOST_FUNCTION) {
        (void)server_stream(server, request->id, &stream, reply);
        return;
    } else if (request->what != PROTOCOL_WAIT_DEVICE) {
        reply->error = ERROR_INVALID_VALUE;
        return;
    }
    /* A query answers that all work is done. In a recorded call it takes the time of that work. */
    if (!request->query || server->queries_wait)
        timeline_host_wait(&server->timeline, time);
}

/* capture.c: stream capture: work given to captured streams becomes nodes of a graph. A stream's next
 * node comes after its last one, and after what the stream has waited for. */
#include "gpu/runtime/client/graph.h"

#include <stdlib.h>
#include <string.h>

enum { LANES = 64 };

struct captured_stream {
    uint32_t id;
    struct node_set last; /* what its next node comes after */
};

struct captured_event {
    uint32_t id; /* the program's number; 0: recorded again outside the capture */
    struct node_set at;
};

struct client_capture {
    struct graph *graph;
    bool valid;
    uint32_t stream_count;
    struct captured_stream streams[LANES]; /* the capture began on the first */
    struct captured_event *events;
    uint32_t event_count, event_capacity;
};

static struct captured_stream *stream_of(struct client_capture *capture, uint32_t id) {
    for (uint32_t i = 0; capture != NULL && i < capture->stream_count; i++)
        if (capture->streams[i].id == id)
            return &capture->streams[i];
    return NULL;
}

static struct captured_event *event_of(struct client_capture *capture, uint32_t id) {
    for (uint32_t i = 0; i < capture->event_count; i++)
        if (capture->events[i].id == id)
            return &capture->events[i];
    return NULL;
}

bool client_graph_captures(const struct client *client, uint32_t stream) {
    return stream_of(client->capture, stream) != NULL;
}

static void end_capture(struct client *client) {
    struct client_capture *capture = client->capture;
    for (uint32_t i = 0; i < capture->stream_count; i++)
        node_set_free(&capture->streams[i].last);
    for (uint32_t i = 0; i < capture->event_count; i++)
        node_set_free(&capture->events[i].at);
    free(capture->events);
    free(capture);
    client->capture = NULL;
}

/* An error makes the capture void. */
static cudaError_t answer(struct client_capture *capture, cudaError_t error) {
    if (error != cudaSuccess)
        capture->valid = false;
    return error;
}

/* Adds a node to a captured stream; takes over its work. `made`: whether there is any. */
static cudaError_t take(struct client *client, uint32_t stream, struct node_work *work, cudaError_t made) {
    struct client_capture *capture = client->capture;
    struct captured_stream *on = stream_of(capture, stream);
    struct graph_node *node = NULL;
    if (made != cudaSuccess || !capture->valid) {
        node_work_free(client, work);
        return answer(capture, made != cudaSuccess ? made : cudaErrorStreamCaptureInvalidated);
    }
    cudaError_t error = graph_add(client, capture->graph, on->last.nodes, on->last.count, work, &node);
    on->last.count = 0;
    return answer(capture, error == cudaSuccess ? node_set_add(&on->last, node) : error);
}

cudaError_t client_graph_takes_copy(struct client *client, const struct client_copy *copy) {
    struct node_work work = {
        .type = NODE_COPY,
        .site = copy->site,
        .as.copy = {.from = {(void *)(uintptr_t)copy->from, copy->from_pitch, copy->width, copy->height},
                    .to = {(void *)(uintptr_t)copy->to, copy->to_pitch, copy->width, copy->height},
                    .extent = {copy->width, copy->height, 1},
                    .kind = copy->kind}};
    return take(client, copy->stream, &work, cudaSuccess);
}

cudaError_t client_graph_takes_host(struct client *client, uint32_t stream, void (*function)(void *),
                                    void *data) {
    struct node_work work = {.type = NODE_HOST, .as.host = {function, data}};
    return take(client, stream, &work, function != NULL ? cudaSuccess : cudaErrorStreamCaptureUnsupported);
}

cudaError_t client_graph_takes_memory(struct client *client, uint32_t stream, void **pointer, size_t bytes) {
    struct node_work work = {.type = NODE_EMPTY};
    cudaError_t made =
        pointer != NULL ? node_memory_work(client, pointer, bytes, &work) : cudaErrorInvalidValue;
    return take(client, stream, &work, made);
}

cudaError_t client_graph_takes_free(struct client *client, uint32_t stream, void *pointer) {
    struct node_work work = {.type = NODE_FREE, .as.freed = pointer};
    return take(client, stream, &work, node_memory_at(client, pointer) ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t client_graph_takes_graph(struct client *client, uint32_t stream, const struct graph *graph) {
    struct node_work work = {.type = NODE_EMPTY};
    cudaError_t made = node_child_work(client, graph, &work);
    return take(client, stream, &work, made);
}

static cudaError_t take_launch(struct client *client, const struct request_launch *request,
                               const uint8_t *arguments) {
    struct node_work work = {.type = NODE_EMPTY};
    const struct cuda_kernel *kernel = client->kernels;
    while (kernel != NULL && !(kernel->known && kernel->info.id == request->kernel))
        kernel = kernel->next;
    cudaError_t made =
        kernel != NULL ? node_kernel_work(kernel, request, arguments, &work) : cudaErrorInvalidDeviceFunction;
    return take(client, request->stream, &work, made);
}

static cudaError_t take_fill(struct client *client, const struct request_fill *request) {
    struct node_work work = {.type = NODE_FILL,
                             .site = request->site,
                             .as.fill = {(void *)(uintptr_t)request->address, request->pitch,
                                         request->value & 0xff, 1, request->width, request->height}};
    return take(client, request->stream, &work, cudaSuccess);
}

/* A second record of the same event is another event. */
static cudaError_t record(struct client_capture *capture, uint32_t id, const struct node_set *at) {
    struct captured_event *event = event_of(capture, id);
    if (event == NULL && capture->event_count == capture->event_capacity) {
        uint32_t capacity = capture->event_capacity > 0 ? 2 * capture->event_capacity : 16;
        struct captured_event *larger = realloc(capture->events, capacity * sizeof *larger);
        if (larger == NULL)
            return cudaErrorMemoryAllocation;
        capture->events = larger;
        capture->event_capacity = capacity;
    }
    if (event == NULL) {
        event = &capture->events[capture->event_count++];
        *event = (struct captured_event){.id = id};
    }
    event->at.count = 0;
    return node_set_add_all(&event->at, at);
}

/* A stream that waits for an event of the capture joins the capture. */
static cudaError_t wait_for(struct client_capture *capture, uint32_t stream,
                            const struct captured_event *event) {
    struct captured_stream *on = stream_of(capture, stream);
    if (event == NULL)
        return cudaErrorStreamCaptureIsolation;
    if (on == NULL && capture->stream_count == LANES)
        return cudaErrorNotSupported;
    if (on == NULL) {
        on = &capture->streams[capture->stream_count++];
        *on = (struct captured_stream){.id = stream};
    }
    return node_set_add_all(&on->last, &event->at);
}

static cudaError_t take_wait(struct client_capture *capture, const struct request_synchronise *wait) {
    if (wait->what == PROTOCOL_WAIT_STREAM && stream_of(capture, wait->id) == NULL)
        return cudaSuccess;
    if (wait->what == PROTOCOL_WAIT_EVENT)
        return event_of(capture, wait->id) == NULL ? cudaSuccess : cudaErrorCapturedEvent;
    return cudaErrorStreamCaptureUnsupported;
}

/* Whether a request is of a captured stream. The default stream would wait for it: *error. */
static bool is_captured(struct client_capture *capture, uint32_t stream, cudaError_t *error) {
    if (stream_of(capture, stream) != NULL)
        return true;
    if (stream == 0)
        *error = answer(capture, cudaErrorStreamCaptureImplicit);
    return false;
}

bool client_graph_takes(struct client *client, enum protocol_operation operation, const void *request,
                        const void *tail, cudaError_t *error) {
    struct client_capture *capture = client->capture;
    const struct request_pair *pair = request;
    *error = cudaSuccess;
    if (capture == NULL)
        return false;
    switch (operation) {
    case PROTOCOL_LAUNCH:
        if (is_captured(capture, ((const struct request_launch *)request)->stream, error))
            *error = take_launch(client, request, tail);
        else
            return *error != cudaSuccess;
        return true;
    case PROTOCOL_FILL:
        if (is_captured(capture, ((const struct request_fill *)request)->stream, error))
            *error = take_fill(client, request);
        else
            return *error != cudaSuccess;
        return true;
    case PROTOCOL_COPY: /* those of captured streams are taken before */
        (void)is_captured(capture, ((const struct request_copy *)request)->stream, error);
        return *error != cudaSuccess;
    case PROTOCOL_EVENT_RECORD: {
        struct captured_stream *on = stream_of(capture, pair->second);
        struct captured_event *event = event_of(capture, pair->first);
        if (on == NULL && event != NULL)
            event->id = 0;
        if (on != NULL)
            *error = answer(capture, record(capture, pair->first, &on->last));
        return on != NULL;
    }
    case PROTOCOL_STREAM_WAIT: {
        const struct captured_event *event = event_of(capture, pair->second);
        if (event == NULL && stream_of(capture, pair->first) == NULL)
            return false;
        *error = answer(capture, wait_for(capture, pair->first, event));
        return true;
    }
    case PROTOCOL_SYNCHRONISE:
        *error = answer(capture, take_wait(capture, request));
        return *error != cudaSuccess;
    case PROTOCOL_ALLOCATE:
    case PROTOCOL_ALLOCATE_SHARED:
    case PROTOCOL_FREE:
        capture->valid = false;
        client_say("memory is allocated or freed during a stream capture: in a graph only "
                   "cudaMallocAsync and cudaFreeAsync on the captured stream can do so");
        *error = cudaErrorStreamCaptureUnsupported;
        return true;
    default: return false;
    }
}

/* ---- functions of the runtime */

API cudaError_t cudaStreamBeginCapture(cudaStream_t stream, int mode) {
    uint32_t id;
    if (!client_stream_id(stream, &id))
        return client_finish(cudaErrorInvalidResourceHandle);
    if (id <= 1) /* a default stream */
        return client_finish(cudaErrorStreamCaptureUnsupported);
    if (mode < 0 || mode > 2)
        return client_finish(cudaErrorInvalidValue);
    WITH_DEVICE({
        struct client_capture *capture = calloc(1, sizeof *capture);
        struct graph *graph = graph_new();
        if (client->capture != NULL)
            error = client_graph_captures(client, id) ? cudaErrorIllegalState : cudaErrorNotSupported;
        else if (capture == NULL || graph == NULL)
            error = cudaErrorMemoryAllocation;
        if (error == cudaErrorNotSupported)
            client_say("two stream captures at once are not simulated");
        if (error != cudaSuccess || capture == NULL || graph == NULL) {
            free(capture);
            free(graph);
        } else {
            *capture = (struct client_capture){.graph = graph, .valid = true, .stream_count = 1};
            capture->streams[0].id = id;
            client->capture = capture;
        }
    });
}

/* Whether every node comes before the end of the first stream. Nodes are in order. */
static bool is_joined(const struct client_capture *capture) {
    const struct node_set *nodes = &capture->graph->nodes, *last = &capture->streams[0].last;
    for (uint32_t i = 0; i < nodes->count; i++)
        nodes->nodes[i]->mark = node_set_has(last, nodes->nodes[i]);
    for (uint32_t i = nodes->count; i-- > 0;) {
        if (!nodes->nodes[i]->mark)
            return false;
        for (uint32_t j = 0; j < nodes->nodes[i]->before.count; j++)
            nodes->nodes[i]->before.nodes[j]->mark = 1;
    }
    return true;
}

API cudaError_t cudaStreamEndCapture(cudaStream_t stream, struct graph **graph) {
    uint32_t id;
    if (!client_stream_id(stream, &id))
        return client_finish(cudaErrorInvalidResourceHandle);
    if (graph == NULL)
        return client_finish(cudaErrorInvalidValue);
    *graph = NULL;
    WITH_DEVICE({
        struct client_capture *capture = client->capture;
        if (capture == NULL || !client_graph_captures(client, id)) {
            error = cudaErrorIllegalState;
        } else if (capture->streams[0].id != id) {
            error = answer(capture, cudaErrorStreamCaptureUnmatched);
        } else {
            error = !capture->valid       ? cudaErrorStreamCaptureInvalidated
                    : !is_joined(capture) ? cudaErrorStreamCaptureUnjoined
                                          : cudaSuccess;
            struct graph *made = capture->graph;
            end_capture(client);
            if (error == cudaSuccess)
                *graph = made;
            else
                graph_free(client, made);
        }
    });
}

API cudaError_t cudaStreamIsCapturing(cudaStream_t stream, int *status) {
    enum { NONE, ACTIVE, INVALIDATED };
    uint32_t id;
    if (status == NULL)
        return client_finish(cudaErrorInvalidValue);
    if (!client_stream_id(stream, &id))
        return client_finish(cudaErrorInvalidResourceHandle);
    struct request_id request = {id};
    *status = NONE;
    WITH_DEVICE({
        error = CLIENT_CALL(client, PROTOCOL_STREAM_INFO, request, NULL, 0);
        if (client_graph_captures(client, id))
            *status = client->capture->valid ? ACTIVE : INVALIDATED;
    });
}

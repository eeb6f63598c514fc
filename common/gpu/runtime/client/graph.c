/* graph.c: stores a capture as a list of requests, ordered by streams and events; launches it. */
#include "gpu/runtime/client/client.h"

#include <stdlib.h>
#include <string.h>

enum { LANES = 16 };

/* For each stream, how much of its work, in order of issue, comes before a point. */
struct progress {
    uint32_t before[LANES];
};

/* A stored request. Streams and events are numbered in the order in which the capture met them. */
struct entry {
    enum protocol_operation operation;
    uint32_t lane, event;
    size_t request_bytes, tail_bytes;
    uint8_t *bytes; /* the request, then its tail */
};

struct captured_event {
    uint32_t id; /* the program's number; 0: recorded again outside the capture */
    struct progress at;
};

struct graph {
    unsigned references; /* its handle's, and those of graphs made from it */
    uint32_t lane_count, stream[LANES];
    struct progress progress[LANES]; /* at the end of each stream */
    struct captured_event *events;
    uint32_t event_count, event_capacity;
    struct entry *entries;
    uint32_t count, capacity;
};

struct client_capture {
    struct graph *graph;
    bool valid;
};

struct graph_exec {
    struct graph *graph;
    uint32_t stream[LANES]; /* numbers of the simulated GPU; the first is the launch's stream */
    uint32_t *events;
};

static void release(struct graph *graph) {
    if (graph == NULL || --graph->references > 0)
        return;
    for (uint32_t i = 0; i < graph->count; i++)
        free(graph->entries[i].bytes);
    free(graph->entries);
    free(graph->events);
    free(graph);
}

static int lane_of(const struct graph *graph, uint32_t stream) {
    for (uint32_t i = 0; i < graph->lane_count; i++)
        if (graph->stream[i] == stream)
            return (int)i;
    return -1;
}

bool client_graph_captures(const struct client *client, uint32_t stream) {
    return client->capture != NULL && lane_of(client->capture->graph, stream) >= 0;
}

static int event_of(const struct graph *graph, uint32_t id) {
    for (uint32_t i = 0; i < graph->event_count; i++)
        if (graph->events[i].id == id)
            return (int)i;
    return -1;
}

cudaError_t client_graph_refuses(struct client *client, const char *what) {
    client->capture->valid = false;
    client_say(
        "%s in a stream capture: graphs are simulated of kernels, copies of device and pinned memory, and "
        "memsets",
        what);
    return cudaErrorNotSupported;
}

/* ---- what a capture stores */

static cudaError_t add(struct graph *graph, const struct entry *like, const void *request, const void *tail) {
    if (graph->count == graph->capacity) {
        uint32_t capacity = graph->capacity > 0 ? 2 * graph->capacity : 64;
        struct entry *larger = realloc(graph->entries, capacity * sizeof *larger);
        if (larger == NULL)
            return cudaErrorMemoryAllocation;
        graph->entries = larger;
        graph->capacity = capacity;
    }
    struct entry *entry = &graph->entries[graph->count];
    *entry = *like;
    entry->bytes = malloc(like->request_bytes + like->tail_bytes);
    if (entry->bytes == NULL)
        return cudaErrorMemoryAllocation;
    memcpy(entry->bytes, request, like->request_bytes);
    if (like->tail_bytes > 0)
        memcpy(entry->bytes + like->request_bytes, tail, like->tail_bytes);
    graph->count++;
    graph->progress[like->lane].before[like->lane]++;
    return cudaSuccess;
}

/* Index of an event that is recorded. A second record of the same event is another event. */
static int new_event(struct graph *graph, uint32_t id) {
    int old = event_of(graph, id);
    if (graph->event_count == graph->event_capacity) {
        uint32_t capacity = graph->event_capacity > 0 ? 2 * graph->event_capacity : 64;
        struct captured_event *larger = realloc(graph->events, capacity * sizeof *larger);
        if (larger == NULL)
            return -1;
        graph->events = larger;
        graph->event_capacity = capacity;
    }
    if (old >= 0)
        graph->events[old].id = 0;
    graph->events[graph->event_count] = (struct captured_event){.id = id};
    return (int)graph->event_count++;
}

static cudaError_t record(struct graph *graph, const struct request_pair *pair) {
    int lane = lane_of(graph, pair->second), event = new_event(graph, pair->first);
    if (event < 0)
        return cudaErrorMemoryAllocation;
    struct entry entry = {.operation = PROTOCOL_EVENT_RECORD,
                          .lane = (uint32_t)lane,
                          .event = (uint32_t)event,
                          .request_bytes = sizeof *pair};
    cudaError_t error = add(graph, &entry, pair, NULL);
    graph->events[event].at = graph->progress[lane];
    return error;
}

/* A stream that waits for an event of the capture joins the capture. */
static cudaError_t wait_for(struct graph *graph, const struct request_pair *pair, int event) {
    int lane = lane_of(graph, pair->first);
    if (event < 0)
        return cudaErrorStreamCaptureIsolation;
    if (lane < 0 && graph->lane_count == LANES)
        return cudaErrorNotSupported;
    if (lane < 0) {
        lane = (int)graph->lane_count++;
        graph->stream[lane] = pair->first;
    }
    struct progress *own = &graph->progress[lane];
    for (unsigned i = 0; i < LANES; i++)
        if (own->before[i] < graph->events[event].at.before[i])
            own->before[i] = graph->events[event].at.before[i];
    struct entry entry = {.operation = PROTOCOL_STREAM_WAIT,
                          .lane = (uint32_t)lane,
                          .event = (uint32_t)event,
                          .request_bytes = sizeof *pair};
    return add(graph, &entry, pair, NULL);
}

static bool stream_of(enum protocol_operation operation, const void *request, uint32_t *stream) {
    switch (operation) {
    case PROTOCOL_LAUNCH: *stream = ((const struct request_launch *)request)->stream; return true;
    case PROTOCOL_COPY: *stream = ((const struct request_copy *)request)->stream; return true;
    case PROTOCOL_FILL: *stream = ((const struct request_fill *)request)->stream; return true;
    default: return false;
    }
}

static cudaError_t take_work(struct client *client, const struct entry *entry, const void *request,
                             const void *tail) {
    const struct request_copy *copy = request;
    if (entry->operation == PROTOCOL_COPY && copy->blocking)
        return cudaErrorStreamCaptureUnsupported;
    if (entry->operation == PROTOCOL_COPY && (copy->to == 0 || copy->from == 0))
        return client_graph_refuses(client, "a copy of pageable memory (cudaMallocHost has pinned)");
    return add(client->capture->graph, entry, request, tail);
}

static cudaError_t take_wait(const struct graph *graph, const struct request_synchronise *wait) {
    if (wait->what == PROTOCOL_WAIT_STREAM && lane_of(graph, wait->id) < 0)
        return cudaSuccess;
    if (wait->what == PROTOCOL_WAIT_EVENT)
        return event_of(graph, wait->id) < 0 ? cudaSuccess : cudaErrorCapturedEvent;
    return cudaErrorStreamCaptureUnsupported;
}

bool client_graph_takes(struct client *client, enum protocol_operation operation, const void *request,
                        size_t request_bytes, const void *tail, size_t tail_bytes, cudaError_t *error) {
    struct client_capture *capture = client->capture;
    struct graph *graph = capture != NULL ? capture->graph : NULL;
    const struct request_pair *pair = request;
    uint32_t stream = 0;
    *error = cudaSuccess;
    if (capture == NULL)
        return false;
    struct entry entry = {.operation = operation, .request_bytes = request_bytes, .tail_bytes = tail_bytes};
    if (stream_of(operation, request, &stream)) {
        int lane = lane_of(graph, stream);
        if (lane < 0 && stream != 0)
            return false;
        entry.lane = (uint32_t)lane;
        *error = lane < 0         ? cudaErrorStreamCaptureImplicit /* the default stream would wait for it */
                 : capture->valid ? take_work(client, &entry, request, tail)
                                  : cudaErrorStreamCaptureInvalidated;
    } else if (operation == PROTOCOL_EVENT_RECORD) {
        int event = event_of(graph, pair->first);
        if (lane_of(graph, pair->second) < 0) {
            if (event >= 0)
                graph->events[event].id = 0;
            return false;
        }
        *error = record(graph, pair);
    } else if (operation == PROTOCOL_STREAM_WAIT) {
        int event = event_of(graph, pair->second);
        if (event < 0 && lane_of(graph, pair->first) < 0)
            return false;
        *error = wait_for(graph, pair, event);
    } else if (operation == PROTOCOL_SYNCHRONISE) {
        *error = take_wait(graph, request);
        if (*error == cudaSuccess)
            return false;
    } else if (operation == PROTOCOL_ALLOCATE || operation == PROTOCOL_ALLOCATE_SHARED ||
               operation == PROTOCOL_FREE) {
        *error = client_graph_refuses(client, "an allocation, or memory freed,");
    } else {
        return false;
    }
    if (*error != cudaSuccess)
        capture->valid = false;
    return true;
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
        struct graph *graph = calloc(1, sizeof *graph);
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
            *graph = (struct graph){.references = 1, .lane_count = 1, .stream = {id}};
            *capture = (struct client_capture){graph, true};
            client->capture = capture;
        }
    });
}

/* Whether all captured work comes before the end of the first stream. */
static bool is_joined(const struct graph *graph) {
    for (uint32_t i = 0; i < graph->lane_count; i++)
        if (graph->progress[0].before[i] < graph->progress[i].before[i])
            return false;
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
        } else if (capture->graph->stream[0] != id) {
            capture->valid = false;
            error = cudaErrorStreamCaptureUnmatched;
        } else {
            error = !capture->valid              ? cudaErrorStreamCaptureInvalidated
                    : !is_joined(capture->graph) ? cudaErrorStreamCaptureUnjoined
                                                 : cudaSuccess;
            client->capture = NULL;
            if (error == cudaSuccess)
                *graph = capture->graph;
            else
                release(capture->graph);
            free(capture);
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

static void destroy_exec(struct client *client, struct graph_exec *exec) {
    for (uint32_t i = 1; i < exec->graph->lane_count; i++) {
        struct request_id id = {exec->stream[i]};
        if (id.id != 0)
            (void)CLIENT_CALL(client, PROTOCOL_STREAM_DESTROY, id, NULL, 0);
    }
    for (uint32_t i = 0; exec->events != NULL && i < exec->graph->event_count; i++) {
        struct request_id id = {exec->events[i]};
        if (id.id != 0)
            (void)CLIENT_CALL(client, PROTOCOL_EVENT_DESTROY, id, NULL, 0);
    }
    free(exec->events);
    release(exec->graph);
    free(exec);
}

/* Makes a graph's own streams and events, so that those of the capture may be destroyed. */
static cudaError_t make_exec(struct client *client, struct graph *graph, struct graph_exec **made) {
    enum { NON_BLOCKING = 1, DISABLE_TIMING = 2 };
    struct graph_exec *exec = calloc(1, sizeof *exec);
    cudaError_t error = cudaSuccess;
    if (exec == NULL)
        return cudaErrorMemoryAllocation;
    exec->graph = graph;
    graph->references++;
    exec->events = calloc(graph->event_count + 1, sizeof *exec->events);
    if (exec->events == NULL)
        error = cudaErrorMemoryAllocation;
    for (uint32_t i = 1; error == cudaSuccess && i < graph->lane_count; i++) {
        struct request_stream_create request = {NON_BLOCKING, 0};
        struct reply_value id = {0};
        error = CLIENT_CALL(client, PROTOCOL_STREAM_CREATE, request, &id, sizeof id);
        exec->stream[i] = (uint32_t)id.value;
    }
    for (uint32_t i = 0; error == cudaSuccess && i < graph->event_count; i++) {
        struct request_id request = {DISABLE_TIMING};
        struct reply_value id = {0};
        error = CLIENT_CALL(client, PROTOCOL_EVENT_CREATE, request, &id, sizeof id);
        exec->events[i] = (uint32_t)id.value;
    }
    if (error == cudaSuccess)
        *made = exec;
    else
        destroy_exec(client, exec);
    return error;
}

static cudaError_t instantiate(struct graph_exec **exec, struct graph *graph, unsigned long long flags) {
    if (exec == NULL || graph == NULL)
        return client_finish(cudaErrorInvalidValue);
    *exec = NULL;
    WITH_DEVICE({
        if (flags != 0) {
            client_say("flags %llu of a graph are not simulated", flags);
            error = cudaErrorNotSupported;
        } else {
            error = make_exec(client, graph, exec);
        }
    });
}

#if CUDART_MAJOR < 12
API cudaError_t cudaGraphInstantiate(struct graph_exec **exec, struct graph *graph, void **error_node,
                                     char *log, size_t log_bytes) {
    if (error_node != NULL)
        *error_node = NULL;
    if (log != NULL && log_bytes > 0)
        log[0] = '\0';
    return instantiate(exec, graph, 0);
}
#else
API cudaError_t cudaGraphInstantiate(struct graph_exec **exec, struct graph *graph,
                                     unsigned long long flags) {
    return instantiate(exec, graph, flags);
}
#endif

API cudaError_t cudaGraphInstantiateWithFlags(struct graph_exec **exec, struct graph *graph,
                                              unsigned long long flags) {
    return instantiate(exec, graph, flags);
}

API cudaError_t cudaGraphDestroy(struct graph *graph) {
    struct client *client = client_acquire();
    cudaError_t error = graph != NULL ? cudaSuccess : cudaErrorInvalidValue;
    release(graph);
    client_release(client);
    return client_finish(error);
}

API cudaError_t cudaGraphExecDestroy(struct graph_exec *exec) {
    if (exec == NULL)
        return client_finish(cudaErrorInvalidValue);
    WITH_DEVICE(destroy_exec(client, exec));
}

/* ---- a launch */

static cudaError_t send_entry(struct client *client, const struct graph_exec *exec, const struct entry *entry,
                              uint32_t stream) {
    union {
        struct request_launch launch;
        struct request_copy copy;
        struct request_fill fill;
        struct request_pair pair;
    } request;
    struct reply_value done;
    memcpy(&request, entry->bytes, entry->request_bytes);
    switch (entry->operation) {
    case PROTOCOL_LAUNCH:
        request.launch.stream = stream;
        return client_call(client, PROTOCOL_LAUNCH, &request.launch, sizeof request.launch,
                           entry->bytes + entry->request_bytes, entry->tail_bytes, NULL, 0);
    case PROTOCOL_COPY:
        request.copy.stream = stream;
        return CLIENT_CALL(client, PROTOCOL_COPY, request.copy, &done, sizeof done);
    case PROTOCOL_FILL:
        request.fill.stream = stream;
        return CLIENT_CALL(client, PROTOCOL_FILL, request.fill, NULL, 0);
    case PROTOCOL_EVENT_RECORD:
        request.pair = (struct request_pair){exec->events[entry->event], stream};
        return CLIENT_CALL(client, PROTOCOL_EVENT_RECORD, request.pair, NULL, 0);
    default:
        request.pair = (struct request_pair){stream, exec->events[entry->event]};
        return CLIENT_CALL(client, PROTOCOL_STREAM_WAIT, request.pair, NULL, 0);
    }
}

API cudaError_t cudaGraphLaunch(struct graph_exec *exec, cudaStream_t stream) {
    uint32_t id;
    if (exec == NULL)
        return client_finish(cudaErrorInvalidValue);
    if (!client_stream_id(stream, &id))
        return client_finish(cudaErrorInvalidResourceHandle);
    WITH_DEVICE({
        struct request_id on = {1}, off = {0};
        if (client_graph_captures(client, id))
            error = client_graph_refuses(client, "the launch of a graph");
        else
            error = CLIENT_CALL(client, PROTOCOL_GRAPH, on, NULL, 0);
        for (uint32_t i = 0; error == cudaSuccess && i < exec->graph->count; i++) {
            const struct entry *entry = &exec->graph->entries[i];
            error = send_entry(client, exec, entry, entry->lane == 0 ? id : exec->stream[entry->lane]);
        }
        (void)CLIENT_CALL(client, PROTOCOL_GRAPH, off, NULL, 0);
    });
}

/* On hardware this brings the graph to the device, where it already is here. */
API cudaError_t cudaGraphUpload(struct graph_exec *exec, cudaStream_t stream) {
    uint32_t id;
    if (exec == NULL)
        return client_finish(cudaErrorInvalidValue);
    if (!client_stream_id(stream, &id))
        return client_finish(cudaErrorInvalidResourceHandle);
    return cudaSuccess;
}

/* stream.c: streams, events, host callbacks, synchronisation. Work runs when it is issued, in
 * order. A stream only decides the work's place in the modelled timeline. */
#include "gpu/runtime/client/client.h"

#include <string.h>

enum { STREAM_NON_BLOCKING = 1, EVENT_FLAGS = 1 | 2 | 4, GREATEST_PRIORITY = -5 };

static cudaError_t create_stream(cudaStream_t *stream, unsigned flags, int priority) {
    if (stream == NULL || (flags & ~(unsigned)STREAM_NON_BLOCKING))
        return client_finish(cudaErrorInvalidValue);
    /* The driver clamps a priority to its range. */
    priority = priority > 0 ? 0 : priority < GREATEST_PRIORITY ? GREATEST_PRIORITY : priority;
    struct request_stream_create request = {flags, priority};
    struct reply_value id;
    WITH_DEVICE({
        error = CLIENT_CALL(client, PROTOCOL_STREAM_CREATE, request, &id, sizeof id);
        if (error == cudaSuccess)
            *stream = client_stream_handle((uint32_t)id.value);
    });
}

API cudaError_t cudaStreamCreate(cudaStream_t *stream) {
    return create_stream(stream, 0, 0);
}

API cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags) {
    return create_stream(stream, flags, 0);
}

API cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned flags, int priority) {
    return create_stream(stream, flags, priority);
}

/* Sends a request that names one stream. */
static cudaError_t stream_request(cudaStream_t stream, enum protocol_operation operation, void *answer,
                                  size_t bytes) {
    struct request_id request;
    if (!client_stream_id(stream, &request.id))
        return client_finish(cudaErrorInvalidResourceHandle);
    WITH_DEVICE(error = CLIENT_CALL(client, operation, request, answer, bytes));
}

API cudaError_t cudaStreamDestroy(cudaStream_t stream) {
    return stream_request(stream, PROTOCOL_STREAM_DESTROY, NULL, 0);
}

API cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned *flags) {
    struct reply_stream info = {0};
    if (flags == NULL)
        return client_finish(cudaErrorInvalidValue);
    cudaError_t error = stream_request(stream, PROTOCOL_STREAM_INFO, &info, sizeof info);
    if (error == cudaSuccess)
        *flags = info.flags;
    return error;
}

API cudaError_t cudaStreamGetPriority(cudaStream_t stream, int *priority) {
    struct reply_stream info = {0};
    if (priority == NULL)
        return client_finish(cudaErrorInvalidValue);
    cudaError_t error = stream_request(stream, PROTOCOL_STREAM_INFO, &info, sizeof info);
    if (error == cudaSuccess)
        *priority = info.priority;
    return error;
}

API cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long *id) {
    uint32_t number;
    if (id == NULL)
        return client_finish(cudaErrorInvalidValue);
    cudaError_t error = stream_request(stream, PROTOCOL_STREAM_INFO, NULL, 0);
    if (error == cudaSuccess && client_stream_id(stream, &number))
        *id = number + 1ull;
    return error;
}

API cudaError_t cudaStreamGetDevice(cudaStream_t stream, int *device) {
    if (device == NULL)
        return client_finish(cudaErrorInvalidValue);
    *device = 0;
    return stream_request(stream, PROTOCOL_STREAM_INFO, NULL, 0);
}

API cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest) {
    if (least != NULL)
        *least = 0;
    if (greatest != NULL)
        *greatest = GREATEST_PRIORITY;
    return cudaSuccess;
}

static cudaError_t synchronise(enum protocol_wait what, uint32_t id, bool query) {
    struct request_synchronise request = {what, id, query};
    WITH_DEVICE({
        error = CLIENT_CALL(client, PROTOCOL_SYNCHRONISE, request, NULL, 0);
        client_flush_output(client);
    });
}

API cudaError_t cudaDeviceSynchronize(void) {
    return synchronise(PROTOCOL_WAIT_DEVICE, 0, false);
}

API cudaError_t cudaThreadSynchronize(void) {
    return cudaDeviceSynchronize();
}

API cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
    uint32_t id;
    if (!client_stream_id(stream, &id))
        return client_finish(cudaErrorInvalidResourceHandle);
    return synchronise(PROTOCOL_WAIT_STREAM, id, false);
}

API cudaError_t cudaStreamQuery(cudaStream_t stream) {
    uint32_t id;
    if (!client_stream_id(stream, &id))
        return client_finish(cudaErrorInvalidResourceHandle);
    return synchronise(PROTOCOL_WAIT_STREAM, id, true);
}

API cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags) {
    struct request_id request = {flags};
    struct reply_value id;
    /* An interprocess event must not measure time. */
    if (event == NULL || (flags & ~(unsigned)EVENT_FLAGS) || ((flags & 4) && !(flags & 2)))
        return client_finish(cudaErrorInvalidValue);
    WITH_DEVICE({
        error = CLIENT_CALL(client, PROTOCOL_EVENT_CREATE, request, &id, sizeof id);
        if (error == cudaSuccess)
            *event = client_event_handle((uint32_t)id.value);
    });
}

API cudaError_t cudaEventCreate(cudaEvent_t *event) {
    return cudaEventCreateWithFlags(event, 0);
}

API cudaError_t cudaEventDestroy(cudaEvent_t event) {
    struct request_id request;
    if (!client_event_id(event, &request.id))
        return client_finish(cudaErrorInvalidResourceHandle);
    WITH_DEVICE(error = CLIENT_CALL(client, PROTOCOL_EVENT_DESTROY, request, NULL, 0));
}

API cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned flags) {
    struct request_pair request;
    if (flags > 1)
        return client_finish(cudaErrorInvalidValue);
    if (!client_event_id(event, &request.first) || !client_stream_id(stream, &request.second))
        return client_finish(cudaErrorInvalidResourceHandle);
    WITH_DEVICE(error = CLIENT_CALL(client, PROTOCOL_EVENT_RECORD, request, NULL, 0));
}

API cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
    return cudaEventRecordWithFlags(event, stream, 0);
}

API cudaError_t cudaEventSynchronize(cudaEvent_t event) {
    uint32_t id;
    if (!client_event_id(event, &id))
        return client_finish(cudaErrorInvalidResourceHandle);
    return synchronise(PROTOCOL_WAIT_EVENT, id, false);
}

API cudaError_t cudaEventQuery(cudaEvent_t event) {
    uint32_t id;
    if (!client_event_id(event, &id))
        return client_finish(cudaErrorInvalidResourceHandle);
    return synchronise(PROTOCOL_WAIT_EVENT, id, true);
}

API cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t start, cudaEvent_t end) {
    struct request_pair request;
    struct reply_elapsed elapsed;
    if (milliseconds == NULL)
        return client_finish(cudaErrorInvalidValue);
    if (!client_event_id(start, &request.first) || !client_event_id(end, &request.second))
        return client_finish(cudaErrorInvalidResourceHandle);
    WITH_DEVICE({
        error = CLIENT_CALL(client, PROTOCOL_EVENT_ELAPSED, request, &elapsed, sizeof elapsed);
        if (error == cudaSuccess)
            *milliseconds = (float)elapsed.milliseconds;
    });
}

API cudaError_t cudaEventElapsedTime_v2(float *milliseconds, cudaEvent_t start, cudaEvent_t end) {
    return cudaEventElapsedTime(milliseconds, start, end);
}

API cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags) {
    struct request_pair request;
    if (flags > 1)
        return client_finish(cudaErrorInvalidValue);
    if (!client_stream_id(stream, &request.first) || !client_event_id(event, &request.second))
        return client_finish(cudaErrorInvalidResourceHandle);
    WITH_DEVICE(error = CLIENT_CALL(client, PROTOCOL_STREAM_WAIT, request, NULL, 0));
}

/* On a captured stream the function becomes a node of the graph: *captured. */
static cudaError_t before_host_function(cudaStream_t stream, void (*function)(void *), void *data,
                                        bool *captured) {
    struct request_synchronise request = {PROTOCOL_HOST_FUNCTION, 0, true};
    *captured = false;
    if (!client_stream_id(stream, &request.id))
        return client_finish(cudaErrorInvalidResourceHandle);
    WITH_DEVICE({
        *captured = client_graph_captures(client, request.id);
        error = *captured ? client_graph_takes_host(client, request.id, function, data)
                          : CLIENT_CALL(client, PROTOCOL_SYNCHRONISE, request, NULL, 0);
    });
}

/* All earlier work of the stream has run, so the host function is called at once. The lock is
 * released, because the function may use the library. */
API cudaError_t cudaLaunchHostFunc(cudaStream_t stream, void (*function)(void *), void *data) {
    if (function == NULL)
        return client_finish(cudaErrorInvalidValue);
    bool captured;
    cudaError_t error = before_host_function(stream, function, data, &captured);
    if (error == cudaSuccess && !captured)
        function(data);
    return error;
}

API cudaError_t cudaStreamAddCallback(cudaStream_t stream,
                                      void (*callback)(cudaStream_t, cudaError_t, void *), void *data,
                                      unsigned flags) {
    if (callback == NULL || flags != 0)
        return client_finish(cudaErrorInvalidValue);
    bool captured; /* which a callback cannot be */
    cudaError_t error = before_host_function(stream, NULL, NULL, &captured);
    if (error == cudaSuccess && !captured)
        callback(stream, cudaSuccess, data);
    return error;
}

/* How the L2 is to keep a window of memory, and how the host waits, are hints without effect. */
API cudaError_t cudaStreamSetAttribute(cudaStream_t stream, int attribute, const void *value) {
    enum { ACCESS_POLICY_WINDOW = 1, SYNCHRONISATION_POLICY = 3 };
    if (value == NULL || (attribute != ACCESS_POLICY_WINDOW && attribute != SYNCHRONISATION_POLICY))
        return client_finish(cudaErrorInvalidValue);
    return stream_request(stream, PROTOCOL_STREAM_INFO, NULL, 0);
}

API cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void *pointer, size_t length, unsigned flags) {
    uint32_t id;
    (void)length;
    if (flags != 1 && flags != 2 && flags != 4)
        return client_finish(cudaErrorInvalidValue);
    if (!client_stream_id(stream, &id))
        return client_finish(cudaErrorInvalidResourceHandle);
    WITH_DEVICE({
        const struct client_region *region = client_region_at(client, (uintptr_t)pointer);
        error = region != NULL && region->memory == PROTOCOL_MANAGED ? cudaSuccess : cudaErrorInvalidValue;
    });
}

/* client.c: the process's one state; calls to the simulated GPU and their messages. */
#include "gpu/runtime/client/client.h"
#include "base/wrap.h"

#include "gpu/runtime/protocol.h"

#include <link.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct client state = {.lock = PTHREAD_MUTEX_INITIALIZER, .socket = -1, .pool_threshold = 0};

/* cudaGetLastError is per thread. */
static _Thread_local cudaError_t last_error;

struct client *client_state(void) {
    return &state;
}

struct client *client_acquire(void) {
    pthread_mutex_lock(&state.lock);
    client_early_open();
    return &state;
}

void client_release(struct client *client) {
    client_early_close(client);
    pthread_mutex_unlock(&client->lock);
}

void client_say(const char *format, ...) {
    char text[PROTOCOL_MAX_MESSAGE_BYTES + 64];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    fflush(stdout); /* the program's earlier output comes first */
    wrap_message("simulated GPU: ", text);
}

cudaError_t client_finish(cudaError_t error) {
    if (error != cudaSuccess)
        last_error = error;
    return error;
}

API cudaError_t cudaGetLastError(void) {
    struct client *client = client_acquire();
    cudaError_t error = client->sticky ? (cudaError_t)client->sticky : last_error;
    if (error != cudaSuccess)
        client->unseen_launches = 0;
    client_release(client);
    last_error = cudaSuccess;
    return error;
}

API cudaError_t cudaPeekAtLastError(void) {
    struct client *client = client_acquire();
    cudaError_t error = client->sticky ? (cudaError_t)client->sticky : last_error;
    if (error != cudaSuccess)
        client->unseen_launches = 0;
    client_release(client);
    return error;
}

/* Whether the first object, the program itself, holds an address: then it is counted from where
 * the program lies. */
static int find_site(struct dl_phdr_info *object, size_t size, void *context) {
    uint64_t *site = context, address = *site;
    (void)size;
    *site = 0;
    for (int i = 0; i < object->dlpi_phnum; i++)
        if (object->dlpi_phdr[i].p_type == PT_LOAD &&
            address - object->dlpi_addr - object->dlpi_phdr[i].p_vaddr < object->dlpi_phdr[i].p_memsz)
            *site = address - object->dlpi_addr;
    return 1;
}

uint64_t client_site(const void *address) {
    uint64_t site = (uintptr_t)address;
    if (site != 0)
        dl_iterate_phdr(find_site, &site);
    return site;
}

static cudaError_t connection_lost(struct client *client) {
    bool starting = client->connection == NOT_CONNECTED;
    client->connection = CONNECTION_FAILED;
    client->failure = starting ? cudaErrorInitializationError : cudaErrorDevicesUnavailable;
    client->sticky = (uint32_t)client->failure;
    client_say(starting ? "its process (simgpu) ended before it answered"
                        : "its process (simgpu) is gone; what was on the device is lost");
    return client->failure;
}

static void say_message(struct client *client, uint32_t bytes, bool quiet) {
    char message[PROTOCOL_MAX_MESSAGE_BYTES];
    if (bytes >= sizeof message || !channel_receive(client->socket, message, bytes, NULL))
        return;
    message[bytes] = '\0';
    if (bytes && !quiet)
        client_say("%s", message);
}

cudaError_t client_call_whole(struct client *client, enum protocol_operation operation, const void *request,
                              size_t request_bytes, const void *tail, size_t tail_bytes, void **bytes,
                              size_t *size, int *descriptor) {
    client_early_tell(client, operation);
    struct request_header header = {operation, (uint32_t)(request_bytes + tail_bytes)};
    struct reply_header reply;
    uint8_t head[512];
    *bytes = NULL;
    *size = 0;
    if (tail_bytes > PROTOCOL_MAX_REQUEST_BYTES - request_bytes)
        return cudaErrorInvalidValue;
    /* Small requests are sent in one piece. */
    bool sent;
    if (sizeof header + request_bytes + tail_bytes <= sizeof head) {
        memcpy(head, &header, sizeof header);
        memcpy(head + sizeof header, request, request_bytes);
        if (tail_bytes)
            memcpy(head + sizeof header + request_bytes, tail, tail_bytes);
        sent = channel_send(client->socket, head, sizeof header + request_bytes + tail_bytes, -1);
    } else {
        sent = channel_send(client->socket, &header, sizeof header, -1) &&
               channel_send(client->socket, request, request_bytes, -1) &&
               channel_send(client->socket, tail, tail_bytes, -1);
    }
    if (!sent || !channel_receive(client->socket, &reply, sizeof reply, descriptor))
        return connection_lost(client);
    if (reply.bytes) {
        *bytes = malloc(reply.bytes);
        if (*bytes == NULL || !channel_receive(client->socket, *bytes, reply.bytes, NULL)) {
            free(*bytes);
            *bytes = NULL;
            return connection_lost(client);
        }
        *size = reply.bytes;
    }
    /* The launch report has a launch's errors too; the giver of the socket shows it. */
    say_message(client, reply.message_bytes, client->given && operation == PROTOCOL_LAUNCH);
    client->output_bytes = reply.output_bytes;
    client->sticky = reply.sticky;
    return (cudaError_t)reply.error;
}

cudaError_t client_call(struct client *client, enum protocol_operation operation, const void *request,
                        size_t request_bytes, const void *tail, size_t tail_bytes, void *answer,
                        size_t answer_bytes) {
    void *bytes;
    size_t size;
    cudaError_t error;
    if (client_graph_takes(client, operation, request, tail, &error)) {
        if (answer != NULL)
            memset(answer, 1, answer_bytes); /* answer of a copy: no bytes are left to move */
        return error;
    }
    error =
        client_call_whole(client, operation, request, request_bytes, tail, tail_bytes, &bytes, &size, NULL);
    if (error == cudaSuccess && answer != NULL) {
        if (bytes != NULL && size >= answer_bytes)
            memcpy(answer, bytes, answer_bytes);
        else
            error = cudaErrorUnknown;
    }
    free(bytes);
    return error;
}

void client_flush_output(struct client *client) {
    struct request_none nothing = {{0}};
    void *bytes;
    size_t size;
    if (client->connection != CONNECTED || client->output_bytes == 0)
        return;
    fflush(stdout); /* where a judge shows kernels' output, the host's earlier output comes first */
    (void)client_call_whole(client, PROTOCOL_OUTPUT, &nothing, sizeof nothing, NULL, 0, &bytes, &size, NULL);
    if (size) {
        fwrite(bytes, 1, size, stdout);
        fflush(stdout);
    }
    free(bytes);
}

/* The program ends: the simulated GPU prints its last messages before the shell's next prompt. */
static __attribute__((destructor)) void say_the_end(void) {
    struct request_none nothing = {{0}};
    const char *check = getenv("CHECK");
    if (check == NULL || strcmp(check, "1") != 0 || state.connection != CONNECTED ||
        state.process != getpid() || pthread_mutex_trylock(&state.lock) != 0)
        return;
    fflush(stdout);
    (void)client_call(&state, PROTOCOL_END, &nothing, sizeof nothing, NULL, 0, NULL, 0);
    pthread_mutex_unlock(&state.lock);
}

/* Handles are the simulated GPU's numbers as pointers that no program has by accident. Low bits are
 * free. */
#define STREAM_MARK ((uintptr_t)0x5354 << 44)
#define EVENT_MARK ((uintptr_t)0x4556 << 44)

static bool unmark(uintptr_t handle, uintptr_t mark, uint32_t *id) {
    uintptr_t number = (handle ^ mark) >> 4;
    *id = (uint32_t)number;
    return (handle & 15) == 0 && number <= UINT32_MAX;
}

cudaStream_t client_stream_handle(uint32_t id) {
    return (cudaStream_t)(STREAM_MARK | (uintptr_t)id << 4);
}

bool client_stream_id(cudaStream_t stream, uint32_t *id) {
    uintptr_t handle = (uintptr_t)stream;
    if (handle <= 2) { /* the default stream's two names, and the per-thread stream */
        *id = handle == 2;
        return true;
    }
    return unmark(handle, STREAM_MARK, id);
}

cudaEvent_t client_event_handle(uint32_t id) {
    return (cudaEvent_t)(EVENT_MARK | (uintptr_t)id << 4);
}

bool client_event_id(cudaEvent_t event, uint32_t *id) {
    return unmark((uintptr_t)event, EVENT_MARK, id);
}

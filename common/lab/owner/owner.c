/*
 * owner.c: the judge's process on a real GPU. It owns the buffers and shares them with the runner's
 * process, which has the student's code. It writes inputs right before a call, copies results right
 * after, and stamps both by the GPU's own clock. The GPU runs one process at a time, so the
 * student's work in between takes at most the time between the stamps. This process runs no
 * student's code and believes nothing that comes from there.
 */
#include "lab/runner/gate.h"
#include "lab/runner/protocol.h"
#include "window.h"

#include <assert.h>
#include <cuda_runtime_api.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
    BLOCK = 2 << 20, /* what the driver allocates by, and shares whole */
    PLACES = 1024,   /* places in the shared memory where a case may begin, so that nobody can foresee it */
    PLACE_BYTES = 4096,
    PATIENCE_MS = 5000
};
static const uint64_t delay_ns = 1000000; /* longer than the host needs to queue what follows */

struct owner {
    int socket;
    uint8_t *memory; /* the host side, shared with the judge */
    uint64_t memory_bytes;
    cudaStream_t stream, relief;
    cudaEvent_t there;
    uint8_t *shared, *image,
        *result; /* on the device: what the runner sees; the inputs to put there; the copied results */
    void *other; /* zeros, read to empty L2 */
    uint64_t other_bytes;
    struct window_notes *notes;
    struct runner_request prepared;
    uint64_t place, used;
};

static int succeeded(struct runner_reply *reply, cudaError_t error, const char *what) {
    if (error == cudaSuccess)
        return 1;
    reply->error = (int32_t)error;
    snprintf(reply->what, sizeof reply->what, "%s", what);
    snprintf(reply->error_name, sizeof reply->error_name, "%s", cudaGetErrorName(error));
    snprintf(reply->error_text, sizeof reply->error_text, "%s", cudaGetErrorString(error));
    return 0;
}

static int allocate(void *memory, uint64_t bytes, struct runner_reply *reply) {
    void *got = NULL;
    bytes = (bytes + BLOCK - 1) / BLOCK * BLOCK;
    if (!succeeded(reply, cudaMalloc(&got, bytes), "the memory of the buffers") ||
        !succeeded(reply, cudaMemset(got, 0, bytes), "the memory of the buffers"))
        return 0;
    memcpy(memory, &got, sizeof got);
    return 1;
}

/* Runs each kernel once before a clock runs, so that it is loaded. */
static int rehearse(struct owner *o, struct runner_reply *reply) {
    return succeeded(
               reply,
               window_open(o->shared, o->image, sizeof(uint64_t) * 2, o->image, 0, 0, o->notes, o->stream),
               "the owner's kernels") &&
           succeeded(reply, window_take(o->result, o->shared, sizeof(uint64_t) * 2, o->notes, o->stream),
                     "the owner's kernels") &&
           succeeded(reply,
                     window_take_again(o->result, o->shared, sizeof(uint64_t) * 2, o->notes, o->stream),
                     "the owner's kernels") &&
           succeeded(reply, cudaStreamSynchronize(o->stream), "the owner's kernels");
}

static void share(struct owner *o, struct runner_reply *reply) {
    cudaIpcMemHandle_t handle;
    uint64_t bytes = RUNNER_GATE_BYTES + (uint64_t)PLACES * PLACE_BYTES + o->memory_bytes;
    static_assert(sizeof handle == RUNNER_HANDLE, "protocol.h is wrong about CUDA's handles");
    if (o->shared != NULL || !allocate(&o->shared, bytes, reply) ||
        !allocate(&o->image, o->memory_bytes, reply) || !allocate(&o->result, o->memory_bytes, reply) ||
        !succeeded(reply, cudaHostAlloc((void **)&o->notes, sizeof *o->notes, cudaHostAllocDefault),
                   "cudaHostAlloc") ||
        !rehearse(o, reply) ||
        !succeeded(reply, cudaIpcGetMemHandle(&handle, o->shared), "cudaIpcGetMemHandle"))
        return;
    memcpy(reply->handle, &handle, sizeof handle);
}

/* Lays out the case, in memory that no other process sees, as it will lie in the shared memory. */
static void prepare(struct owner *o, const struct runner_request *request, struct runner_reply *reply) {
    uint32_t drawn = 0;
    if (getrandom(&drawn, sizeof drawn, 0) != sizeof drawn)
        drawn = request->sequence;
    o->prepared = *request;
    o->place = RUNNER_GATE_BYTES + drawn % PLACES * (uint64_t)PLACE_BYTES;
    o->used = 0;
    reply->place = o->place;
    for (uint32_t i = 0; i < request->buffer_count; i++) {
        uint64_t end = request->buffer[i].offset + request->buffer[i].bytes + 2 * (uint64_t)request->guard;
        o->used = end > o->used ? end : o->used;
    }
    o->used = (o->used + 15) / 16 * 16;
    if (!succeeded(reply, cudaMemset(o->image, (int)request->poison, o->used), "cudaMemset"))
        return;
    for (uint32_t i = 0; i < request->buffer_count; i++) {
        uint64_t content = request->buffer[i].offset + request->guard;
        if (!request->buffer[i].output &&
            !succeeded(reply,
                       cudaMemcpy(o->image + content, o->memory + content, request->buffer[i].bytes,
                                  cudaMemcpyHostToDevice),
                       "cudaMemcpy of the input"))
            return;
    }
    succeeded(reply, cudaDeviceSynchronize(), "cudaDeviceSynchronize");
}

static int keep_other(struct owner *o, uint64_t bytes, struct runner_reply *reply) {
    if (bytes <= o->other_bytes)
        return 1;
    cudaFree(o->other);
    o->other = NULL;
    o->other_bytes = 0;
    if (!allocate(&o->other, bytes, reply))
        return 0;
    o->other_bytes = bytes;
    return 1;
}

/* Queues the whole window at once, so that the GPU waits for no host in between. */
static void open_window(struct owner *o, const struct runner_request *request, struct runner_reply *reply) {
    uint8_t *place = o->shared + o->place;
    o->notes->differ = 0;
    if (!keep_other(o, request->flush_bytes, reply) ||
        !succeeded(reply,
                   window_open(place, o->image, o->used, o->other, request->flush_bytes,
                               request->wait ? 0 : delay_ns, o->notes, o->stream),
                   "writing the inputs") ||
        !succeeded(reply, gate_set(o->stream, o->shared + RUNNER_GATE_OPEN, request->gate),
                   "the gate before the call") ||
        !succeeded(reply, cudaEventRecord(o->there, o->stream), "cudaEventRecord") ||
        !succeeded(reply, gate_wait(o->stream, o->shared + RUNNER_GATE_DONE, request->gate),
                   "the gate after the call") ||
        !succeeded(reply, window_take(o->result, place, o->used, o->notes, o->stream), "taking the results"))
        return;
    if (request->wait)
        succeeded(reply, cudaEventSynchronize(o->there), "writing the inputs");
}

/* Wait until the stream is empty. */
static cudaError_t await(cudaStream_t stream, unsigned milliseconds) {
    const struct timespec moment = {.tv_nsec = 50000};
    cudaError_t state = cudaStreamQuery(stream);
    for (unsigned i = 0; state == cudaErrorNotReady && i < 20 * milliseconds; i++) {
        nanosleep(&moment, NULL);
        state = cudaStreamQuery(stream);
    }
    return state;
}

/* A runner that has answered has set its gate, unless the program changed the gate; then it is
 * opened here. */
static void close_window(struct owner *o, const struct runner_request *request, struct runner_reply *reply) {
    enum { SOON_MS = 100 };
    cudaError_t state = await(o->stream, SOON_MS);
    if (state == cudaErrorNotReady &&
        !succeeded(reply, gate_set(o->relief, o->shared + RUNNER_GATE_DONE, request->gate),
                   "the gate after the call"))
        return;
    if (!succeeded(reply, window_take_again(o->result, o->shared + o->place, o->used, o->notes, o->stream),
                   "taking the results") ||
        !succeeded(reply, await(o->stream, PATIENCE_MS), "the GPU, when the call had ended,"))
        return;
    reply->window_us = (double)(o->notes->taken - o->notes->opened) / 1000;
    reply->again_us = (double)(o->notes->again - o->notes->opened) / 1000;
    reply->late = o->notes->differ;
    for (uint32_t i = 0; i < o->prepared.buffer_count; i++) {
        const struct runner_buffer *b = &o->prepared.buffer[i];
        if (!succeeded(reply,
                       cudaMemcpy(o->memory + b->offset, o->result + b->offset,
                                  b->bytes + 2 * (uint64_t)o->prepared.guard, cudaMemcpyDeviceToHost),
                       "cudaMemcpy of the output"))
            return;
    }
}

static int fits(const struct owner *o, const struct runner_request *request) {
    if (request->buffer_count > RUNNER_BUFFERS)
        return 0;
    for (uint32_t i = 0; i < request->buffer_count; i++) {
        uint64_t whole = request->buffer[i].bytes + 2 * (uint64_t)request->guard;
        if (request->buffer[i].offset > o->memory_bytes ||
            whole > o->memory_bytes - request->buffer[i].offset)
            return 0;
    }
    return 1;
}

static int descriptor(const char *name) {
    const char *text = getenv(name);
    char *end = NULL;
    long value = text != NULL ? strtol(text, &end, 10) : -1;
    return end != NULL && *end == '\0' && value >= 0 && value < 1 << 20 ? (int)value : -1;
}

static int connect_to_judge(struct owner *o) {
    int memory = descriptor(RUNNER_MEMORY);
    struct stat status;
    o->socket = descriptor(RUNNER_SOCKET);
    if (o->socket < 0 || memory < 0 || fstat(memory, &status) != 0) {
        fprintf(stderr, "this program is started by build/bin/grade-job\n");
        return 0;
    }
    o->memory_bytes = (uint64_t)status.st_size;
    void *mapped = mmap(NULL, o->memory_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0);
    close(memory);
    if (mapped == MAP_FAILED) {
        perror("mmap of the shared memory");
        return 0;
    }
    o->memory = mapped;
    return 1;
}

static void begin(struct owner *o, struct runner_reply *reply) {
    if (succeeded(reply, cudaStreamCreateWithFlags(&o->stream, cudaStreamNonBlocking), "cudaStreamCreate") &&
        succeeded(reply, cudaStreamCreateWithFlags(&o->relief, cudaStreamNonBlocking), "cudaStreamCreate"))
        succeeded(reply, cudaEventCreateWithFlags(&o->there, cudaEventDisableTiming), "cudaEventCreate");
}

int main(void) {
    struct owner owner = {0};
    struct runner_reply started = {0};
    struct runner_request request;
    if (!connect_to_judge(&owner))
        return 2;
    begin(&owner, &started);
    for (;;) {
        ssize_t length = recv(owner.socket, &request, sizeof request, 0);
        if (length < 0 && errno == EINTR)
            continue;
        if (length != (ssize_t)sizeof request || request.command == RUNNER_QUIT || !fits(&owner, &request))
            return length == 0 || request.command == RUNNER_QUIT ? 0 : 2;
        struct runner_reply reply = started;
        reply.command = request.command;
        reply.sequence = request.sequence;
        if (started.error == 0) {
            switch (request.command) {
            case RUNNER_SHARE: share(&owner, &reply); break;
            case RUNNER_PREPARE: prepare(&owner, &request, &reply); break;
            case RUNNER_OPEN: open_window(&owner, &request, &reply); break;
            case RUNNER_CLOSE: close_window(&owner, &request, &reply); break;
            default: return 2;
            }
        }
        if (send(owner.socket, &reply, sizeof reply, MSG_NOSIGNAL) != (ssize_t)sizeof reply)
            return 2;
    }
}

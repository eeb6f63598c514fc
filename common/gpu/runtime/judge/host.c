/*
 * host.c: what a program's host code asks of the device besides work, and what of it costs time on a GPU: waits,
 * allocations, new streams and events, work on another stream than the given one, memory that is never freed. Remarks,
 * no more: none of it makes a result wrong here.
 *
 * In a judged call (`host 1`, then a window) the call's end is the runner's: it waits for the stream that it has handed
 * in, then for the device. These two waits are not the call's own, and the first one tells which stream was given.
 */
#include "gpu/runtime/judge/judge.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- what is noted */

static struct judge_host_stream *stream_of(struct judge_host *host, uint32_t id) {
    for (uint32_t i = 0; i < host->stream_count; i++)
        if (host->streams[i].id == id)
            return &host->streams[i];
    if (host->stream_count == JUDGE_STREAMS) {
        host->too_many = host->too_many || host->window; /* elsewhere nobody asks */
        return NULL;
    }
    struct judge_host_stream *stream = &host->streams[host->stream_count++];
    *stream = (struct judge_host_stream){.id = id};
    return stream;
}

static void note_work(struct judge_host *host, uint32_t id, enum judge_host_work work) {
    struct judge_host_stream *stream = stream_of(host, id);
    if (stream != NULL)
        stream->work[work]++;
}

static void note_launch(struct judge_host *host, const struct request_launch *launch) {
    struct judge_host_stream *stream = stream_of(host, launch->stream);
    if (stream != NULL && stream->work[HOST_KERNEL]++ == 0) {
        stream->kernel = launch->kernel;
        stream->dynamic_shared = launch->dynamic_shared;
    }
}

static void note_wait(struct judge_host *host, enum judge_host_wait wait, uint32_t stream) {
    host->waits[wait]++;
    host->last[0] = host->last[1];
    host->last[1] = (struct judge_host_last){wait, stream};
}

static void note_allocation(struct judge_host *host, uint32_t memory, uint64_t address, uint64_t bytes,
                            bool ordered) {
    enum { MOST = 1 << 16 };
    host->made[memory]++;
    if (host->live_count == MOST) {
        host->too_many = true;
        return;
    }
    if (host->live_count == host->live_capacity) {
        uint32_t capacity = host->live_capacity ? 2 * host->live_capacity : 64;
        struct judge_host_memory *larger = realloc(host->live, capacity * sizeof *larger);
        if (larger == NULL) {
            host->too_many = true;
            return;
        }
        host->live = larger;
        host->live_capacity = capacity;
    }
    host->live[host->live_count++] =
        (struct judge_host_memory){address, bytes, host->made[memory], memory, host->window};
    if (!ordered) {
        host->allocations++;
        host->allocated_bytes += bytes;
    }
}

static void note_free(struct judge_host *host, uint64_t address) {
    for (uint32_t i = host->live_count; i-- > 0;)
        if (host->live[i].address == address) {
            memmove(&host->live[i], &host->live[i + 1], (host->live_count - i - 1) * sizeof *host->live);
            host->live_count--;
            return;
        }
}

static uint64_t value_of(const struct reply *reply) {
    struct reply_value value = {0};
    if (reply->size >= sizeof value)
        memcpy(&value, reply->bytes, sizeof value);
    return value.value;
}

static void note_copy(struct judge_host *host, const struct request_copy *copy) {
    if (copy->width == 0 || copy->height == 0)
        return;
    note_work(host, copy->stream, HOST_COPY);
    if (copy->blocking && (copy->to == 0 || copy->from == 0)) /* one side is the host's own */
        note_wait(host, HOST_WAIT_COPY, copy->stream);
}

/* Memory of both sides is freed by cudaFree and cudaFreeHost, and what was registered is the program's own. */
static void note_shared(struct judge_host *host, const struct request_allocate_shared *request,
                        const struct reply *reply) {
    if (request->bytes > 0 && request->memory != PROTOCOL_REGISTERED)
        note_allocation(host, request->memory, value_of(reply), request->bytes, false);
}

static void note_synchronise(struct judge_host *host, const struct request_synchronise *request) {
    if (!request->query)
        note_wait(host,
                  request->what == PROTOCOL_WAIT_STREAM  ? HOST_WAIT_STREAM
                  : request->what == PROTOCOL_WAIT_EVENT ? HOST_WAIT_EVENT
                                                         : HOST_WAIT_DEVICE,
                  request->id);
}

void judge_host_note(struct judge *judge, uint32_t operation, const void *request,
                     const struct reply *reply) {
    struct judge_host *host = &judge->host;
    if (reply->error != 0 || !(judge->server->check || host->watched))
        return;
    switch (operation) {
    case PROTOCOL_LAUNCH: note_launch(host, request); break;
    case PROTOCOL_COPY: note_copy(host, request); break;
    case PROTOCOL_FILL: note_work(host, ((const struct request_fill *)request)->stream, HOST_FILL); break;
    case PROTOCOL_STREAM_WAIT: {
        struct judge_host_stream *stream = stream_of(host, ((const struct request_pair *)request)->first);
        if (stream != NULL)
            stream->joined = true;
        break;
    }
    case PROTOCOL_SYNCHRONISE: note_synchronise(host, request); break;
    case PROTOCOL_ALLOCATE: {
        const struct request_allocate *allocate = request;
        note_allocation(host, PROTOCOL_DEVICE, value_of(reply), allocate->bytes, allocate->ordered);
        break;
    }
    case PROTOCOL_ALLOCATE_SHARED: note_shared(host, request, reply); break;
    case PROTOCOL_FREE: note_free(host, ((const struct request_free *)request)->address); break;
    case PROTOCOL_STREAM_CREATE: host->created_streams++; break;
    case PROTOCOL_EVENT_CREATE: host->created_events++; break;
    case PROTOCOL_RESET:
        host->live_count = 0;
        memset(host->made, 0, sizeof host->made);
        break;
    default: break;
    }
}

/* ---- what is told */

/* "once", "twice", "3 times" */
static const char *times(uint32_t count, char text[24]) {
    if (count <= 2)
        snprintf(text, 24, "%s", count == 1 ? "once" : "twice");
    else
        snprintf(text, 24, "%" PRIu32 " times", count);
    return text;
}

/* Append "WHAT once", after a comma where something stands. */
static void list(char *text, size_t size, const char *what, uint32_t count) {
    char often[24];
    size_t length = strlen(text);
    if (count > 0)
        snprintf(text + length, size - length, "%s%s %s", length > 0 ? ", " : "", what, times(count, often));
}

static void tell(struct judge *judge, const char *kind, const char *begin, const char *what,
                 const char *end) {
    struct simt_remark remark = {.kind = kind, .count = 1};
    snprintf(remark.message, sizeof remark.message, "the timed call %s%s%s", begin, what, end);
    server_remark(judge->server, &remark);
}

static void tell_waits(struct judge *judge) {
    static const char *const names[] = {[HOST_WAIT_DEVICE] = "cudaDeviceSynchronize",
                                        [HOST_WAIT_STREAM] = "cudaStreamSynchronize",
                                        [HOST_WAIT_EVENT] = "cudaEventSynchronize",
                                        [HOST_WAIT_COPY] = "a cudaMemcpy that waits"};
    char what[256] = "";
    for (int i = 0; i < HOST_WAITS; i++)
        list(what, sizeof what, names[i], judge->host.waits[i]);
    if (what[0] != '\0')
        tell(judge, "host-wait", "waits for the GPU (", what,
             "): a GPU idles until the host has queued more");
}

static void tell_allocations(struct judge *judge) {
    const struct judge_host *host = &judge->host;
    char what[160] = "", often[24];
    snprintf(what, sizeof what, "%s, %" PRIu64 " bytes", times(host->allocations, often),
             host->allocated_bytes);
    if (host->allocations > 0)
        tell(judge, "host-allocate", "allocates (", what,
             "): the host pays for that in each call, and cudaFree waits for the GPU");
    what[0] = '\0';
    list(what, sizeof what, "a stream", host->created_streams);
    list(what, sizeof what, "an event", host->created_events);
    if (what[0] != '\0')
        tell(judge, "host-create", "creates ", what, ": the host pays for that in each call");
}

static void tell_leak(struct judge *judge) {
    const struct judge_host *host = &judge->host;
    uint64_t bytes = 0;
    uint32_t count = 0;
    for (uint32_t i = 0; i < host->live_count; i++)
        if (host->live[i].in_window) {
            bytes += host->live[i].bytes;
            count++;
        }
    char what[96];
    snprintf(what, sizeof what, "%" PRIu64 " bytes (%" PRIu32 " allocation%s)", bytes, count,
             count == 1 ? "" : "s");
    if (count > 0)
        tell(judge, "host-leak", "leaves ", what, " behind: each call takes more of the GPU's memory");
}

/* Whether what runs on a stream is ordered with the caller's work on the given one: it is that stream; or the default
 * one beside a stream that waits for it; or streams that wait for each other, by events. */
static bool in_order(struct judge *judge, const struct judge_host_stream *stream, uint32_t given) {
    const struct judge_host *host = &judge->host;
    const struct timeline_stream *other = given != 0 ? handle_object(&judge->server->streams, given) : NULL;
    if (stream->id == given || (stream->id == 0 && other != NULL && !other->non_blocking))
        return true;
    bool given_joins = false;
    for (uint32_t i = 0; i < host->stream_count; i++)
        given_joins = given_joins || (host->streams[i].id == given && host->streams[i].joined);
    return stream->joined && given_joins;
}

static void tell_streams(struct judge *judge, uint32_t given) {
    static const char *const names[][2] = {[HOST_KERNEL] = {"kernel", "kernels"},
                                           [HOST_COPY] = {"copy", "copies"},
                                           [HOST_FILL] = {"memset", "memsets"}};
    const struct judge_host *host = &judge->host;
    uint32_t work[HOST_WORKS] = {0};
    bool other = false, is_default = true;
    const struct judge_host_stream *launched = NULL;
    for (uint32_t i = 0; i < host->stream_count; i++) {
        const struct judge_host_stream *stream = &host->streams[i];
        if (in_order(judge, stream, given))
            continue;
        if (launched == NULL && stream->work[HOST_KERNEL] > 0)
            launched = stream;
        for (int k = 0; k < HOST_WORKS; k++) {
            work[k] += stream->work[k];
            other = other || stream->work[k] > 0;
            is_default = is_default && (stream->id == 0 || stream->work[k] == 0);
        }
    }
    char what[192] = "";
    for (int k = 0; k < HOST_WORKS; k++) {
        size_t length = strlen(what);
        if (work[k] > 0)
            snprintf(what + length, sizeof what - length, "%s%" PRIu32 " %s", length > 0 ? ", " : "", work[k],
                     names[k][work[k] > 1]);
    }
    size_t length = strlen(what);
    snprintf(what + length, sizeof what - length, " on %s",
             is_default ? "the default stream" : "another stream");
    const char *name = "kernel";
    if (launched != NULL && launched->kernel < judge->server->kernel_count)
        name = judge->server->kernels[launched->kernel].name;
    char launch_cure[400];
    snprintf(
        launch_cure, sizeof launch_cure,
        ", not on the one it is given: a GPU orders that with nothing of the caller's. Give the stream as "
        "the launch's fourth parameter: %.*s<<<grid, block, %" PRIu64 ", stream>>>",
        (int)strcspn(name, "("), name, launched != NULL ? launched->dynamic_shared : 0);
    if (other)
        tell(judge, "host-stream", "puts ", what,
             work[HOST_KERNEL] > 0
                 ? launch_cure
                 : ", not on the one it is given: a GPU orders that with nothing of the caller's. "
                   "cudaMemcpyAsync and cudaMemsetAsync take the stream");
}

/* The time of such a call is the sum of its kernels' times. */
static void tell_overlap(struct judge *judge) {
    uint32_t streams = 0;
    char what[48];
    for (uint32_t i = 0; i < judge->host.stream_count; i++)
        streams += judge->host.streams[i].work[HOST_KERNEL] > 0;
    snprintf(what, sizeof what, "%" PRIu32 " streams", streams);
    if (streams > 1)
        tell(judge, "host-overlap", "runs kernels on ", what,
             ": their modelled times are added up, though a GPU may run some at the same time");
}

void judge_host_begin(struct judge *judge) {
    struct judge_host *host = &judge->host;
    struct judge_host kept = *host;
    *host = (struct judge_host){.watched = kept.watched,
                                .window = true,
                                .live = kept.live,
                                .live_count = kept.live_count,
                                .live_capacity = kept.live_capacity};
    memcpy(host->made, kept.made, sizeof host->made);
    for (uint32_t i = 0; i < host->live_count; i++)
        host->live[i].in_window = false;
}

void judge_host_end_of_call(struct judge *judge) {
    struct judge_host *host = &judge->host;
    if (host->window && host->watched && !host->too_many && host->last[1].wait == HOST_WAIT_DEVICE &&
        host->last[0].wait == HOST_WAIT_STREAM && host->waits[HOST_WAIT_STREAM] > 0 &&
        host->waits[HOST_WAIT_DEVICE] > 0) {
        host->waits[HOST_WAIT_STREAM]--;
        host->waits[HOST_WAIT_DEVICE]--;
        tell_streams(judge, host->last[0].stream);
        tell_overlap(judge);
        tell_waits(judge);
        tell_allocations(judge);
        tell_leak(judge);
    }
    host->window = false;
}

void judge_host_end_of_program(struct judge *judge) {
    static const char *const names[] = {[PROTOCOL_DEVICE] = "cudaMalloc",
                                        [PROTOCOL_MANAGED] = "cudaMallocManaged",
                                        [PROTOCOL_PINNED] = "cudaMallocHost"};
    enum { NAMED = 4 };
    const struct judge_host *host = &judge->host;
    char what[256] = "";
    if (!judge->server->check || judge->memory != NULL || judge->server->sticky || host->too_many ||
        host->live_count == 0)
        return;
    for (uint32_t i = 0; i < host->live_count && i < NAMED; i++) {
        const struct judge_host_memory *memory = &host->live[i];
        size_t length = strlen(what);
        snprintf(what + length, sizeof what - length, "%s%s #%" PRIu64 " (%" PRIu64 " bytes)",
                 length > 0 ? ", " : "", names[memory->memory], memory->ordinal, memory->bytes);
    }
    struct simt_remark remark = {.kind = "leak", .count = 1};
    size_t length = strlen(what);
    if (host->live_count > NAMED)
        snprintf(what + length, sizeof what - length, " and %" PRIu32 " more", host->live_count - NAMED);
    snprintf(remark.message, sizeof remark.message,
             "never freed: %s. The end of the program frees it; a program that goes on loses it", what);
    server_remark(judge->server, &remark);
}

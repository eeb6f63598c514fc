/*
 * record.c: a call of the judge's that works in the host's memory, kept: every kernel, copy and fill of it, in the
 * order they were given, with the times that were modelled for them. So it can be repeated with other data, without the
 * program (judge/repeat.c).
 *
 * What of it comes from the program alone is kept as it was: parameters, and bytes that the host wrote anywhere but in the
 * judge's buffers. What is freed meanwhile stays until the recording is released.
 */
#include "cudart/server/server.h"

#include <stdlib.h>
#include <string.h>

enum { OPERATIONS_MOST = 16384, FREED_MOST = 4096 };
#define SENT_MOST ((uint64_t)256 << 20)
#define SAVED_MOST ((uint64_t)1 << 30)

void server_recording_release(struct server *server) {
    struct server_recording *recording = &server->recording;
    for (uint32_t i = 0; i < recording->count; i++)
        free(recording->operations[i].bytes);
    free(recording->operations);
    simt_saved_free(recording->before);
    for (uint32_t i = 0; server->device != NULL && i < recording->freed_count; i++)
        simt_free(server->device, recording->freed[i]);
    free(recording->freed);
    *recording = (struct server_recording){.number = recording->number};
}

/* When the host is there and all work has ended. */
static double all_done(const struct timeline *timeline) {
    return timeline->host > timeline->last ? timeline->host : timeline->last;
}

void server_recording_begin(struct server *server) {
    struct server_recording *recording = &server->recording;
    struct timeline *timeline = &server->timeline;
    server_recording_release(server);
    server_shared_before_launch(server); /* what the host has written until now */
    simt_device_flush_cache(server->device);
    recording->on = true;
    recording->number++;
    recording->before = simt_save(server->device, SAVED_MOST);
    if (recording->before == NULL)
        recording->failed = "it holds more than 1 GiB of memory";
    /* What was given before is none of the call's. */
    timeline->host = all_done(timeline);
    recording->begin_us = timeline->host;
}

/* Managed pages that kernels changed come back when the host looks at them: here, when the call ends. */
void server_recording_end(struct server *server) {
    struct server_recording *recording = &server->recording;
    struct timeline *timeline = &server->timeline;
    if (!recording->on)
        return;
    recording->on = false;
    double end = all_done(timeline);
    if (recording->managed_bytes > 0)
        end += timeline_copy_us(timeline, TIMELINE_FROM_DEVICE, recording->managed_bytes, true);
    /* As two events around the call would tell it: the second one costs the host a call. */
    recording->time_us = end - recording->begin_us + server->options.model->host_event_us;
    pthread_mutex_lock(&server->reporting);
    launch_report_recorded(&server->report, recording->time_us, recording->failed);
    pthread_mutex_unlock(&server->reporting);
}

void server_recording_fails(struct server *server, const char *why) {
    if (server->recording.on && server->recording.failed == NULL)
        server->recording.failed = why;
}

/* Room for one more; NULL where nothing is recorded, or no more can be. */
static struct server_operation *add(struct server *server, enum server_operation_kind kind, uint32_t stream,
                                    double time_us) {
    struct server_recording *recording = &server->recording;
    if (!recording->on || recording->failed != NULL)
        return NULL;
    if (recording->count == recording->capacity) {
        uint32_t capacity = recording->capacity > 0 ? 2 * recording->capacity : 256;
        struct server_operation *larger =
            capacity <= OPERATIONS_MOST
                ? realloc(recording->operations, capacity * sizeof *recording->operations)
                : NULL;
        if (larger == NULL) {
            recording->failed = "it asks the GPU for more than 16384 things";
            return NULL;
        }
        recording->operations = larger;
        recording->capacity = capacity;
    }
    struct server_operation *operation = &recording->operations[recording->count];
    *operation = (struct server_operation){.kind = kind, .time_us = time_us};
    server_order_work(server, stream, operation, recording->count++);
    return operation;
}

/* Room for bytes of an operation; NULL: there is none, and the recording has failed. */
static uint8_t *room(struct server *server, struct server_operation *operation, uint64_t bytes) {
    struct server_recording *recording = &server->recording;
    operation->bytes = bytes <= SENT_MOST - recording->sent_bytes ? malloc(bytes > 0 ? bytes : 1) : NULL;
    if (operation->bytes == NULL)
        recording->failed = "its host sends more than 256 MiB of its own";
    else
        recording->sent_bytes += bytes;
    return operation->bytes;
}

void server_record_launch(struct server *server, const struct request_launch *request,
                          const struct simt_launch *launch, uint32_t parameter_bytes, double time_us,
                          uint64_t instructions) {
    struct server_operation *operation = add(server, OPERATION_LAUNCH, request->stream, time_us);
    if (operation == NULL)
        return;
    operation->as.launch = *request;
    memcpy(operation->as.launch.grid, launch->grid, sizeof launch->grid);
    memcpy(operation->as.launch.block, launch->block, sizeof launch->block);
    operation->instructions = instructions;
    if (room(server, operation, parameter_bytes) != NULL)
        memcpy(operation->bytes, launch->parameters, parameter_bytes);
}

void server_record_fill(struct server *server, const struct request_fill *request, double time_us) {
    struct server_operation *operation = add(server, OPERATION_FILL, request->stream, time_us);
    if (operation != NULL)
        operation->as.fill = *request;
    if (request->blocking)
        server_order_host_waits(server, request->stream);
}

static bool is_placed(const struct server_recording *recording, uint64_t address, uint64_t bytes) {
    for (unsigned i = 0; i < recording->place_count; i++) {
        const struct server_place *place = &recording->places[i];
        if (address < place->address + place->bytes && place->address < address + bytes)
            return true;
    }
    return false;
}

void server_record_copy(struct server *server, const struct request_copy *request, uint64_t host_wrote,
                        double time_us) {
    bool here = request->to && request->from;
    uint64_t bytes = request->width * request->height;
    server->recording.announced = *request;
    server->recording.announced_us = time_us;
    if (!here && !request->buffered)
        return; /* it moves in parts */
    struct server_operation *operation = add(server, OPERATION_COPY, request->stream, time_us);
    if (operation == NULL)
        return;
    operation->as.copy = *request;
    bool sent =
        here ? host_wrote > 0 && !is_placed(&server->recording, request->from, bytes) : request->to != 0;
    if (!sent || room(server, operation, bytes) == NULL)
        return;
    if (!here)
        memcpy(operation->bytes, server->transfer, bytes);
    for (uint64_t row = 0; here && row < request->height; row++)
        simt_read(server->device, operation->bytes + row * request->width,
                  request->from + row * request->from_pitch, request->width);
}

/* A part of the copy that was announced last: rows of it, or a piece of one row. */
void server_record_transfer(struct server *server, const struct request_transfer *part) {
    struct server_recording *recording = &server->recording;
    const struct request_copy *whole = &recording->announced;
    bool to_device = part->direction == PROTOCOL_TO_DEVICE;
    uint64_t pitch = to_device ? whole->to_pitch : whole->from_pitch,
             host_pitch = to_device ? whole->from_pitch : whole->to_pitch,
             start = to_device ? whole->to : whole->from, at = part->address - start;
    struct server_operation *operation = add(server, OPERATION_COPY, whole->stream, recording->announced_us);
    if (operation == NULL)
        return;
    bool one_row = pitch == 0 || (pitch == whole->width && host_pitch == whole->width);
    struct request_copy copy = {.width = part->width, .height = part->height, .buffered = 1};
    copy.host = whole->host + (one_row ? at : at / pitch * host_pitch + at % pitch);
    copy.to = to_device ? part->address : 0;
    copy.from = to_device ? 0 : part->address;
    copy.to_pitch = to_device ? part->pitch : host_pitch;
    copy.from_pitch = to_device ? host_pitch : part->pitch;
    operation->as.copy = copy;
    if (to_device && room(server, operation, part->width * part->height) != NULL)
        memcpy(operation->bytes, server->transfer, part->width * part->height);
}

bool server_record_free(struct server *server, uint64_t address, bool *refused) {
    struct server_recording *recording = &server->recording;
    uint64_t start, bytes;
    *refused = false;
    if (!recording->on)
        return false;
    *refused = !simt_find_allocation(server->device, address, &start, &bytes) || start != address;
    for (uint32_t i = 0; i < recording->freed_count; i++)
        *refused = *refused || recording->freed[i] == address;
    if (*refused)
        return true;
    if (recording->freed == NULL)
        recording->freed = malloc(FREED_MOST * sizeof *recording->freed);
    if (recording->freed == NULL || recording->freed_count == FREED_MOST) {
        server_recording_fails(server, "it frees memory more than 4096 times");
        return false;
    }
    recording->freed[recording->freed_count++] = address;
    return true;
}

bool server_recording_place(struct server *server, uint64_t address, uint64_t offset, uint64_t bytes) {
    struct server_recording *recording = &server->recording;
    if (recording->place_count == SERVER_PLACES || address == 0 || address > UINT64_MAX - bytes ||
        offset > server->judge.bytes || bytes > server->judge.bytes - offset)
        return false;
    recording->places[recording->place_count++] = (struct server_place){address, offset, bytes};
    return true;
}

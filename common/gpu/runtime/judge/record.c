/*
 * record.c: a call of the judge's that works in the host's memory, kept: every kernel, copy and fill of it, in the
 * order they were given, with the times that were modelled for them. So it can be repeated with other data, without the
 * program (judge/repeat.c).
 *
 * What of it comes from the program alone is kept as it was: parameters, and bytes that the host wrote anywhere but in the
 * judge's buffers. What is freed meanwhile stays until the recording is released.
 */
#include "gpu/runtime/judge/judge.h"

#include <stdlib.h>
#include <string.h>

enum { OPERATIONS_MOST = 16384, FREED_MOST = 4096 };
#define SENT_MOST ((uint64_t)256 << 20)
#define SAVED_MOST ((uint64_t)1 << 30)

void judge_recording_release(struct judge *judge) {
    struct judge_recording *recording = &judge->recording;
    for (uint32_t i = 0; i < recording->count; i++)
        free(recording->operations[i].bytes);
    free(recording->operations);
    simt_saved_free(recording->before);
    for (uint32_t i = 0; judge->server->device != NULL && i < recording->freed_count; i++)
        simt_free(judge->server->device, recording->freed[i]);
    free(recording->freed);
    *recording = (struct judge_recording){.number = recording->number};
    judge->server->queries_wait = false;
}

/* When the host is there and all work has ended. */
static double all_done(const struct timeline *timeline) {
    return timeline->host > timeline->last ? timeline->host : timeline->last;
}

void judge_recording_begin(struct judge *judge) {
    struct judge_recording *recording = &judge->recording;
    struct timeline *timeline = &judge->server->timeline;
    judge_recording_release(judge);
    judge_shared_before_launch(judge); /* what the host has written until now */
    simt_device_flush_cache(judge->server->device);
    recording->on = judge->server->queries_wait = true;
    order_begin(&judge->server->order);
    judge->server->order.strict = true;
    recording->number++;
    recording->before = simt_save(judge->server->device, SAVED_MOST);
    if (recording->before == NULL)
        recording->failed = "it holds more than 1 GiB of memory";
    /* What was given before is none of the call's. */
    timeline->host = all_done(timeline);
    recording->begin_us = timeline->host;
}

/* Managed pages that kernels changed come back when the host looks at them: here, when the call ends. */
void judge_recording_end(struct judge *judge) {
    struct judge_recording *recording = &judge->recording;
    struct timeline *timeline = &judge->server->timeline;
    if (!recording->on)
        return;
    recording->on = judge->server->queries_wait = false;
    recording->host = judge->server->order.host;
    recording->lane_count = judge->server->order.lane_count;
    judge->server->order.strict = false;
    double end = all_done(timeline);
    if (recording->managed_bytes > 0)
        end += timeline_copy_us(timeline, TIMELINE_FROM_DEVICE, recording->managed_bytes, true);
    /* As two events around the call would tell it: the second one costs the host a call. */
    recording->time_us = end - recording->begin_us + judge->server->options.model->host_event_us;
    launch_report_recorded(&judge->server->report, recording->time_us,
                           (double)recording->pinned_bytes / (double)recording->crossed_bytes,
                           recording->failed);
}

void judge_recording_fails(struct judge *judge, const char *why) {
    if (judge->recording.on && judge->recording.failed == NULL)
        judge->recording.failed = why;
}

/* Room for one more; NULL where nothing is recorded, or no more can be. */
static struct judge_operation *add(struct judge *judge, enum judge_operation_kind kind,
                                   const struct server_work *work, double time_us) {
    struct judge_recording *recording = &judge->recording;
    if (!recording->on || recording->failed != NULL)
        return NULL;
    if (judge->server->order.full) {
        recording->failed = "it works on more than 32 streams";
        return NULL;
    }
    if (recording->count == recording->capacity) {
        uint32_t capacity = recording->capacity > 0 ? 2 * recording->capacity : 256;
        struct judge_operation *larger =
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
    struct judge_operation *operation = &recording->operations[recording->count++];
    *operation = (struct judge_operation){.kind = kind,
                                          .lane = work->piece.lane,
                                          .number = work->piece.number,
                                          .stream = work->piece.stream,
                                          .after = work->piece.after,
                                          .begin_us = work->begin_us,
                                          .time_us = time_us};
    return operation;
}

/* Room for bytes of an operation; NULL: there is none, and the recording has failed. */
static uint8_t *room(struct judge *judge, struct judge_operation *operation, uint64_t bytes) {
    struct judge_recording *recording = &judge->recording;
    operation->bytes = bytes <= SENT_MOST - recording->sent_bytes ? malloc(bytes > 0 ? bytes : 1) : NULL;
    if (operation->bytes == NULL)
        recording->failed = "its host sends more than 256 MiB of its own";
    else
        recording->sent_bytes += bytes;
    return operation->bytes;
}

static void record_launch(struct judge *judge, const struct server_work *work) {
    const struct request_launch *request = work->request;
    struct judge_operation *operation = add(judge, OPERATION_LAUNCH, work, work->time_us);
    if (operation == NULL)
        return;
    operation->as.launch = *request;
    memcpy(operation->as.launch.grid, work->grid, sizeof work->grid);
    memcpy(operation->as.launch.block, work->block, sizeof work->block);
    operation->instructions = work->instructions;
    if (room(judge, operation, work->parameter_bytes) != NULL)
        memcpy(operation->bytes, work->parameters, work->parameter_bytes);
}

static void record_fill(struct judge *judge, const struct server_work *work) {
    struct judge_operation *operation = add(judge, OPERATION_FILL, work, work->time_us);
    if (operation != NULL)
        operation->as.fill = *(const struct request_fill *)work->request;
}

static bool is_placed(const struct judge_recording *recording, uint64_t address, uint64_t bytes) {
    for (unsigned i = 0; i < recording->place_count; i++) {
        const struct judge_place *place = &recording->places[i];
        if (address < place->address + place->bytes && place->address < address + bytes)
            return true;
    }
    return false;
}

static void record_copy(struct judge *judge, const struct server_work *work) {
    const struct request_copy *request = work->request;
    bool here = request->to && request->from;
    uint64_t bytes = request->width * request->height;
    judge->recording.announced_us = work->time_us;
    bool one_side =
        server_on_device(judge->server, request->to) != server_on_device(judge->server, request->from);
    judge->recording.crossed_bytes += one_side ? bytes : 0;
    judge->recording.pinned_bytes += one_side && here ? bytes : 0;
    if (!here && !request->buffered)
        return; /* it moves in parts */
    struct judge_operation *operation = add(judge, OPERATION_COPY, work, work->time_us);
    if (operation == NULL)
        return;
    operation->as.copy = *request;
    bool sent =
        here ? work->host_wrote > 0 && !is_placed(&judge->recording, request->from, bytes) : request->to != 0;
    if (!sent || room(judge, operation, bytes) == NULL)
        return;
    if (!here)
        memcpy(operation->bytes, judge->server->transfer, bytes);
    for (uint64_t row = 0; here && row < request->height; row++)
        simt_read(judge->server->device, operation->bytes + row * request->width,
                  request->from + row * request->from_pitch, request->width);
}

/* A part of the copy that was announced last: rows of it, or a piece of one row. */
static void record_transfer(struct judge *judge, const struct server_work *work) {
    const struct request_transfer *part = work->request;
    struct judge_recording *recording = &judge->recording;
    const struct request_copy *whole = &judge->server->announced;
    bool to_device = part->direction == PROTOCOL_TO_DEVICE;
    uint64_t pitch = to_device ? whole->to_pitch : whole->from_pitch,
             host_pitch = to_device ? whole->from_pitch : whole->to_pitch,
             start = to_device ? whole->to : whole->from, at = part->address - start;
    struct judge_operation *operation = add(judge, OPERATION_COPY, work, recording->announced_us);
    if (operation == NULL)
        return;
    bool one_row = pitch == 0 || (pitch == whole->width && host_pitch == whole->width);
    struct request_copy copy = {
        .width = part->width, .height = part->height, .site = whole->site, .buffered = 1};
    copy.host = whole->host + (one_row ? at : at / pitch * host_pitch + at % pitch);
    copy.to = to_device ? part->address : 0;
    copy.from = to_device ? 0 : part->address;
    copy.to_pitch = to_device ? part->pitch : host_pitch;
    copy.from_pitch = to_device ? host_pitch : part->pitch;
    operation->as.copy = copy;
    if (to_device && room(judge, operation, part->width * part->height) != NULL)
        memcpy(operation->bytes, judge->server->transfer, part->width * part->height);
}

void judge_record(struct judge *judge, const struct server_work *work) {
    switch (work->kind) {
    case SERVER_LAUNCH: record_launch(judge, work); break;
    case SERVER_COPY: record_copy(judge, work); break;
    case SERVER_TRANSFER: record_transfer(judge, work); break;
    case SERVER_FILL: record_fill(judge, work); break;
    case SERVER_FREE:
    case SERVER_RESET: break;
    }
}

void judge_record_free(struct judge *judge, struct server_work *work) {
    struct judge_recording *recording = &judge->recording;
    uint64_t start, bytes, address = work->to.address;
    if (!recording->on)
        return;
    work->refused = !simt_find_allocation(judge->server->device, address, &start, &bytes) || start != address;
    for (uint32_t i = 0; i < recording->freed_count; i++)
        work->refused = work->refused || recording->freed[i] == address;
    if (work->refused)
        return;
    if (recording->freed == NULL)
        recording->freed = malloc(FREED_MOST * sizeof *recording->freed);
    if (recording->freed == NULL || recording->freed_count == FREED_MOST) {
        judge_recording_fails(judge, "it frees memory more than 4096 times");
        return;
    }
    recording->freed[recording->freed_count++] = address;
    work->kept = true;
}

bool judge_recording_place(struct judge *judge, uint64_t address, uint64_t offset, uint64_t bytes) {
    struct judge_recording *recording = &judge->recording;
    if (recording->place_count == JUDGE_PLACES || address == 0 || address > UINT64_MAX - bytes ||
        offset > judge->bytes || bytes > judge->bytes - offset)
        return false;
    recording->places[recording->place_count++] = (struct judge_place){address, offset, bytes};
    return true;
}

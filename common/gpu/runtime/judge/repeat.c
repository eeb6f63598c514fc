/*
 * repeat.c: a recorded call once more, with what now lies in the judge's memory in place of its buffers, and
 * without the program: what comes out was made by the GPU's own work.
 *
 * In order, with modelled kernels: a kernel that does less in the call than it has to for other data shows here. Or in
 * another order that streams, events and the host's waits allow, and nothing that the host did not wait for: each stream as
 * far ahead as may be; or one of them as late as may be. A result that is wrong then was right by luck: a wait is missing.
 */
#include "gpu/runtime/judge/judge.h"

#include <string.h>

/* The judge's memory for [address, address + bytes), where that is all in one of its buffers; NULL: it is not. */
static uint8_t *placed(const struct judge *judge, uint64_t address, uint64_t bytes) {
    const struct judge_recording *recording = &judge->recording;
    for (unsigned i = 0; i < recording->place_count; i++) {
        const struct judge_place *place = &recording->places[i];
        if (address >= place->address && address - place->address <= place->bytes &&
            bytes <= place->bytes - (address - place->address))
            return judge->memory + place->offset + (address - place->address);
    }
    return NULL;
}

/* Buffers that the device can reach: what it has of them is exchanged with the judge's. */
static bool exchange(struct judge *judge, bool to_device) {
    const struct judge_recording *recording = &judge->recording;
    for (unsigned i = 0; i < recording->place_count; i++) {
        const struct judge_place *place = &recording->places[i];
        uint8_t *memory = judge->memory + place->offset;
        uint64_t start, bytes;
        if (!simt_find_allocation(judge->server->device, place->address, &start, &bytes))
            continue; /* the program's own */
        enum simt_status status =
            to_device ? simt_write(judge->server->device, place->address, memory, place->bytes)
                      : simt_read(judge->server->device, memory, place->address, place->bytes);
        if (status != SIMT_OK)
            return false;
    }
    return true;
}

static bool copy_here(struct judge *judge, const struct judge_operation *operation) {
    const struct request_copy *copy = &operation->as.copy;
    enum simt_status status = SIMT_OK;
    for (uint64_t row = 0; row < copy->height && status == SIMT_OK; row++) {
        uint64_t from = copy->from + row * copy->from_pitch;
        if (operation->bytes != NULL)
            status =
                simt_write(judge->server->device, from, operation->bytes + row * copy->width, copy->width);
        if (status == SIMT_OK)
            status = simt_copy(judge->server->device, copy->to + row * copy->to_pitch, from, copy->width);
    }
    return status == SIMT_OK;
}

/* One side is the program's own memory: a buffer of the judge's, or what the program sent, or nobody's. */
static bool copy_across(struct judge *judge, const struct judge_operation *operation) {
    const struct request_copy *copy = &operation->as.copy;
    bool to_device = copy->to != 0;
    uint64_t pitch = to_device ? copy->from_pitch : copy->to_pitch;
    enum simt_status status = SIMT_OK;
    for (uint64_t row = 0; row < copy->height && status == SIMT_OK; row++) {
        uint8_t *host = placed(judge, copy->host + row * pitch, copy->width);
        const uint8_t *sent = host != NULL               ? host
                              : operation->bytes != NULL ? operation->bytes + row * copy->width
                                                         : NULL;
        if (to_device && sent == NULL)
            return false;
        if (to_device)
            status = simt_write(judge->server->device, copy->to + row * copy->to_pitch, sent, copy->width);
        else if (host != NULL)
            status = simt_read(judge->server->device, host, copy->from + row * copy->from_pitch, copy->width);
    }
    return status == SIMT_OK;
}

static void drop_output(void *context, const char *text, size_t length) {
    (void)context, (void)text, (void)length;
}

/* timed: *time_us is what the model makes of it. */
static bool launch(struct judge *judge, const struct judge_operation *operation, bool timed,
                   double *time_us) {
    const struct request_launch *request = &operation->as.launch;
    struct server_kernel *kernel =
        request->kernel < judge->server->kernel_count ? &judge->server->kernels[request->kernel] : NULL;
    if (kernel == NULL || kernel->simt == NULL)
        return false;
    struct simt_launch launch;
    struct simt_result result = {0};
    server_launch_describe(judge->server, kernel, request, request->grid, request->block, operation->bytes,
                           &launch);
    launch.instruction_budget = 4 * operation->instructions + (1 << 20);
    launch.print = drop_output;
    bool right = simt_run(judge->server->device, &launch, &result) == SIMT_OK;
    if (right && timed) {
        struct server_timed_launch time;
        server_launch_time(judge->server, kernel, &launch, &result, &time);
        *time_us += time.time.time_us;
        server_launch_time_free(&time);
    }
    simt_result_free(&result);
    return right;
}

enum { NOBODY_LAGS = ORDER_LANES };

/* How far each stream's work is done. */
struct progress {
    uint32_t done[ORDER_LANES]; /* the number of the last piece that is */
    uint32_t next[ORDER_LANES]; /* where to look for the one after it */
};

static bool is_after(const struct order_clock *clock, const uint32_t done[ORDER_LANES]) {
    for (int i = 0; i < ORDER_LANES; i++)
        if (clock->before[i] > done[i])
            return false;
    return true;
}

/* Whether of two pieces that may be done now the first is to be: the one that was given last; where a lane lags, any other
 * before its own, in the order in which they were given. */
static bool comes_first(const struct judge_recording *recording, uint32_t a, uint32_t b, uint32_t lagging) {
    bool a_lags = recording->operations[a].lane == lagging, b_lags = recording->operations[b].lane == lagging;
    if (lagging == NOBODY_LAGS)
        return a > b;
    return a_lags != b_lags ? b_lags : a < b;
}

/* Of the pieces that may be done now the one to be done; what the host never waited for is not done at all. UINT32_MAX: there
 * is none. */
static uint32_t next_allowed(const struct judge_recording *recording, struct progress *progress,
                             uint32_t lagging) {
    uint32_t chosen = UINT32_MAX;
    for (uint32_t lane = 0; lane < recording->lane_count; lane++) {
        uint32_t *at = &progress->next[lane];
        while (*at < recording->count && recording->operations[*at].lane != lane)
            (*at)++;
        if (*at < recording->count && recording->operations[*at].number <= recording->host.before[lane] &&
            is_after(&recording->operations[*at].after, progress->done) &&
            (chosen == UINT32_MAX || comes_first(recording, *at, chosen, lagging)))
            chosen = *at;
    }
    if (chosen != UINT32_MAX) {
        uint32_t lane = recording->operations[chosen].lane;
        progress->done[lane] = recording->operations[chosen].number;
        progress->next[lane] = chosen + 1;
    }
    return chosen;
}

static bool perform(struct judge *judge, const struct judge_operation *operation, bool timed,
                    double *kernels_us) {
    switch (operation->kind) {
    case OPERATION_LAUNCH: return launch(judge, operation, timed, kernels_us);
    case OPERATION_FILL: return server_fill_rows(judge->server, &operation->as.fill) == SIMT_OK;
    case OPERATION_COPY: break;
    }
    return operation->as.copy.to && operation->as.copy.from ? copy_here(judge, operation)
                                                            : copy_across(judge, operation);
}

/* Everything as it was when the call began, with the judge's buffers. */
static bool start_again(struct judge *judge, bool results_alone) {
    simt_restore(judge->server->device, judge->recording.before);
    simt_device_flush_cache(judge->server->device);
    simt_device_set_results_alone(judge->server->device, results_alone);
    return exchange(judge, true);
}

uint64_t judge_repeat(struct judge *judge, uint64_t order) {
    const struct judge_recording *recording = &judge->recording;
    bool other_order = order != JUDGE_AS_GIVEN;
    uint32_t lagging = order >= JUDGE_LAGS ? (uint32_t)(order - JUDGE_LAGS) : NOBODY_LAGS;
    if (order >= JUDGE_LAGS && (recording->lane_count <= 1 || lagging >= recording->lane_count))
        return JUDGE_NO_SUCH_ORDER;
    struct progress progress = {{0}, {0}};
    double kernels_us = 0, recorded_us = 0;
    bool right = !recording->on && recording->failed == NULL && recording->before != NULL;
    right = right && start_again(judge, judge->server->results_alone || other_order);
    for (uint32_t i = 0; right && i < recording->count; i++) {
        uint32_t next = other_order ? next_allowed(recording, &progress, lagging) : i;
        if (next == UINT32_MAX)
            break;
        const struct judge_operation *operation = &recording->operations[next];
        right = perform(judge, operation, !other_order, &kernels_us);
        recorded_us += operation->kind == OPERATION_LAUNCH ? operation->time_us : 0;
    }
    right = right && exchange(judge, false);
    simt_device_set_results_alone(judge->server->device, judge->server->results_alone);
    launch_report_repeated(&judge->server->report, other_order || !right ? 0 : kernels_us - recorded_us);
    return right;
}

/* ---- which two pieces nothing orders */

struct traced {
    struct judge *judge;
    bool told;
};

static void tell(void *context, const struct order_piece *first, const struct order_piece *second,
                 uint64_t address, enum footprint_kind kind) {
    struct traced *traced = context;
    struct server *server = traced->judge->server;
    const struct judge_recording *recording = &traced->judge->recording;
    char text[640];
    if (traced->told)
        return;
    traced->told = true;
    server_order_describe(server, first, second, address, kind, text, sizeof text);
    launch_report_unordered(&server->report, text);
    for (uint32_t i = 0; i < recording->count; i++) {
        const struct judge_operation *operation = &recording->operations[i];
        if (operation->number == first->number || (second != NULL && operation->number == second->number))
            server_span(server, SPAN_KIND_MARK, operation->stream, "unordered", 0, operation->begin_us,
                        operation->time_us);
    }
}

uint64_t judge_trace(struct judge *judge) {
    static const enum server_work_kind kinds[] = {
        [OPERATION_LAUNCH] = SERVER_LAUNCH, [OPERATION_COPY] = SERVER_COPY, [OPERATION_FILL] = SERVER_FILL};
    const struct judge_recording *recording = &judge->recording;
    struct order order = {0};
    struct traced traced = {judge, false};
    double ignored = 0;
    bool right =
        !recording->on && recording->failed == NULL && recording->before != NULL && start_again(judge, true);
    for (uint32_t i = 0; right && i < recording->count && !traced.told; i++) {
        const struct judge_operation *operation = &recording->operations[i];
        struct order_piece piece = {.lane = operation->lane,
                                    .number = operation->number,
                                    .stream = operation->stream,
                                    .after = operation->after};
        simt_device_trace(judge->server->device, &piece.touched, NULL);
        right = perform(judge, operation, false, &ignored);
        simt_device_trace(judge->server->device, NULL, NULL);
        server_order_piece(judge->server, kinds[operation->kind], &operation->as, &piece);
        footprint_finish(&piece.touched);
        order_keep(&order, &piece, tell, &traced);
    }
    order.host = recording->host;
    for (unsigned i = 0; right && i < recording->place_count; i++)
        order_host_touches(&order, recording->places[i].address, recording->places[i].bytes, false, tell,
                           &traced);
    order_free(&order);
    simt_device_set_results_alone(judge->server->device, judge->server->results_alone);
    return right;
}

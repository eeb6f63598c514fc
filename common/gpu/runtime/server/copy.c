/* copy.c: copies and fills. Ranges are checked whole before the first byte moves. */
#include "gpu/runtime/server/server.h"

#include <string.h>

/* Bytes from the first to the last byte of `height` rows. False: more than 64 bits. */
static bool extent(uint64_t pitch, uint64_t width, uint64_t height, uint64_t *bytes) {
    uint64_t rows;
    if (width == 0 || height == 0) {
        *bytes = 0;
        return true;
    }
    return !__builtin_mul_overflow(pitch, height - 1, &rows) && !__builtin_add_overflow(rows, width, bytes);
}

/* Whether rows do not overlap. Overlapping rows would allow copies without limit. */
static bool rows_apart(uint64_t pitch, uint64_t width, uint64_t height) {
    return height <= 1 || pitch >= width;
}

/* Bytes that device memory moves for these rows: each row's whole sectors, since rows are moved one
 * by one. A lower bound: what a row costs beyond its sectors is not measured. */
static uint64_t priced_bytes(uint64_t address, uint64_t pitch, uint64_t width, uint64_t height) {
    enum { SECTOR = 32 };
    uint64_t sectors = 0;
    for (uint64_t row = 0; row < height; row++)
        sectors += ((address + row * pitch) % SECTOR + width + SECTOR - 1) / SECTOR;
    return SECTOR * sectors;
}

/* Are the rows one run of bytes? */
static bool is_flat(uint64_t pitch, uint64_t width, uint64_t height) {
    return pitch == width || height <= 1;
}

/* Whether the device may access this range in one allocation; otherwise reports the error. */
static bool check_range(struct server *server, const char *what, uint64_t address, uint64_t pitch,
                        uint64_t width, uint64_t height, struct reply *reply) {
    uint64_t bytes, start, size;
    if (!extent(pitch, width, height, &bytes)) {
        reply->error = ERROR_INVALID_VALUE;
        return false;
    }
    if (bytes == 0)
        return true;
    if (!simt_find_allocation(server->device, address, &start, &size)) {
        reply->error = ERROR_INVALID_VALUE;
        server_reply_say(reply, "%s: 0x%llx lies in no allocation", what, (unsigned long long)address);
        return false;
    }
    uint64_t left = size - (address - start);
    if (bytes > left) {
        reply->error = ERROR_INVALID_VALUE;
        const char *name = simt_allocation_name(server->device, address);
        server_reply_say(reply,
                         "%s %s, which has %llu bytes: %llu bytes from byte %llu on end %llu beyond it", what,
                         name != NULL ? name : "", (unsigned long long)size, (unsigned long long)bytes,
                         (unsigned long long)(address - start), (unsigned long long)(bytes - left));
        return false;
    }
    return true;
}

static enum simt_status copy_rows(struct server *server, const struct request_copy *copy) {
    if (copy->to_pitch == copy->width && copy->from_pitch == copy->width)
        return simt_copy(server->device, copy->to, copy->from, copy->width * copy->height);
    enum simt_status status = SIMT_OK;
    for (uint64_t row = 0; row < copy->height && status == SIMT_OK; row++)
        status = simt_copy(server->device, copy->to + row * copy->to_pitch,
                           copy->from + row * copy->from_pitch, copy->width);
    return status;
}

/* Copies rows between the device and the transfer buffer, where the rows are contiguous. */
static enum simt_status move_rows(struct server *server, uint32_t direction, uint64_t address, uint64_t pitch,
                                  uint64_t width, uint64_t height) {
    enum simt_status status = SIMT_OK;
    uint64_t rows = height, step = width;
    if (pitch == width) {
        rows = 1;
        step = width * height;
    }
    for (uint64_t row = 0; row < rows && status == SIMT_OK; row++) {
        uint8_t *host = server->transfer + row * step;
        status = direction == PROTOCOL_TO_DEVICE
                     ? simt_write(server->device, address + row * pitch, host, step)
                     : simt_read(server->device, host, address + row * pitch, step);
    }
    server_take_remarks(server);
    return status;
}

/* The direction by the addresses; the program's own statement does not count. */
static enum protocol_direction direction_of(struct server *server, const struct request_copy *copy) {
    bool from_device = server_on_device(server, copy->from);
    if (server_on_device(server, copy->to))
        return from_device ? PROTOCOL_IN_DEVICE : PROTOCOL_TO_DEVICE;
    return from_device ? PROTOCOL_FROM_DEVICE : PROTOCOL_IN_HOST;
}

/* Bytes that a copy costs. Within the device it is half of what is read and written. */
static uint64_t copy_price(const struct request_copy *copy) {
    bool flat = (copy->to == 0 || is_flat(copy->to_pitch, copy->width, copy->height)) &&
                (copy->from == 0 || is_flat(copy->from_pitch, copy->width, copy->height));
    if (flat)
        return copy->width * copy->height;
    uint64_t to = copy->to ? priced_bytes(copy->to, copy->to_pitch, copy->width, copy->height) : 0;
    uint64_t from = copy->from ? priced_bytes(copy->from, copy->from_pitch, copy->width, copy->height) : 0;
    return copy->to && copy->from ? (to + from) / 2 : to + from;
}

static struct server_range range_of(uint64_t address, uint64_t pitch, uint64_t width, uint64_t height) {
    struct server_range range = {address, 0};
    return address && extent(pitch, width, height, &range.bytes) ? range : (struct server_range){0, 0};
}

static const enum timeline_copy kinds[] = {[PROTOCOL_TO_DEVICE] = TIMELINE_TO_DEVICE,
                                           [PROTOCOL_FROM_DEVICE] = TIMELINE_FROM_DEVICE,
                                           [PROTOCOL_IN_DEVICE] = TIMELINE_IN_DEVICE,
                                           [PROTOCOL_IN_HOST] = TIMELINE_IN_HOST};
static const enum span_kind directions[] = {[PROTOCOL_TO_DEVICE] = SPAN_KIND_TO_DEVICE,
                                            [PROTOCOL_FROM_DEVICE] = SPAN_KIND_FROM_DEVICE,
                                            [PROTOCOL_IN_DEVICE] = SPAN_KIND_IN_DEVICE};

/* Whether the copy engines reach the memory by themselves, whatever the program says. */
static bool is_pinned(struct server *server, const struct request_copy *request) {
    const struct server_region *to = request->to ? server_region_at(server, request->to) : NULL,
                               *from = request->from ? server_region_at(server, request->from) : NULL;
    return request->pinned && ((to != NULL && to->memory != PROTOCOL_MANAGED) ||
                               (from != NULL && from->memory != PROTOCOL_MANAGED));
}

/* Enters a copy in the report and the timeline. */
static void enter_copy(struct server *server, const struct request_copy *request,
                       struct timeline_stream *stream, enum protocol_direction direction,
                       struct server_work *work) {
    bool pinned = is_pinned(server, request);
    uint64_t priced = copy_price(request);
    work->time_us = timeline_copy_us(&server->timeline, kinds[direction], priced, pinned);
    if (direction != PROTOCOL_IN_HOST && !server->quiet)
        launch_report_copy(&server->report, directions[direction], work->bytes, work->time_us);
    double begin_us =
        timeline_copy(&server->timeline, stream, kinds[direction], priced, pinned, request->blocking);
    if (direction != PROTOCOL_IN_HOST)
        server_span(server, directions[direction], request->stream,
                    pinned || direction == PROTOCOL_IN_DEVICE ? "" : "pageable", work->bytes, begin_us,
                    work->time_us);
    work->begin_us = begin_us;
    work->host_waits = request->blocking ||
                       ((direction == PROTOCOL_TO_DEVICE || direction == PROTOCOL_FROM_DEVICE) && !pinned);
    if (server->check && server->report.socket && work->host_waits && !request->blocking) /* in a lab */
        server_remark_call(
            server, "pageable", request->site,
            "cudaMemcpyAsync of pageable memory (malloc, new, a variable) makes the host wait until the "
            "copy is done: pinned memory (cudaMallocHost) is copied while the host goes on");
    server->announced = *request;
    server->announced_waits = work->host_waits;
    if (work->moves) /* else its parts follow */
        server_order_enters(server, work);
    server->options.hooks->entered(server->judge, work);
}

HANDLER(COPY, request_copy) {
    const struct server_hooks *hooks = server->options.hooks;
    struct timeline_stream *stream;
    uint64_t bytes;
    if (request->direction > PROTOCOL_IN_HOST ||
        __builtin_mul_overflow(request->width, request->height, &bytes)) {
        reply->error = ERROR_INVALID_VALUE;
        return;
    }
    if (!server_stream(server, request->stream, &stream, reply))
        return;
    if ((request->to && !rows_apart(request->to_pitch, request->width, request->height)) ||
        (request->from && !rows_apart(request->from_pitch, request->width, request->height))) {
        reply->error = ERROR_INVALID_PITCH;
        return;
    }
    enum protocol_direction direction = direction_of(server, request);
    bool here = request->to && request->from, to_device = request->to != 0,
         any = request->to || request->from;
    struct server_work work = {
        .kind = SERVER_COPY,
        .name = "a copy",
        .request = request,
        .stream = request->stream,
        .to = range_of(request->to, request->to_pitch, request->width, request->height),
        .from = range_of(request->from, request->from_pitch, request->width, request->height),
        .bytes = bytes,
        .moves = bytes > 0 && any && (here || request->buffered)};
    if (bytes > 0 && direction != PROTOCOL_IN_HOST && !hooks->allows(server->judge, &work, reply))
        return;
    if (request->to && !check_range(server, "copy to", request->to, request->to_pitch, request->width,
                                    request->height, reply))
        return;
    if (request->from && !check_range(server, "copy from", request->from, request->from_pitch, request->width,
                                      request->height, reply))
        return;
    enum simt_status status = SIMT_OK;
    if (bytes > 0 && any)
        hooks->begins(server->judge, &work);
    if (bytes > 0 && here)
        status = copy_rows(server, request);
    else if (work.moves)
        status = bytes > PROTOCOL_TRANSFER_BYTES
                     ? SIMT_INVALID_VALUE
                     : move_rows(server, to_device ? PROTOCOL_TO_DEVICE : PROTOCOL_FROM_DEVICE,
                                 to_device ? request->to : request->from,
                                 to_device ? request->to_pitch : request->from_pitch, request->width,
                                 request->height);
    if (status != SIMT_OK) {
        reply->error = ERROR_INVALID_VALUE;
        return;
    }
    if (work.moves)
        hooks->ended(server->judge, &work);
    /* The transfers of this copy may move that many bytes; the judge counts them here. */
    if (!work.moves && any)
        server->granted[to_device ? PROTOCOL_TO_DEVICE : PROTOCOL_FROM_DEVICE] += bytes;
    if (bytes > 0)
        enter_copy(server, request, stream, direction, &work);
    server_reply_value(reply, here || request->buffered);
}

HANDLER(TRANSFER, request_transfer) {
    uint64_t bytes;
    if (__builtin_mul_overflow(request->width, request->height, &bytes) || bytes > PROTOCOL_TRANSFER_BYTES ||
        request->direction > PROTOCOL_FROM_DEVICE) {
        reply->error = ERROR_INVALID_VALUE;
        return;
    }
    if (!rows_apart(request->pitch, request->width, request->height)) {
        reply->error = ERROR_INVALID_PITCH;
        return;
    }
    if (bytes > server->granted[request->direction]) {
        reply->error = ERROR_INVALID_VALUE; /* more than COPY announced */
        return;
    }
    const struct server_hooks *hooks = server->options.hooks;
    bool to_device = request->direction == PROTOCOL_TO_DEVICE;
    struct server_range range = range_of(request->address, request->pitch, request->width, request->height);
    struct server_work work = {.kind = SERVER_TRANSFER,
                               .name = "a copy",
                               .request = request,
                               .bytes = bytes,
                               .moves = true,
                               .stream = server->announced.stream,
                               .host_waits = server->announced_waits};
    *(to_device ? &work.to : &work.from) = range;
    if (bytes > 0 && !hooks->allows(server->judge, &work, reply))
        return;
    server->granted[request->direction] -= bytes;
    if (bytes == 0 || !check_range(server, "copy to or from", request->address, request->pitch,
                                   request->width, request->height, reply))
        return;
    hooks->begins(server->judge, &work);
    if (move_rows(server, request->direction, request->address, request->pitch, request->width,
                  request->height) != SIMT_OK) {
        reply->error = ERROR_INVALID_VALUE;
        return;
    }
    hooks->ended(server->judge, &work);
    server_order_enters(server, &work);
    hooks->entered(server->judge, &work);
}

enum simt_status server_fill_rows(struct server *server, const struct request_fill *request) {
    enum simt_status status = SIMT_OK;
    uint32_t element = request->element_bytes > 1 ? request->element_bytes : 1;
    bool flat = is_flat(request->pitch, request->width, request->height);
    uint64_t rows = flat ? 1 : request->height,
             width = flat ? request->width * request->height : request->width;
    if (width % element != 0)
        return SIMT_INVALID_VALUE;
    for (uint64_t row = 0; width > 0 && row < rows && status == SIMT_OK; row++)
        status = simt_fill(server->device, request->address + row * request->pitch, request->value, element,
                           width / element);
    return status;
}

HANDLER(FILL, request_fill) {
    struct timeline_stream *stream;
    uint64_t bytes;
    if (__builtin_mul_overflow(request->width, request->height, &bytes) ||
        !rows_apart(request->pitch, request->width, request->height)) {
        reply->error = ERROR_INVALID_VALUE;
        return;
    }
    if (!server_stream(server, request->stream, &stream, reply) ||
        !check_range(server, "memset of", request->address, request->pitch, request->width, request->height,
                     reply))
        return;
    const struct server_hooks *hooks = server->options.hooks;
    struct server_work work = {
        .kind = SERVER_FILL,
        .name = "a memset",
        .request = request,
        .stream = request->stream,
        .host_waits = request->blocking,
        .to = range_of(request->address, request->pitch, request->width, request->height),
        .bytes = bytes,
        .moves = true};
    if (bytes > 0 && !hooks->allows(server->judge, &work, reply))
        return;
    hooks->begins(server->judge, &work);
    enum simt_status status = server_fill_rows(server, request);
    if (status != SIMT_OK)
        reply->error = ERROR_INVALID_VALUE;
    if (status != SIMT_OK || bytes == 0)
        return;
    hooks->ended(server->judge, &work);
    uint64_t priced = is_flat(request->pitch, request->width, request->height)
                          ? bytes
                          : priced_bytes(request->address, request->pitch, request->width, request->height);
    work.time_us = timeline_copy_us(&server->timeline, TIMELINE_FILL, priced, false);
    if (!server->quiet)
        launch_report_fill(&server->report, bytes, work.time_us);
    double begin_us =
        timeline_copy(&server->timeline, stream, TIMELINE_FILL, priced, false, request->blocking);
    work.begin_us = begin_us;
    server_span(server, SPAN_KIND_FILL, request->stream, "", bytes, begin_us, work.time_us);
    server_order_enters(server, &work);
    hooks->entered(server->judge, &work);
}

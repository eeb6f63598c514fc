/* unordered.c: enters each piece of work in the order of things (order.h), and remarks on two
 * pieces, or a piece and the host, that touch the same bytes and that nothing orders. */
#include "base/child.h"
#include "gpu/runtime/server/server.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A touch of the host's. */
struct server_touch {
    struct server *server;
    const struct request_early *request;
};

/* ---- names */

static const char *base_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

/* A line of a source; 0: not known. */
struct place {
    char file[64];
    uint32_t line;
};

/* The line of a call at that address of the program, by its debugging information. */
static struct place call_place(const struct server *server, uint64_t site) {
    char address[32], output[512] = "";
    const char *const arguments[] = {"addr2line", "-s", "-e", server->options.program, address, NULL};
    struct place place = {"", 0};
    snprintf(address, sizeof address, "0x%" PRIx64, site - 1); /* of the call, not of what follows it */
    if (server->options.program == NULL || site == 0 || child_run(arguments, output, sizeof output) != 0 ||
        output[0] == '?' || sscanf(output, "%63[^:]:%" SCNu32, place.file, &place.line) != 2)
        return (struct place){"", 0};
    return place;
}

void server_remark_call(struct server *server, const char *kind, uint64_t site, const char *message) {
    struct place place = call_place(server, site);
    struct simt_remark remark = {.kind = kind, .count = 1, .line = place.line};
    memcpy(remark.file, place.file, sizeof place.file);
    snprintf(remark.message, sizeof remark.message, "%s", message);
    server_remark(server, &remark);
}

static struct place piece_place(const struct server *server, const struct order_piece *piece) {
    struct place place = call_place(server, piece->site);
    if (place.line == 0) {
        memcpy(place.file, piece->file, sizeof place.file);
        place.line = piece->line;
    }
    return place;
}

static void name_place(const struct place *place, char text[80]) {
    text[0] = '\0';
    if (place->line != 0)
        snprintf(text, 80, " at %s:%" PRIu32, place->file, place->line);
}

/* "the copy at kernel.cu:93 (stream 3)" */
static void name_piece(const struct server *server, const struct order_piece *piece, char *text,
                       size_t size) {
    struct place place = piece_place(server, piece);
    char at[80], stream[32] = "default stream";
    name_place(&place, at);
    if (piece->stream != 0)
        snprintf(stream, sizeof stream, "stream %" PRIu32, piece->lane + 1);
    snprintf(text, size, "%s%s (%s)", piece->name, at, stream);
}

/* "byte 8 of 4096 bytes of cudaMalloc #2" */
static void name_byte(struct server *server, uint64_t address, char *text, size_t size) {
    uint64_t start, bytes;
    const char *name = simt_allocation_name(server->device, address);
    if (simt_find_allocation(server->device, address, &start, &bytes))
        snprintf(text, size, "byte %" PRIu64 " of %" PRIu64 " bytes of %s", address - start, bytes,
                 name != NULL ? name : "memory");
    else
        snprintf(text, size, "the program's own memory");
}

void server_order_describe(struct server *server, const struct order_piece *first,
                           const struct order_piece *second, uint64_t address, enum footprint_kind kind,
                           char *text, size_t size) {
    char a[224], b[224], byte[160];
    name_piece(server, first, a, sizeof a);
    name_byte(server, address, byte, sizeof byte);
    if (second == NULL) {
        snprintf(text, size, "nothing waits for %s, which writes %s, before the call returns", a, byte);
        return;
    }
    name_piece(server, second, b, sizeof b);
    snprintf(text, size, "nothing orders %s, which %s %s, and %s, which %s it", a,
             kind == FOOTPRINT_READ ? "reads" : "writes", byte, b,
             kind == FOOTPRINT_READ ? "writes" : "uses");
}

static void remark(void *context, const struct order_piece *first, const struct order_piece *second,
                   uint64_t address, enum footprint_kind kind) {
    struct server *server = context;
    struct place place = piece_place(server, second);
    struct simt_remark found = {.kind = "unordered", .count = 1, .line = place.line};
    memcpy(found.file, place.file, sizeof place.file);
    server_order_describe(server, first, second, address, kind, found.message, sizeof found.message);
    size_t length = strlen(found.message);
    snprintf(
        found.message + length, sizeof found.message - length, "%s",
        first->lane == second->lane
            ? ": the second one was launched to begin before the first has ended, so it must call "
              "cudaGridDependencySynchronize() before that"
        : first->stream == 0 || second->stream == 0
            ? ": give the one on the default stream the other's stream, or let the second one's stream wait for "
              "an event that is recorded behind the first"
            : ": let the second one's stream wait for an event that is recorded behind the first");
    if (server->order.found[0] == '\0')
        snprintf(server->order.found, sizeof server->order.found, "%s", found.message);
    if (!server->check)
        return;
    server_remark(server, &found);
}

/* ---- work */

/* Rows that a copy or fill touches; `address` 0: none. */
static void add_rows(struct order_piece *piece, enum footprint_kind kind, uint64_t address, uint64_t pitch,
                     uint64_t width, uint64_t height) {
    for (uint64_t row = 0; address != 0 && row < height; row++)
        footprint_add(&piece->touched, kind, address + row * pitch, width);
}

static void take_launch(const struct server *server, const struct request_launch *launch,
                        struct order_piece *piece) {
    const struct server_kernel *kernel = &server->kernels[launch->kernel];
    const struct ptx_function *function = simt_kernel_function(kernel->simt);
    const struct server_module *module = handle_object(&server->modules, kernel->module);
    snprintf(piece->name, sizeof piece->name, "%.*s", (int)strcspn(kernel->name, "(<"), kernel->name);
    piece->site = launch->site;
    piece->signals = kernel->signals;
    for (uint32_t i = 0; module != NULL && i < function->instruction_count && piece->line == 0; i++) {
        const struct ptx_instruction *in = &function->instructions[i];
        piece->line = in->outer_line != 0 ? in->outer_line : in->line;
        uint16_t file = in->outer_line != 0 ? in->outer_file : in->file;
        if (piece->line != 0 && file < module->program->file_count)
            snprintf(piece->file, sizeof piece->file, "%s", base_name(module->program->files[file]));
    }
}

static void take_copy(const struct request_copy *copy, struct order_piece *piece) {
    snprintf(piece->name, sizeof piece->name, "the copy");
    piece->site = copy->site;
    add_rows(piece, FOOTPRINT_READ, copy->from != 0 ? copy->from : copy->host, copy->from_pitch, copy->width,
             copy->height);
    add_rows(piece, FOOTPRINT_WRITTEN, copy->to != 0 ? copy->to : copy->host, copy->to_pitch, copy->width,
             copy->height);
}

void server_order_piece(const struct server *server, enum server_work_kind kind, const void *request,
                        struct order_piece *piece) {
    const struct request_transfer *part = request;
    const struct request_fill *fill = request;
    switch (kind) {
    case SERVER_LAUNCH: take_launch(server, request, piece); break;
    case SERVER_COPY: take_copy(request, piece); break;
    case SERVER_TRANSFER:
        snprintf(piece->name, sizeof piece->name, "the copy");
        piece->site = server->announced.site;
        add_rows(piece, part->direction == PROTOCOL_TO_DEVICE ? FOOTPRINT_WRITTEN : FOOTPRINT_READ,
                 part->address, part->pitch, part->width, part->height);
        break;
    case SERVER_FILL:
        snprintf(piece->name, sizeof piece->name, "the memset");
        piece->site = fill->site;
        add_rows(piece, FOOTPRINT_WRITTEN, fill->address, fill->pitch, fill->width, fill->height);
        break;
    case SERVER_FREE:
    case SERVER_RESET: break;
    }
}

/* Whether a kernel that may signal touches memory which the host sees. */
static bool reaches_host(struct server *server, const struct footprint *touched) {
    for (size_t i = 0; i < touched->count; i++)
        if (server_region_at(server, touched->ranges[i].start) != NULL)
            return true;
    return false;
}

bool server_order_traces(const struct server *server) {
    const struct order *order = &server->order;
    return server->check || (server->follows && order->followed && !order->unseen);
}

/* Whether the piece that enters may overlap with another of its judged call. */
static void look_for_overlap(struct server *server, bool programmatic) {
    struct order *order = &server->order;
    bool overlaps = server->follows && (order->lane_count > 1 || order->full || programmatic);
    order->unseen = order->unseen || (overlaps && !order->followed && !server->check);
    order->followed = order->followed || overlaps;
}

void server_order_enters(struct server *server, struct server_work *work) {
    bool kernel = work->kind == SERVER_LAUNCH,
         programmatic = kernel && ((const struct request_launch *)work->request)->programmatic != 0;
    if (!server->check && !server->queries_wait)
        return;
    order_next(server, work->stream, kernel, programmatic, &work->piece);
    look_for_overlap(server, programmatic);
    if (!server_order_traces(server))
        return;
    server_order_piece(server, work->kind, work->request, &work->piece);
    if (programmatic) {
        struct order_piece early = work->piece;
        early.after = early.early;
        early.touched = early.touched_early;
        footprint_finish(&early.touched);
        order_keep(&server->order, &early, remark, server);
    }
    footprint_finish(&work->piece.touched);
    if (work->piece.signals && reaches_host(server, &work->piece.touched))
        order_host_hears(&server->order, &work->piece);
    order_keep(&server->order, &work->piece, remark, server);
}

/* ---- the host */

/* What of the memory of both sides work may still touch: the program closes its pages. */
HANDLER(PENDING, request_none) {
    const struct order *order = &server->order;
    uint32_t count = 0;
    struct reply_pending *pending =
        server_reply_bytes(reply, (uint32_t)(order->kept_ranges * sizeof *pending));
    for (size_t i = 0; pending != NULL && i < order->kept_count; i++) {
        const struct footprint *touched = &order->kept[i].touched;
        for (size_t k = 0; k < touched->count && order_may_run(order, &order->kept[i]); k++) {
            const struct footprint_range *range = &touched->ranges[k];
            if (server_region_at(server, range->start) != NULL)
                pending[count++] = (struct reply_pending){range->start, range->end - range->start,
                                                          range->kind != FOOTPRINT_READ};
        }
    }
    reply->size = count * (uint32_t)sizeof *pending;
}

static void remark_early(void *context, const struct order_piece *piece, const struct order_piece *none,
                         uint64_t address, enum footprint_kind kind) {
    static const char *const names[] = {[PROTOCOL_DEVICE] = "device memory",
                                        [PROTOCOL_MANAGED] = "managed memory",
                                        [PROTOCOL_PINNED] = "pinned host memory",
                                        [PROTOCOL_REGISTERED] = "registered host memory"};
    const struct server_touch *touch = context;
    const struct server_region *region = server_region_at(touch->server, address);
    struct simt_remark early = {.kind = "early", .count = 1};
    struct place place = call_place(touch->server, touch->request->site);
    char name[224], at[80];
    (void)none;
    if (region == NULL)
        return;
    name_piece(touch->server, piece, name, sizeof name);
    name_place(&place, at);
    snprintf(early.message, sizeof early.message,
             "the host%s %s byte %" PRIu64 " of %" PRIu64 " bytes of %s while %s may still be %s there: "
             "wait for its stream first (cudaStreamSynchronize, cudaDeviceSynchronize)",
             at, touch->request->is_store ? "writes" : "reads", address - region->address, region->bytes,
             names[region->memory], name, kind == FOOTPRINT_READ ? "reading" : "writing");
    server_remark(touch->server, &early);
}

HANDLER(EARLY, request_early) {
    struct server_touch touch = {server, request};
    if (server->check)
        order_host_touches(&server->order, request->address, request->bytes, request->is_store, remark_early,
                           &touch);
}

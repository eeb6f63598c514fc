/*
 * judge.c: a judge between whose calls the program is nobody. It reads the launch report, and has
 * memory in common with this process alone. By commands on the report's socket it puts inputs into device
 * memory and takes results out of it; the program gets their addresses and never the bytes, unless it copies
 * them, which the report shows. Outside the judge's windows the program may allocate, load modules and make
 * streams, but no kernel, copy or fill of its runs; copies and fills do until the judge has given something. When a
 * window closes, what may follow from an input is forgotten (gpu/simt/memory/kept.c, judge/shared.c). Its commands: judge/commands.c.
 *
 * Without memory in common there is no judge: everything is allowed, and only what the host does is noted (host.c).
 */
#include "gpu/runtime/judge/judge.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* Take the memory in common. */
static bool open_memory(struct judge *judge, char *error, size_t size) {
    struct stat status;
    int descriptor = judge->server->options.memory;
    if (descriptor < 0)
        return true;
    void *memory = MAP_FAILED;
    if (judge->server->report.socket && fstat(descriptor, &status) == 0 && status.st_size > 0)
        memory = mmap(NULL, (size_t)status.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    close(descriptor);
    if (memory == MAP_FAILED) {
        snprintf(error, size, "--memory-fd is no memory, or --report-fd no socket for its commands");
        return false;
    }
    judge->memory = memory;
    judge->bytes = (uint64_t)status.st_size;
    judge->server->quiet = true;
    simt_keep(judge->server->device);
    return true;
}

static struct judge *open_judge(struct server *server, char *error, size_t size) {
    struct judge *judge = calloc(1, sizeof *judge);
    if (judge == NULL) {
        snprintf(error, size, "out of memory for the judge's side of the simulated GPU");
        return NULL;
    }
    judge->server = server;
    if (!open_memory(judge, error, size)) {
        free(judge);
        return NULL;
    }
    return judge;
}

static void close_judge(struct judge *judge) {
    judge_recording_release(judge);
    if (judge->memory != NULL)
        munmap(judge->memory, judge->bytes);
    free(judge->host.live);
    free(judge);
}

/* ---- what the program may do */

enum violation { OUTSIDE, FREED };

/* The first of each kind is told: a program that goes on cannot drown the report. */
static void tell(struct judge *judge, enum violation kind, const char *message) {
    static const char *const names[] = {[OUTSIDE] = "outside", [FREED] = "freed"};
    if (judge->violated & 1u << kind)
        return;
    judge->violated |= 1u << kind;
    launch_report_violation(&judge->server->report, names[kind], message);
}

/* Before the judge has given anything there is no input that a copy or a fill could be of: objects may clear their memory
 * where they are made. */
static bool may_work(struct judge *judge, const struct server_work *work, struct reply *reply) {
    if (judge->memory == NULL || judge->window || judge->everywhere)
        return true;
    judge_obey(judge); /* the window may have been opened meanwhile */
    if (judge->window || judge->everywhere || (!judge->begun && work->kind != SERVER_LAUNCH))
        return true;
    reply->error = ERROR_NOT_PERMITTED;
    tell(judge, OUTSIDE, work->name);
    return false;
}

/* A launch of the judged call gets another shape where the judge wants to see that, and what is left of the budget. */
static void shape_launch(struct judge *judge, struct server_work *work) {
    work->instruction_budget = judge->left;
    if (judge->launches++ != judge->reshaped || !judge->reshapes)
        return;
    for (int i = 0; i < 2; i++) {
        uint64_t threads = (uint64_t)work->grid[i] * work->block[i];
        work->block[i] = judge->shape[i];
        work->grid[i] = (uint32_t)((threads + work->block[i] - 1) / work->block[i]);
    }
}

static bool may_free(struct judge *judge, const struct server_work *work, struct reply *reply) {
    for (unsigned i = 0; i < judge->owned_count; i++)
        if (judge->owned[i] == work->to.address) {
            tell(judge, FREED, work->name);
            reply->error = ERROR_INVALID_VALUE;
            return false;
        }
    return true;
}

static bool may_reset(struct judge *judge, const struct server_work *work, struct reply *reply) {
    if (judge->owned_count > 0) {
        tell(judge, FREED, work->name);
        reply->error = ERROR_NOT_PERMITTED;
        return false;
    }
    judge_recording_fails(judge, "it resets the device");
    judge->recording.freed_count = 0;
    return true;
}

static bool allows(struct judge *judge, struct server_work *work, struct reply *reply) {
    switch (work->kind) {
    case SERVER_FREE: return may_free(judge, work, reply);
    case SERVER_RESET: return may_reset(judge, work, reply);
    case SERVER_LAUNCH: judge_obey(judge); break;
    default: break;
    }
    if (!may_work(judge, work, reply))
        return false;
    if (work->kind == SERVER_LAUNCH)
        shape_launch(judge, work);
    return true;
}

/* ---- work, before and after */

static void begins(struct judge *judge, struct server_work *work) {
    if (work->kind == SERVER_FREE)
        judge_record_free(judge, work);
    if (judge->memory == NULL)
        return;
    if (work->kind == SERVER_LAUNCH)
        judge_flow_launch(judge, work);
    if (work->kind == SERVER_COPY)
        judge_flow_operation(judge);
    if (work->moves)
        judge_flow_before_move(judge, work);
}

static void ended(struct judge *judge, const struct server_work *work) {
    uint64_t *left = &judge->left;
    if (work->kind == SERVER_LAUNCH && *left) /* never 0 again: the next launch of the call stops at once */
        *left = *left > work->instructions ? *left - work->instructions : 1;
    if (judge->memory == NULL)
        return;
    if (work->kind == SERVER_LAUNCH)
        judge_flow_launched(judge, work);
    else if (work->kind == SERVER_FILL)
        judge_flow_filled(judge, work);
    else if (work->moves)
        judge_flow_moved(judge, work);
}

static void entered(struct judge *judge, const struct server_work *work) {
    judge_record(judge, work);
    judge_flow_entered(judge, work);
    if (work->host_waits)
        order_host_waits(judge->server, work->stream);
}

/* ---- memory of both sides */

static enum simt_status map(struct judge *judge, struct server_region *region, const char *name) {
    uint8_t *pages = judge->memory != NULL ? judge_shared_open(region) : region->host;
    if (pages == NULL)
        return SIMT_OUT_OF_MEMORY;
    enum simt_status status = simt_map(judge->server->device, region->address, region->bytes,
                                       pages + region->address % page_bytes(), name);
    if (status != SIMT_OK)
        judge_shared_close(region);
    else
        judge_shared_watch(judge, region);
    return status;
}

static void unmap(struct server_region *region) {
    judge_shared_close(region);
}

/* ---- requests that are answered */

static void answered(struct judge *judge, uint32_t operation, const void *request, uint32_t tail_bytes,
                     const struct reply *reply) {
    if (operation == PROTOCOL_LIMITS)
        judge_flow_operation(judge); /* kernels can find out */
    if (reply->error != 0)
        return;
    if (operation == PROTOCOL_MODULE_LOAD) {
        judge_flow_module(judge, tail_bytes);
        judge_shared_initialised(judge);
    }
    if (operation == PROTOCOL_RESET && judge->memory != NULL)
        simt_keep(judge->server->device);
    order_note(judge->server, operation, request);
    judge_flow_waited(judge, operation, request);
    judge_host_note(judge, operation, request, reply);
    if (operation == PROTOCOL_END)
        judge_host_end_of_program(judge);
}

const struct server_hooks judge_hooks = {
    .open = open_judge,
    .close = close_judge,
    .obey = judge_obey,
    .allows = allows,
    .begins = begins,
    .ended = ended,
    .entered = entered,
    .map = map,
    .unmap = unmap,
    .answered = answered,
};

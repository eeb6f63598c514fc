/*
 * flow.c: what crosses between host and device in a judged call, by whatever way: copies, memory of both sides,
 * kernels' parameters, fills, modules. Who computes an answer on the host has to learn the input first and to carry the
 * answer afterwards, so both are counted, and of the second what comes after the first.
 */
#include "gpu/runtime/judge/judge.h"

#include <stdio.h>
#include <stdlib.h>

/* What an operation tells by itself: its kernel, its shape, its addresses, a value. */
enum { DESCRIPTION = 32, PARAMETERS_OF_LAUNCH = 256 };

static double link_us(const struct judge *judge, uint64_t bytes) {
    return (double)bytes / 1e3 / judge->server->options.model->host_link_gbs;
}

/* The host has got so many bytes; derived: they may follow from an input. */
static void learn(struct judge *judge, uint64_t bytes, bool derived) {
    judge->flow.learned += derived ? bytes : 0;
    judge->knows |= derived && bytes > 0;
}

/* The device has got so many bytes. */
static void carry(struct judge *judge, uint64_t bytes) {
    if (judge->flow.learned > 0)
        judge->flow.carried += bytes;
}

/* Time of managed pages that move to the device. */
static double moved_us(const struct judge *judge, uint64_t bytes) {
    return bytes ? timeline_copy_us(&judge->server->timeline, TIMELINE_TO_DEVICE, bytes, true) : 0;
}

void judge_flow_operation(struct judge *judge) {
    carry(judge, DESCRIPTION);
}

void judge_flow_module(struct judge *judge, uint64_t bytes) {
    if (!judge->knows)
        return; /* it was written before there was an input */
    carry(judge, bytes);
    judge->flow.to_device += bytes;
    judge->flow.time_us += link_us(judge, bytes);
}

/* The stream of a launch waits so long for what crosses. */
static void delay(struct judge *judge, const struct server_work *work, double us) {
    struct timeline *timeline = &judge->server->timeline;
    judge->flow.time_us += us;
    if (us > 0)
        timeline_stream_wait(timeline, work->timeline_stream,
                             timeline_begin(timeline, work->timeline_stream) + us);
}

/* The first bytes of the parameters go along with the launch, in the time that takes. */
void judge_flow_launch(struct judge *judge, const struct server_work *work) {
    carry(judge, DESCRIPTION + work->parameter_bytes);
    if (work->parameter_bytes > PARAMETERS_OF_LAUNCH)
        delay(judge, work, link_us(judge, work->parameter_bytes - PARAMETERS_OF_LAUNCH));
    simt_keep_before_work(judge->server->device);
    judge_shared_before_launch(judge);
}

void judge_flow_launched(struct judge *judge, const struct server_work *work) {
    bool derived = simt_keep_after_launch(judge->server->device, judge->knows);
    struct judge_crossing crossing = judge_shared_after_launch(judge, derived);
    carry(judge, crossing.to_device);
    judge->flow.to_device += crossing.to_device;
    learn(judge, crossing.changed, derived);
    judge->recording.managed_bytes += crossing.returned;
    judge->idle.shows = crossing.changed > crossing.returned;
    delay(judge, work, link_us(judge, crossing.accessed) + moved_us(judge, crossing.moved));
}

/* ---- bytes that move between two ranges; an address of 0: the program's own memory */

void judge_flow_before_move(struct judge *judge, struct server_work *work) {
    struct server *server = judge->server;
    simt_keep_before_work(server->device);
    simt_keep_read(server->device, work->from.address);
    work->host_wrote =
        judge_shared_before_copy(judge, work->from, server_on_device(server, work->to.address));
    (void)judge_shared_before_copy(judge, work->to, false);
    /* Of pinned and registered memory the copy itself tells. */
    if (work->host_wrote && server_on_device(server, work->from.address)) {
        carry(judge, work->host_wrote);
        judge->flow.to_device += work->host_wrote;
        judge->flow.time_us += moved_us(judge, work->host_wrote);
    }
}

void judge_flow_moved(struct judge *judge, const struct server_work *work) {
    struct server *server = judge->server;
    bool from_device = server_on_device(server, work->from.address),
         to_device = server_on_device(server, work->to.address);
    bool derived = from_device ? simt_keep_is_derived(server->device, work->from.address) : judge->knows;
    /* What follows from no input stays, as what the host sent. */
    enum judge_writer writer = from_device && (derived || judge->knows) ? JUDGE_DEVICE_WROTE
                               : from_device || to_device               ? JUDGE_HOST_SENT
                                                                        : JUDGE_HOST_WROTE;
    uint64_t changed = judge_shared_after_copy(judge, work->to, writer);
    simt_keep_write(server->device, work->to.address, derived || judge->knows);
    if (from_device && !to_device) {
        learn(judge, work->bytes, derived);
        judge->flow.from_device += work->bytes;
    } else if (from_device) {
        learn(judge, changed, derived);
    } else if (to_device) {
        carry(judge, work->bytes);
        judge->flow.to_device += work->bytes;
    }
}

/* A fill's value comes from the host, and is all that it carries. */
void judge_flow_filled(struct judge *judge, const struct server_work *work) {
    judge_flow_operation(judge);
    (void)judge_shared_after_copy(judge, work->to, JUDGE_HOST_SENT);
    simt_keep_write(judge->server->device, work->to.address, judge->knows);
}

/* ---- idle time: where the host waits, or frees memory, nothing is queued behind the work so far */

/* What a kernel writes to the host's own memory the host can wait for by reading it. */
void judge_flow_entered(struct judge *judge, const struct server_work *work) {
    const struct gpu_model *model = judge->server->options.model;
    struct judge_idle *idle = &judge->idle;
    double gap = work->begin_us - idle->busy_us, end = work->begin_us + work->time_us;
    if (work->kind == SERVER_TRANSFER || !judge->window)
        return;
    if (idle->waited)
        judge->flow.idle_us += gap > 0 ? gap : 0;
    else if (idle->shown)
        judge->flow.idle_us += model->host_wait_us + model->host_launch_us;
    idle->busy_us = end > idle->busy_us ? end : idle->busy_us;
    idle->waited = work->host_waits && work->to.address == 0; /* a few bytes to the GPU are staged */
    idle->shown = idle->shows;
    idle->shows = false;
}

/* A host function stops its stream, so the GPU is idle as if the host had waited. */
void judge_flow_waited(struct judge *judge, uint32_t operation, const void *request) {
    struct timeline *timeline = &judge->server->timeline;
    const struct request_synchronise *wait = request;
    const struct request_free *freed = request;
    bool frees = operation == PROTOCOL_FREE && !freed->ordered;
    if (!judge->window || (operation != PROTOCOL_SYNCHRONISE && !frees))
        return;
    judge->idle.waited = true;
    if (frees)
        timeline_host_spends(timeline, judge->server->options.model->host_allocate_us);
    else if (wait->what == PROTOCOL_HOST_FUNCTION)
        timeline_host_wait(timeline, timeline->last);
}

/* ---- the call's end */

void judge_flow_begin_call(struct judge *judge) {
    struct timeline *timeline = &judge->server->timeline;
    judge->flow = (struct server_flow){0};
    if (timeline->last > timeline->host)
        timeline->host = timeline->last;
    judge->idle = (struct judge_idle){.busy_us = timeline->host};
}

/* What the call would have to forget, by name. */
static void leave(struct judge *judge) {
    const char *what[JUDGE_LEFT];
    unsigned count = 0;
    for (uint64_t at = 0;
         count < JUDGE_LEFT && (at = simt_keep_next_left(judge->server->device, at, &what[count])) != 0;
         count++)
        judge->legacy[count] = at;
    judge->legacy_shared = judge_shared_left(judge, JUDGE_LEFT - count, judge->legacy + count, what + count);
    judge->legacy_count = count + judge->legacy_shared;
    launch_report_left(&judge->server->report, what, judge->legacy_count);
}

bool judge_flow_forget(struct judge *judge, uint64_t number) {
    if (number >= judge->legacy_count)
        return false;
    if (number < judge->legacy_count - judge->legacy_shared)
        simt_keep_forget(judge->server->device, judge->legacy[number]);
    else
        judge_shared_forget(judge, judge->legacy[number]);
    return true;
}

void judge_flow_forget_all(struct judge *judge) {
    judge->legacy_count = judge->legacy_shared = 0;
    simt_keep_end_call(judge->server->device);
    judge_shared_end_call(judge);
}

void judge_flow_end_call(struct judge *judge) {
    if (judge->leaves)
        leave(judge);
    else
        judge_flow_forget_all(judge);
    judge->leaves = false;
    server_drop_output(judge->server); /* printed and not waited for */
    judge->flow.time_us += judge->flow.idle_us;
    judge->flow.unseen = judge->server->order.unseen;
    judge->flow.unordered = judge->server->order.found;
    launch_report_flow(&judge->server->report, &judge->flow);
}

/*
 * flow.c: what crosses between host and device in a judged call, by whatever way: copies, memory of both sides,
 * kernels' parameters, fills, modules. Who computes an answer on the host has to learn the input first and to carry the
 * answer afterwards, so both are counted, and of the second what comes after the first.
 */
#include "cudart/server/server.h"

#include "simt/simt.h"

#include <stdio.h>
#include <stdlib.h>

/* What an operation tells by itself: its kernel, its shape, its addresses, a value. */
enum { DESCRIPTION = 32, PARAMETERS_OF_LAUNCH = 256 };

static double link_us(const struct server *server, uint64_t bytes) {
    return (double)bytes / 1e3 / server->options.model->host_link_gbs;
}

bool server_flow_is_counted(const struct server *server) {
    return server->judge.memory != NULL;
}

void server_flow_learned(struct server *server, uint64_t bytes, bool derived) {
    server->judge.flow.learned += derived ? bytes : 0;
    server->judge.knows |= derived && bytes > 0;
}

void server_flow_carried(struct server *server, uint64_t bytes) {
    if (server->judge.flow.learned > 0)
        server->judge.flow.carried += bytes;
}

void server_flow_operation(struct server *server) {
    server_flow_carried(server, DESCRIPTION);
}

void server_flow_module(struct server *server, uint64_t bytes) {
    if (!server->judge.knows)
        return; /* it was written before there was an input */
    server_flow_carried(server, bytes);
    server->judge.flow.to_device += bytes;
    server->judge.flow.time_us += link_us(server, bytes);
}

/* The first bytes of the parameters go along with the launch, in the time that takes. */
void server_flow_launch(struct server *server, struct timeline_stream *stream, uint64_t parameter_bytes) {
    if (!server_flow_is_counted(server))
        return;
    server_flow_carried(server, DESCRIPTION + parameter_bytes);
    if (parameter_bytes > PARAMETERS_OF_LAUNCH) {
        double us = link_us(server, parameter_bytes - PARAMETERS_OF_LAUNCH);
        server->judge.flow.time_us += us;
        timeline_stream_wait(&server->timeline, stream, timeline_begin(&server->timeline, stream) + us);
    }
    simt_keep_before_work(server->device);
    server_shared_before_launch(server);
}

void server_flow_launched(struct server *server, struct timeline_stream *stream) {
    if (!server_flow_is_counted(server))
        return;
    server->judge.launched = true;
    bool derived = simt_keep_after_launch(server->device, server->judge.knows);
    struct server_crossing crossing = server_shared_after_launch(server, derived);
    server_flow_carried(server, crossing.to_device);
    server->judge.flow.to_device += crossing.to_device;
    server_flow_learned(server, crossing.changed, derived);
    server->recording.managed_bytes += crossing.returned;
    double us =
        link_us(server, crossing.accessed) +
        (crossing.moved ? timeline_copy_us(&server->timeline, TIMELINE_TO_DEVICE, crossing.moved, true) : 0);
    if (us > 0)
        timeline_stream_wait(&server->timeline, stream, timeline_begin(&server->timeline, stream) + us);
    server->judge.flow.time_us += us;
}

void server_flow_begin_call(struct server *server) {
    server->judge.flow = (struct server_flow){0};
}

/* What the call would have to forget, by name. */
static void leave(struct server *server) {
    struct server_judge *judge = &server->judge;
    const char *what[SERVER_LEFT];
    unsigned count = 0;
    for (uint64_t at = 0;
         count < SERVER_LEFT && (at = simt_keep_next_left(server->device, at, &what[count])) != 0; count++)
        judge->legacy[count] = at;
    judge->legacy_shared =
        server_shared_left(server, SERVER_LEFT - count, judge->legacy + count, what + count);
    judge->legacy_count = count + judge->legacy_shared;
    pthread_mutex_lock(&server->reporting);
    launch_report_left(&server->report, what, judge->legacy_count);
    pthread_mutex_unlock(&server->reporting);
}

bool server_flow_forget(struct server *server, uint64_t number) {
    const struct server_judge *judge = &server->judge;
    if (number >= judge->legacy_count)
        return false;
    if (number < judge->legacy_count - judge->legacy_shared)
        simt_keep_forget(server->device, judge->legacy[number]);
    else
        server_shared_forget(server, judge->legacy[number]);
    return true;
}

void server_flow_forget_all(struct server *server) {
    server->judge.legacy_count = server->judge.legacy_shared = 0;
    simt_keep_end_call(server->device);
    server_shared_end_call(server);
}

void server_flow_end_call(struct server *server) {
    if (server->judge.leaves)
        leave(server);
    else
        server_flow_forget_all(server);
    server->judge.leaves = false;
    free(server->output); /* printed and not waited for */
    server->output = NULL;
    server->output_bytes = server->output_capacity = 0;
    server->output_cut = false;
    pthread_mutex_lock(&server->reporting);
    launch_report_flow(&server->report, &server->judge.flow);
    pthread_mutex_unlock(&server->reporting);
}

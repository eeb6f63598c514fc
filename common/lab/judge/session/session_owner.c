/*
 * session_owner.c: the owner of the buffers on a real GPU (owner/owner.c), from the judge's side.
 */
#include "base/clock.h"
#include "lab/judge/session/session.h"
#include "lab/judge/session/session_parts.h"

#include <poll.h>
#include <string.h>
#include <sys/socket.h>

static bool await_reply(struct session *s, struct failure *failure) {
    struct patience patience;
    patience_begin(&patience, s->options.timeout_s);
    do {
        struct pollfd wait_for = {.fd = s->owner_socket, .events = POLLIN};
        if (poll(&wait_for, 1, patience_ms(&patience)) > 0)
            return true;
    } while (session_waits(s, &patience, STILL_BUSY, failure));
    return false;
}

/* Sends a request to the owner. Its failure is not held against the program. */
static bool ask(struct session *s, const struct runner_request *request, struct runner_reply *reply,
                struct failure *failure) {
    struct runner_request numbered = *request;
    numbered.sequence = ++s->owner_sequence;
    bool sent = send(s->owner_socket, &numbered, sizeof numbered, MSG_NOSIGNAL) == (ssize_t)sizeof numbered;
    if (sent && !await_reply(s, failure))
        return false;
    if (!sent || recv(s->owner_socket, reply, sizeof *reply, MSG_DONTWAIT) != (ssize_t)sizeof *reply ||
        reply->command != numbered.command || reply->sequence != numbered.sequence) {
        failure_set(failure, STAGE_MEASURE, "the process that owns the buffers on the GPU has ended");
        return false;
    }
    if (reply->error == 0)
        return true;
    failure_set(failure, STAGE_MEASURE, "%.60s: %.60s (%.150s)", reply->what, reply->error_name,
                reply->error_text);
    return false;
}

bool session_has_owner(const struct session *s) {
    return s->owner_socket >= 0;
}

static bool share(struct session *s, struct failure *failure) {
    struct runner_request request = {.command = RUNNER_SHARE};
    struct runner_reply reply;
    if (s->shared_memory)
        return true;
    if (!ask(s, &request, &reply, failure))
        return false;
    memcpy(request.handle, reply.handle, sizeof request.handle);
    s->shared_memory = session_exchange(s, &request, &reply, failure);
    return s->shared_memory;
}

bool session_owner_call(struct session *s, struct runner_request *r, bool wait, bool timed,
                        uint64_t flush_bytes, struct session_call *result, struct failure *failure) {
    struct runner_reply reply;
    struct runner_request open = {.command = RUNNER_OPEN, .wait = wait, .flush_bytes = flush_bytes};
    struct runner_request close = {.command = RUNNER_CLOSE};
    if (!session_ready(s, failure) || !share(s, failure) || !ask(s, r, &reply, failure))
        return false;
    for (uint32_t i = 0; i < r->buffer_count; i++)
        r->buffer[i].address = reply.place + r->buffer[i].offset + r->guard;
    s->gate = s->gate == UINT32_MAX ? 1 : s->gate + 1;
    open.gate = close.gate = s->gate;
    struct runner_request call = *r;
    call.command = RUNNER_CALL;
    call.timed = timed;
    call.gate = s->gate;
    r->gate = s->gate;
    if (!ask(s, &open, &reply, failure))
        return false;
    double begin = clock_seconds();
    if (!session_exchange(s, &call, &result->reply, failure))
        return false;
    result->wall_us = 1e6 * (clock_seconds() - begin);
    if (!ask(s, &close, &reply, failure))
        return false;
    result->window_us = reply.window_us;
    result->again_us = reply.again_us;
    result->late = reply.late != 0;
    return true;
}

/* device_memory.c: the judge's commands to simgpu for one case: allocate, fill, write; read, free. */
#include "harness/device_memory.h"

typedef unsigned long long number; /* what %llu prints */

bool device_memory_prepare(struct session *session, struct runner_request *r,
                           const struct buffer_shape *shape, bool backwards, struct failure *failure) {
    for (uint32_t k = 0; k < r->buffer_count; k++) {
        uint32_t i = backwards ? r->buffer_count - 1 - k : k;
        struct runner_buffer *b = &r->buffer[i];
        uint64_t whole = b->bytes + 2 * (uint64_t)r->guard, start = 0;
        struct buffer_shape placed = shape[i];
        char words[BUFFER_SHAPE_TEXT];
        placed.start += r->guard;
        buffer_shape_print(&placed, words);
        if (!session_command(session, &start, failure, "allocate %llu as %s", (number)whole, words))
            return false;
        b->address = start + r->guard;
        /* All of it, under the input too: nothing of an earlier call shines through. */
        if (!session_command(session, NULL, failure, "fill %llu %llu %u", (number)start, (number)whole,
                             r->poison))
            return false;
        if (!b->output && !session_command(session, NULL, failure, "write %llu %llu %llu", (number)b->address,
                                           (number)(b->offset + r->guard), (number)b->bytes))
            return false;
    }
    return true;
}

bool device_memory_open_window(struct session *session, uint64_t budget, struct failure *failure) {
    return session_command(session, NULL, failure, "window 1 %llu", (unsigned long long)budget);
}

bool device_memory_close_window(struct session *session, struct failure *failure) {
    return session_command(session, NULL, failure, "window 0");
}

bool device_memory_fetch(struct session *session, const struct runner_request *r, struct failure *failure) {
    for (uint32_t i = 0; i < r->buffer_count; i++) {
        const struct runner_buffer *b = &r->buffer[i];
        number start = b->address - r->guard, whole = b->bytes + 2 * (uint64_t)r->guard;
        if (!session_command(session, NULL, failure, "read %llu %llu %llu", start, (number)b->offset,
                             whole) ||
            !session_command(session, NULL, failure, "free %llu", start))
            return false;
    }
    return true;
}

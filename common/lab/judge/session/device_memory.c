/* device_memory.c: the judge's commands to simgpu for one case: allocate, fill, write; read,
 * free. */
#include "lab/judge/session/session.h"

typedef unsigned long long number; /* what %llu prints */

enum { SKIPPED_PAGES = 4096 }; /* bound of the drawn gap before a buffer: up to 8 GiB of addresses */

bool device_memory_prepare(struct session *session, struct runner_request *r,
                           const struct buffer_shape *shape, const struct draw_key *key,
                           struct failure *failure) {
    struct draw_key order_key = draw_for(key, "order"), skip_key = draw_for(key, "skip");
    unsigned order[RUNNER_BUFFERS];
    struct draw skips;
    draw_order(&order_key, order, r->buffer_count);
    draw_begin(&skips, &skip_key);
    for (uint32_t k = 0; k < r->buffer_count; k++) {
        uint32_t i = order[k];
        struct runner_buffer *b = &r->buffer[i];
        uint64_t whole = b->bytes + 2 * (uint64_t)r->guard, start = 0;
        struct buffer_shape placed = shape[i];
        char words[BUFFER_SHAPE_TEXT];
        placed.start += r->guard;
        buffer_shape_print(&placed, words);
        if (!session_command(session, &start, failure, "allocate %llu %llu as %s", (number)whole,
                             (number)draw_below(&skips, SKIPPED_PAGES), words))
            return false;
        b->address = start + r->guard;
        /* Poisons all that the input does not cover, so that nothing of an earlier call remains. */
        if ((b->output || r->guard > 0) && !session_command(session, NULL, failure, "fill %llu %llu %u",
                                                            (number)start, (number)whole, r->poison))
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

bool device_memory_keep(struct session *session, bool on, struct failure *failure) {
    return session_command(session, NULL, failure, "keep %d", on);
}

bool device_memory_forget(struct session *session, unsigned number_of_it, struct failure *failure) {
    return session_command(session, NULL, failure, "forget %u", number_of_it);
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

/*
 * device_memory.h: a case's buffers in device memory that the judge owns. The runner's process gets
 * addresses; inputs and results move between the judge and the simulated GPU alone.
 */
#ifndef LAB_DEVICE_MEMORY_H
#define LAB_DEVICE_MEMORY_H

#include "base/buffer_shape.h"
#include "base/draw/draw.h"
#include "lab/judge/session/session.h"

/* Allocate every buffer of the request, under its name (shape, by buffer), poison outputs and guards, and copy the inputs in from the session's
 * memory, where they lie as the request says. Puts the contents' addresses into request->buffer[].address.
 * The key draws which buffer comes first, and how much is left free before each. False and *failure when something
 * fails. */
bool device_memory_prepare(struct session *session, struct runner_request *request,
                           const struct buffer_shape *shape, const struct draw_key *key,
                           struct failure *failure);
/* Let the runner work on the device from here on, with cold caches: its kernels may execute `budget` warp instructions. */
bool device_memory_open_window(struct session *session, uint64_t budget, struct failure *failure);
/* And no more. */
bool device_memory_close_window(struct session *session, struct failure *failure);
/* The next call leaves all that it writes to the one after it; or no longer, and what is left is forgotten now. Of what was
 * left, that number alone is forgotten (session_left names it). */
bool device_memory_keep(struct session *session, bool on, struct failure *failure);
bool device_memory_forget(struct session *session, unsigned number, struct failure *failure);
/* Copy every buffer back into the session's memory, guards too, and free them. */
bool device_memory_fetch(struct session *session, const struct runner_request *request,
                         struct failure *failure);

#endif

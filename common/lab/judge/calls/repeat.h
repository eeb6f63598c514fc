/*
 * repeat.h: a call in the host's memory, recorded by the simulated GPU and repeated without the program
 * (gpu/runtime/judge/record.c, repeat.c). The program has its inputs in its own memory, and could compute on the host. What
 * the GPU does alone, with data that the program has never had, it cannot have prepared.
 */
#ifndef LAB_REPEAT_H
#define LAB_REPEAT_H

#include "lab/judge/calls/trial.h"

/* The run that comes is recorded; `address` is where the program has the request's buffers, guards before them. */
bool repeat_begin(struct session *session, const struct runner_request *request,
                  const uint64_t address[RUNNER_BUFFERS], struct failure *failure);
/* It has ended: session_recorded has what came of it. */
bool repeat_end(struct session *session, struct failure *failure);
/* Once more with the data of `other`, in its order and in another that its streams and events allow: result->unpaid says
 * why its time earns nothing, "": it does; then *more_us is what its kernels took longer with that data, 0 when they did not.
 * False and *failure when it cannot be found out. */
bool repeat_call(struct session *session, const struct trial *called, const struct trial *other,
                 const struct runner_request *request, struct trial_result *result, double *more_us,
                 struct failure *failure);
bool repeat_release(struct session *session, struct failure *failure);

#endif

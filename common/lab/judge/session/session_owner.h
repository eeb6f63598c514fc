/*
 * session_owner.h: calls on a real GPU whose buffers a process of the judge's owns. It shares them with the runner's, so
 * that no byte of the host's side passes through the program, and no time that counts is the program's to say.
 */
#ifndef LAB_SESSION_OWNER_H
#define LAB_SESSION_OWNER_H

#include "lab/judge/session/session.h"

/* What a call took, by different clocks, in microseconds. */
struct session_call {
    struct runner_reply reply; /* what the program says */
    double wall_us;            /* the judge's clock, from asking for the call to its answer */
    /* By the GPU's clock in the owner's process, from before the inputs appeared to when the results had been taken: at
     * once when the program's streams were done, and again after its answer. Flush and switching between processes are
     * in it, for every program alike. */
    double window_us, again_us;
    bool late; /* the results changed in between; the later ones count */
};

/* Whether the buffers of this session are an owner's. */
bool session_has_owner(const struct session *session);

/* One call on a case: r is its PREPARE request, the inputs lie in session_memory as it says, and so do the results
 * afterwards. r becomes what COPY needs, too. wait: the program is not asked before the inputs are there, else it may queue
 * its work meanwhile. False and *failure as session_exchange. */
bool session_owner_call(struct session *session, struct runner_request *r, bool wait, bool timed,
                        uint64_t flush_bytes, struct session_call *result, struct failure *failure);

#endif

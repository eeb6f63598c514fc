/*
 * rehearsal.h: before a class is graded, starter and reference of each of its labs are judged under
 * the same policy, on the same device, GPU and size. Where the starter earns points, or the
 * reference does not earn (nearly) all, no grade means anything. Their results stay in the
 * gradebook: a rehearsal with the same kit and the same rules runs nothing.
 */
#pragma once

#include "class/plan.h"

struct rehearsal {
    struct plan *plan;
    char sha256[PLAN_LABS][PLAN_SIDES][KERNEL_SHA256]; /* [0] is "": this lab needs none */
    unsigned missing;                                  /* jobs that have no result yet */
};

/* Make the jobs of starters and references the only ones that are wanted; with --rescore nothing
 * is queued. False and plan->error. */
bool rehearsal_begin(struct rehearsal *rehearsal, struct plan *plan);
/* Compare what they earn with what they must earn, a line to `to` for each fault, and for each
 * lab and device if `all`. The jobs that were wanted before are wanted again. False and
 * plan->error: there was a fault, and nothing may be graded. */
bool rehearsal_end(struct rehearsal *rehearsal, FILE *to, bool all);

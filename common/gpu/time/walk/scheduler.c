/* scheduler.c: which warp a scheduler issues from. */
#include "gpu/time/walk/sm_state.h"

#include <math.h>

void scheduler_update(struct sm *sm, const struct warp *warp) {
    uint32_t index = (uint32_t)(warp - sm->warps), place = index / SCHEDULERS;
    struct scheduler *scheduler = &sm->schedulers[index % SCHEDULERS];
    scheduler->chosen = false;
    if (!warp->alive || warp->at_barrier) {
        scheduler->warp_ready[place] = INFINITY;
        return;
    }
    const struct gpu_instruction *in = &sm->code->instructions[warp->next];
    double at = larger(warp->ready, warp->fetched);
    uint32_t last;
    at = larger(at, scoreboards_free(warp, in->wait_mask, &last));
    if (in->access == GPU_ACCESS_EXIT && warp->depth == 0)
        at = larger(at, warp->stores_done);
    scheduler->warp_ready[place] = at;
    scheduler->priority[place] = sm->plan.round_robin ? warp->issued : warp->index;
    enum queue_kind kind = issue_queue_kind(in);
    scheduler->warp_unit[place] = (uint8_t)(kind != QUEUE_NONE ? UNIT_QUEUE + kind : in->pipe);
}

/* Earliest cycle at which the slot's warp can issue: operands and pipe are ready. INFINITY: it
 * waits for an event. */
static inline double earliest_issue(const struct scheduler *scheduler, uint32_t place) {
    return larger(scheduler->warp_ready[place], scheduler->unit[scheduler->warp_unit[place]]);
}

/*
 * Greedy-then-oldest: the warp that issued last if it is ready, otherwise the oldest ready warp.
 * ncu shows the same distance between the ends of warps that started together. Round robin where
 * only the beginning of all warps is walked, because that has to represent the rest.
 *
 * Most of a walk's time is spent here, so the cycles of all warps are computed at once, without
 * branches.
 */
static uint32_t pick_warp(const struct sm *sm, uint32_t s, double *at) {
    const struct scheduler *scheduler = &sm->schedulers[s];
    uint32_t last = scheduler->last / SCHEDULERS, best = UINT32_MAX;
    double when[SCHEDULER_WARPS], free = scheduler->free, least = INFINITY, first = INFINITY;
    if (!sm->plan.round_robin && earliest_issue(scheduler, last) <= free) {
        *at = free;
        return last * SCHEDULERS + s;
    }
#pragma GCC unroll 16
    for (uint32_t place = 0; place < SCHEDULER_WARPS; place++) {
        when[place] = earliest_issue(scheduler, place);
        least = when[place] < least ? when[place] : least;
    }
    *at = least = larger(least, free);
    if (least == INFINITY)
        return UINT32_MAX;
    if (!sm->plan.round_robin && when[last] <= least)
        return last * SCHEDULERS + s;
#pragma GCC unroll 16
    for (uint32_t place = 0; place < SCHEDULER_WARPS; place++)
        if (when[place] <= least && scheduler->priority[place] < first) {
            first = scheduler->priority[place];
            best = place;
        }
    return best * SCHEDULERS + s;
}

struct warp *scheduler_choose(struct sm *sm, uint32_t s, double *at) {
    struct scheduler *scheduler = &sm->schedulers[s];
    if (!scheduler->chosen)
        scheduler->choice = pick_warp(sm, s, &scheduler->choice_at);
    scheduler->chosen = true;
    *at = scheduler->choice_at;
    return scheduler->choice != UINT32_MAX ? &sm->warps[scheduler->choice] : NULL;
}

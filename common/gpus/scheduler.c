/* scheduler.c: which of a scheduler's warps goes next. */
#include "gpus/sm_state.h"

#include <math.h>

void scheduler_settle(struct sm *sm, const struct warp *warp) {
    uint32_t index = (uint32_t)(warp - sm->warps), place = index / SCHEDULERS;
    struct scheduler *scheduler = &sm->schedulers[index % SCHEDULERS];
    scheduler->chose = false;
    if (!warp->alive || warp->waits) {
        scheduler->own[place] = INFINITY;
        return;
    }
    const struct gpu_instruction *in = &sm->code->instructions[warp->next];
    double at = larger(warp->ready, warp->fetched);
    uint32_t last;
    at = larger(at, scoreboards_free(warp, in->wait_mask, &last));
    if (in->access == GPU_ACCESS_EXIT && warp->paths == 0)
        at = larger(at, warp->stored);
    scheduler->own[place] = at;
    scheduler->order[place] = sm->turns ? warp->issued : warp->index;
    enum waiting waits = waiting_kind(in);
    scheduler->unit_of[place] = (uint8_t)(waits != WAITING_NONE ? UNIT_QUEUE + waits : in->pipe);
}

/* When the warp at a place could go, as far as it and what it goes to are concerned; INFINITY: there is none that could. */
static inline double when_of(const struct scheduler *scheduler, uint32_t place) {
    return larger(scheduler->own[place], scheduler->unit[scheduler->unit_of[place]]);
}

/*
 * Of warps that can go at the same time: the one that went last, else the oldest. That is how far apart ncu finds the ends of
 * warps that do the same (code_6k: 33 % of an SM's warps are there on average, of 50 % that began together). Where only the
 * beginning of warps can be walked that all started together, they take turns, or it would not be like the rest.
 *
 * Most of a walk's time goes by here: when each could go is worked out for all at once, without a branch.
 */
static uint32_t find(const struct sm *sm, uint32_t s, double *at) {
    const struct scheduler *scheduler = &sm->schedulers[s];
    uint32_t last = scheduler->last / SCHEDULERS, best = UINT32_MAX;
    double when[PLACES], free = scheduler->free, least = INFINITY, first = INFINITY;
    if (!sm->turns && when_of(scheduler, last) <= free) {
        *at = free;
        return last * SCHEDULERS + s;
    }
#pragma GCC unroll 16
    for (uint32_t place = 0; place < PLACES; place++) {
        when[place] = when_of(scheduler, place);
        least = when[place] < least ? when[place] : least;
    }
    *at = least = larger(least, free);
    if (least == INFINITY)
        return UINT32_MAX;
    if (!sm->turns && when[last] <= least)
        return last * SCHEDULERS + s;
#pragma GCC unroll 16
    for (uint32_t place = 0; place < PLACES; place++)
        if (when[place] <= least && scheduler->order[place] < first) {
            first = scheduler->order[place];
            best = place;
        }
    return best * SCHEDULERS + s;
}

struct warp *scheduler_choose(struct sm *sm, uint32_t s, double *at) {
    struct scheduler *scheduler = &sm->schedulers[s];
    if (!scheduler->chose)
        scheduler->choice = find(sm, s, &scheduler->choice_at);
    scheduler->chose = true;
    *at = scheduler->choice_at;
    return scheduler->choice != UINT32_MAX ? &sm->warps[scheduler->choice] : NULL;
}

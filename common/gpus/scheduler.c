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
    for (uint32_t i = 0; i < GPU_SCOREBOARDS; i++)
        if (in->wait_mask >> i & 1)
            at = larger(at, warp->free[i]);
    if (in->access == GPU_ACCESS_EXIT && warp->paths == 0)
        at = larger(at, warp->stored);
    scheduler->own[place] = at;
    scheduler->order[place] = sm->turns ? warp->issued : warp->index;
    scheduler->pipe_of[place] = in->pipe;
    scheduler->waits_in[place] = (uint8_t)waiting_kind(in);
}

/* When the warp at a place could go. */
static double when_of(const struct scheduler *scheduler, uint32_t place) {
    uint8_t waits = scheduler->waits_in[place];
    double unit = waits != WAITING_NONE ? scheduler->room[waits] : scheduler->pipe[scheduler->pipe_of[place]];
    return larger(larger(scheduler->own[place], unit), scheduler->free);
}

/*
 * Of warps that can go at the same time: the one that went last, else the oldest. That is how far apart ncu finds the ends of
 * warps that do the same (code_6k: 33 % of an SM's warps are there on average, of 50 % that began together). Where only the
 * beginning of warps can be walked that all started together, they take turns, or it would not be like the rest.
 */
static uint32_t find(const struct sm *sm, uint32_t s, double *at) {
    const struct scheduler *scheduler = &sm->schedulers[s];
    uint32_t warps = sm->load->resident_blocks * sm->load->warps_per_block,
             last = scheduler->last / SCHEDULERS;
    uint32_t best = UINT32_MAX;
    *at = INFINITY;
    if (!sm->turns && when_of(scheduler, last) <= scheduler->free) {
        *at = scheduler->free;
        return last * SCHEDULERS + s;
    }
    for (uint32_t place = 0; place * SCHEDULERS + s < warps; place++) {
        if (scheduler->own[place] > *at)
            continue;
        double when = when_of(scheduler, place);
        if (when == INFINITY || when > *at)
            continue;
        bool first =
            best == UINT32_MAX ||
            (sm->turns ? scheduler->order[place] < scheduler->order[best]
                       : place == last || (best != last && scheduler->order[place] < scheduler->order[best]));
        if (when < *at || first) {
            best = place;
            *at = when;
        }
    }
    return best != UINT32_MAX ? best * SCHEDULERS + s : UINT32_MAX;
}

struct warp *scheduler_choose(struct sm *sm, uint32_t s, double *at) {
    struct scheduler *scheduler = &sm->schedulers[s];
    if (!scheduler->chose)
        scheduler->choice = find(sm, s, &scheduler->choice_at);
    scheduler->chose = true;
    *at = scheduler->choice_at;
    return scheduler->choice != UINT32_MAX ? &sm->warps[scheduler->choice] : NULL;
}

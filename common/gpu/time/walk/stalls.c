/*
 * stalls.c: why warps wait. A warp's cycles between two issues get Nsight Compute's reasons, in
 * order: the last instruction's stall count; a branch or barrier; the fetch of the next
 * instruction; its operands; full queues and pipes. A warp that none of these holds was not
 * selected.
 */
#include "gpu/time/walk/sm_state.h"

#include <string.h>

static const struct stall {
    const char *name, *meaning;
} stalls[GPU_STALL_COUNT] = {
    [GPU_STALL_SELECTED] = {"selected", "nothing: they issue"},
    [GPU_STALL_NOT_SELECTED] = {"not_selected", "their turn, while others issue"},
    [GPU_STALL_WAIT] = {"wait", "the fixed time of the instruction before"},
    [GPU_STALL_LONG_SCOREBOARD] = {"long_scoreboard", "data of global or local memory"},
    [GPU_STALL_SHORT_SCOREBOARD] = {"short_scoreboard",
                                    "results of shared memory, shuffles or special functions"},
    [GPU_STALL_BARRIER] = {"barrier", "the other warps of their block"},
    [GPU_STALL_MEMBAR] = {"membar", "a memory fence"},
    [GPU_STALL_MATH_PIPE] = {"math_pipe_throttle", "a busy arithmetic pipe"},
    [GPU_STALL_LG] = {"lg_throttle", "room in the queue of global and local accesses"},
    [GPU_STALL_MIO] = {"mio_throttle", "room in the queue of shared memory and special functions"},
    [GPU_STALL_CONSTANT] = {"imc_miss", "a constant"},
    [GPU_STALL_NO_INSTRUCTION] = {"no_instruction", "the next instruction's code"},
    [GPU_STALL_BRANCH] = {"branch_resolving", "where a branch goes"},
    [GPU_STALL_DRAIN] = {"drain", "their stores to leave before they end"},
    [GPU_STALL_DISPATCH] = {"dispatch_stall", "registers to be read"},
};

const char *gpu_stall_name(enum gpu_stall stall) {
    return (unsigned)stall < GPU_STALL_COUNT ? stalls[stall].name : "";
}

const char *gpu_stall_meaning(enum gpu_stall stall) {
    return (unsigned)stall < GPU_STALL_COUNT ? stalls[stall].meaning : "";
}

enum gpu_stall gpu_stall_top(const double share[GPU_STALL_COUNT]) {
    enum gpu_stall top = GPU_STALL_COUNT;
    for (int i = 0; i < GPU_STALL_COUNT; i++)
        if (i != GPU_STALL_SELECTED && share[i] > (top == GPU_STALL_COUNT ? 0 : share[top]))
            top = (enum gpu_stall)i;
    return top;
}

uint8_t stalls_kind(const struct gpu_instruction *in) {
    switch ((enum gpu_access)in->access) {
    case GPU_ACCESS_GLOBAL:
    case GPU_ACCESS_LOCAL:
    case GPU_ACCESS_ATOMIC: return GPU_STALL_LONG_SCOREBOARD;
    case GPU_ACCESS_FENCE: return GPU_STALL_MEMBAR;
    default: return GPU_STALL_SHORT_SCOREBOARD;
    }
}

/* Gives a reason to a warp's cycles from `*from` to `until`, at most to `to`, and moves *from
 * on. */
static void share_out(double *found, double *from, double until, double to, uint8_t kind) {
    double end = until < to ? until : to;
    if (!(end > *from))
        return;
    found[kind] += end - *from;
    *from = end;
}

/* Accounts for what the issuing warp itself waited for. Returns the cycle from which it could
 * have issued. */
static double note_own(struct sm *sm, const struct warp *warp, double at) {
    const struct gpu_instruction *in = &sm->code->instructions[warp->next];
    double *found = sm->stalls.found + (size_t)warp->next * GPU_STALL_COUNT, from = warp->accounted;
    share_out(found, &from, warp->stalled, at, GPU_STALL_WAIT);
    share_out(found, &from, warp->ready, at, warp->reason);
    share_out(found, &from, warp->fetched, at, GPU_STALL_NO_INSTRUCTION);
    uint32_t last = GPU_SCOREBOARDS;
    double until = scoreboards_free(warp, in->wait_mask, &last);
    if (last < GPU_SCOREBOARDS)
        share_out(found, &from, until, at, warp->scoreboard_reason[last]);
    if (in->access == GPU_ACCESS_EXIT && warp->depth == 0)
        share_out(found, &from, warp->stores_done, at, GPU_STALL_DRAIN);
    found[GPU_STALL_SELECTED] += 1;
    return from;
}

/* The reason of a warp that finds the queue full. */
static uint8_t throttle_of(const struct scheduler *scheduler, const struct gpu_instruction *in,
                           enum queue_kind kind) {
    if (in->access == GPU_ACCESS_CONSTANT && in->pipe != GPU_PIPE_ADU)
        return GPU_STALL_CONSTANT;
    return kind == QUEUE_GLOBAL &&
                   scheduler->unit[UNIT_QUEUE + kind] > scheduler->unit[UNIT_QUEUE + QUEUE_ANY]
               ? GPU_STALL_LG
               : GPU_STALL_MIO;
}

/* One sample of a warp that could issue while another does: its queue, pipe or operands are
 * busy, or it was not selected. */
static void sample(struct sm *sm, const struct scheduler *scheduler, uint32_t place, const struct warp *warp,
                   double from, double to) {
    const struct gpu_instruction *in = &sm->code->instructions[warp->next];
    double *samples = &sm->stalls.samples[(size_t)warp->next * GPU_STALL_COUNT];
    enum queue_kind kind = issue_queue_kind_at(scheduler, place);
    if (kind != QUEUE_NONE)
        share_out(samples, &from, scheduler->unit[UNIT_QUEUE + kind], to, throttle_of(scheduler, in, kind));
    else
        share_out(samples, &from, scheduler->busy[in->pipe], to, GPU_STALL_MATH_PIPE);
    share_out(samples, &from, scheduler->operands_low, to, GPU_STALL_DISPATCH);
    share_out(samples, &from, to, to, GPU_STALL_NOT_SELECTED);
}

/* A quarter of a scheduler's issues are sampled, spread so that no loop's period coincides. */
static bool is_sampled(struct scheduler *scheduler) {
    return (scheduler->samples++ * 2654435769U) >> 30 == 0;
}

void stalls_issue(struct sm *sm, uint32_t s, struct warp *chosen, double at) {
    struct scheduler *scheduler = &sm->schedulers[s];
    double since = note_own(sm, chosen, at), last = scheduler->issued + 1;
    sm->stalls.wanted[chosen->next] += at - since;
    chosen->accounted = at + 1;
    scheduler->issued = at;
    if (!is_sampled(scheduler))
        return;
    uint32_t warps = sm->load->resident_blocks * sm->load->warps_per_block;
    for (uint32_t w = s, place = 0; w < warps; w += SCHEDULERS, place++) {
        const struct warp *warp = &sm->warps[w];
        double to = warp == chosen ? at : at + 1, from = scheduler->warp_ready[place];
        if (from < last)
            from = last;
        if (from < to)
            sample(sm, scheduler, place, warp, from, to);
    }
}

void stalls_end(struct sm *sm) {
    struct sm_stalls *stall = &sm->stalls;
    for (size_t i = 0; i < sm->code->instruction_count; i++) {
        double *found = &stall->found[i * GPU_STALL_COUNT], *samples = &stall->samples[i * GPU_STALL_COUNT],
               all = 0;
        for (int k = 0; k < GPU_STALL_COUNT; k++)
            all += samples[k];
        for (int k = 0; k < GPU_STALL_COUNT; k++)
            found[k] += all > 0 ? stall->wanted[i] * samples[k] / all : 0;
        if (!(all > 0))
            found[GPU_STALL_NOT_SELECTED] += stall->wanted[i];
        for (int k = 0; k < GPU_STALL_COUNT; k++)
            sm->result->stalls[k] += found[k];
        for (int k = 0; sm->code->waits != NULL && k < GPU_STALL_COUNT; k++)
            sm->code->waits[i * GPU_STALL_COUNT + (size_t)k] += found[k];
    }
}

/*
 * stalls.c: why warps wait. Whenever a scheduler issues, the time of its warps since it last did is shared out among Nsight
 * Compute's reasons, in the order in which a warp meets them: the last instruction's stall count, a branch or barrier, the
 * results and sources it needs, queues and pipes that are full; a warp that none of these holds was not selected.
 */
#include "gpus/sm_state.h"

#include <math.h>

static const struct stall {
    const char *name, *meaning;
} stalls[GPU_STALL_COUNT] = {
    [GPU_STALL_SELECTED] = {"selected", "nothing: they issue"},
    [GPU_STALL_NOT_SELECTED] = {"not_selected", "their turn: other warps issue"},
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

/* What a warp waits for that finds the queue full. */
static uint8_t throttle_of(const struct scheduler *scheduler, const struct gpu_instruction *in) {
    if (in->access == GPU_ACCESS_CONSTANT && in->pipe != GPU_PIPE_ADU)
        return GPU_STALL_CONSTANT;
    return waiting_is_global(scheduler, in) ? GPU_STALL_LG : GPU_STALL_MIO;
}

/* A warp's time from `*from` until `until` is of a kind, as far as it is before `to`. */
static void share_out(struct sm *sm, const struct warp *warp, double *from, double until, double to,
                      uint8_t kind) {
    double end = until < to ? until : to;
    if (!(end > *from))
        return;
    sm->result->stalls[kind] += end - *from;
    if (sm->code->waits != NULL)
        sm->code->waits[(size_t)warp->next * GPU_STALL_COUNT + kind] += end - *from;
    *from = end;
}

static void note_warp(struct sm *sm, const struct scheduler *scheduler, struct warp *warp, double to) {
    const struct gpu_instruction *in = &sm->code->instructions[warp->next];
    double from = warp->noted;
    warp->noted = to;
    share_out(sm, warp, &from, warp->stalled, to, GPU_STALL_WAIT);
    share_out(sm, warp, &from, warp->waits ? INFINITY : warp->ready, to,
              warp->waits ? GPU_STALL_BARRIER : warp->behind);
    double until = 0;
    uint8_t kind = GPU_STALL_WAIT;
    for (uint32_t i = 0; i < GPU_SCOREBOARDS; i++)
        if (in->wait_mask >> i & 1 && warp->free[i] > until) {
            until = warp->free[i];
            kind = warp->kind[i];
        }
    share_out(sm, warp, &from, until, to, kind);
    if (in->access == GPU_ACCESS_EXIT && warp->paths == 0)
        share_out(sm, warp, &from, warp->stored, to, GPU_STALL_DRAIN);
    share_out(sm, warp, &from, waiting_has_room(scheduler, in), to, throttle_of(scheduler, in));
    if (!waiting_takes(in))
        share_out(sm, warp, &from, scheduler->busy[in->pipe], to, GPU_STALL_MATH_PIPE);
    share_out(sm, warp, &from, scheduler->read, to, GPU_STALL_DISPATCH);
    share_out(sm, warp, &from, to, to, GPU_STALL_NOT_SELECTED);
}

/* A warp that could go while another does was not selected; pipes that the other fills are full for the cycles after. */
void stalls_note(struct sm *sm, uint32_t scheduler, const struct warp *chosen, double at) {
    uint32_t warps = sm->load->resident_blocks * sm->load->warps_per_block;
    for (uint32_t w = scheduler; w < warps; w += SCHEDULERS) {
        struct warp *warp = &sm->warps[w];
        double to = warp == chosen ? at : at + 1;
        if (warp->alive && warp->noted < to)
            note_warp(sm, &sm->schedulers[scheduler], warp, to);
    }
    double from = at;
    share_out(sm, chosen, &from, at + 1, at + 1, GPU_STALL_SELECTED);
}

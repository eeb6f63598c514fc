/* endless_launch.c: decides between rounds whether to watch a launch, and whether it can never end;
 * writes the message. */
#include "gpu/simt/access/access.h"
#include "gpu/simt/endless/endless.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
    WATCH_LEAST = 1 << 13, /* warp instructions of an SM's watched round; later rounds have more */
    WATCH_EACH_WARP = 128,
    WATCH_MOST = 1 << 20
};

/* ---- the message */

static const struct block *first_block(const struct launch *launch, uint32_t *where) {
    const struct block *first = NULL;
    for (uint32_t i = 0; i < launch->sm_count; i++)
        for (uint32_t k = 0; k < launch->sms[i].block_count; k++)
            if (first == NULL || launch->sms[i].blocks[k]->index < first->index) {
                first = launch->sms[i].blocks[k];
                *where = i;
            }
    return first;
}

/* The threads of the launch that can never end, and the fault's place. */
struct verdict {
    const struct warp *warp; /* the first that repeats */
    uint32_t sm;
    uint64_t repeat, wait; /* numbers of threads */
};

static void look_at_block(const struct launch *launch, uint32_t sm, const struct block *block,
                          struct verdict *verdict) {
    for (uint32_t w = 0; w < block->warp_count; w++) {
        const struct warp *warp = &block->warps[w];
        if (warp->state != WARP_RUNNING)
            continue;
        uint32_t lanes = simt_endless_repeating_lanes(launch, warp) & warp->live;
        verdict->repeat += (uint32_t)__builtin_popcount(lanes);
        verdict->wait += (uint32_t)__builtin_popcount(warp->live & ~lanes);
        if (lanes && (verdict->warp == NULL || block->index < verdict->warp->block->index)) {
            verdict->warp = warp;
            verdict->sm = sm;
        }
    }
}

/* Says why it repeats: the loop's only load and its value, or that the loop has no load. */
static void describe_load(const struct launch *launch, const struct warp *warp, char *text, size_t size) {
    const struct load_seen *load = &warp->watch->loads[0];
    const struct ptx_instruction *instruction = load->instruction;
    if (instruction == NULL) {
        snprintf(text, size,
                 "it reads no memory, and what the compiler left of it changes nothing that ends it");
        return;
    }
    uint32_t bytes = ptx_type_bytes(instruction->type);
    uint64_t window = load->address & SIMT_WINDOW_MASK, value = 0;
    bool shared = window == SIMT_SHARED_WINDOW;
    const uint8_t *host = NULL;
    if (shared)
        host = warp->block->shared + (load->address & ~SIMT_WINDOW_MASK);
    else if (!window)
        host = simt_host_pointer(launch->device, load->address, bytes);
    if (warp->watch->loads[1].instruction != NULL || host == NULL || !bytes || bytes > 8) {
        snprintf(text, size, "nothing that it reads changes, and no thread is left that could change it");
        return;
    }
    memcpy(&value, host, bytes);
    if (instruction->opcode == PTX_MBARRIER) {
        simt_mbarrier_describe(value, instruction_line(instruction), text, size);
        return;
    }
    snprintf(text, size,
             "the %u byte%s of %s memory that line %u reads stay 0x%" PRIx64 ", and no thread is left that "
             "could change %s%s",
             bytes, bytes == 1 ? "" : "s", shared ? "shared" : "global", instruction_line(instruction), value,
             bytes == 1 ? "it" : "them",
             !shared && instruction->flags & PTX_VOLATILE
                 ? " (what the host or another stream would write meanwhile is not simulated)"
                 : "");
}

/* Nothing repeats: whoever has not ended waits for blocks of its cluster. */
static void say_all_wait(struct launch *launch) {
    uint32_t where = 0;
    const struct block *block = first_block(launch, &where);
    struct simt_fault *fault = &launch->sms[where].fault;
    const struct warp *warp = &block->warps[0];
    while (!warp->path_count)
        warp++;
    const struct path *path = &warp->paths[0];
    simt_fault_place(fault, launch, warp, &path->code->function->instructions[path->pc - 1],
                     (uint32_t)__builtin_ctz(path->mask));
    fault->status = SIMT_BARRIER_DIVERGENCE;
    size_t length = (size_t)simt_fault_describe_place(fault, fault->message, sizeof fault->message);
    snprintf(fault->message + length, sizeof fault->message - length, "%s", SIMT_CLUSTER_DEADLOCK);
    launch->sms[where].faulted = true;
    launch->sms[where].fault_block = launch->stop_block = block->index;
}

static void say_endless(struct launch *launch) {
    struct verdict verdict = {0};
    for (uint32_t i = 0; i < launch->sm_count; i++)
        for (uint32_t k = 0; k < launch->sms[i].block_count; k++)
            look_at_block(launch, i, launch->sms[i].blocks[k], &verdict);
    const struct warp *warp = verdict.warp;
    if (warp == NULL) {
        say_all_wait(launch);
        return;
    }
    struct sm *sm = &launch->sms[verdict.sm];
    struct simt_fault *fault = &sm->fault;
    char why[320];
    simt_fault_place(fault, launch, warp, warp->watch->back,
                     (uint32_t)__builtin_ctz(warp->watch->repeats & warp->live));
    fault->status = SIMT_TIMEOUT;
    describe_load(launch, warp, why, sizeof why);
    size_t length = (size_t)simt_fault_describe_place(fault, fault->message, sizeof fault->message);
    char waiting[64] = "";
    if (verdict.wait)
        snprintf(waiting, sizeof waiting, ", %" PRIu64 " wait%s for others", verdict.wait,
                 verdict.wait == 1 ? "s" : "");
    snprintf(fault->message + length, sizeof fault->message - length,
             "this loop never ends, it repeats exactly: %s. %" PRIu64 " thread%s%s", why, verdict.repeat,
             verdict.repeat == 1 ? " repeats" : "s repeat", waiting);
    sm->faulted = true;
    sm->fault_block = launch->stop_block = warp->block->index;
}

/* The backward branch of the smallest loop around an instruction; NULL: there is none. */
static const struct ptx_instruction *innermost_loop(const struct code *code, uint32_t at) {
    const struct ptx_instruction *instructions = code->function->instructions, *best = NULL;
    uint32_t least = UINT32_MAX;
    for (uint32_t i = at; i < code->count; i++) {
        uint32_t target = instructions[i].opcode == PTX_BRA ? (uint32_t)instructions[i].target : UINT32_MAX;
        if (target <= at && i - target < least) {
            least = i - target;
            best = &instructions[i];
        }
    }
    return best;
}

/* The budget is over while no block is there, between two: no thread can be named. */
static void stop_between_blocks(struct launch *launch, uint64_t instructions, uint64_t budget) {
    struct sm *sm = &launch->sms[0];
    for (uint32_t i = 1; i < launch->sm_count; i++)
        sm = launch->sms[i].next_block < sm->next_block ? &launch->sms[i] : sm;
    sm->fault.status = SIMT_TIMEOUT;
    snprintf(
        sm->fault.message, sizeof sm->fault.message,
        "the kernel did not end within %llu warp instructions (it ran %llu): %llu of its %llu blocks have "
        "not begun",
        (unsigned long long)budget, (unsigned long long)instructions,
        (unsigned long long)(launch->block_total - sm->next_block), (unsigned long long)launch->block_total);
    sm->faulted = true;
    sm->fault_block = launch->stop_block = sm->next_block;
}

void simt_endless_stop(struct launch *launch, uint64_t instructions, uint64_t budget) {
    uint32_t where = 0;
    const struct block *block = first_block(launch, &where);
    if (block == NULL) {
        stop_between_blocks(launch, instructions, budget);
        return;
    }
    struct sm *sm = &launch->sms[where];
    struct simt_fault *fault = &sm->fault;
    const struct warp *warp = &block->warps[0];
    const struct ptx_instruction *instruction = NULL, *loop = NULL;
    uint32_t lane = 0;
    for (uint32_t w = block->warp_count; w-- > 0;)
        if (block->warps[w].state == WARP_RUNNING && block->warps[w].path_count) {
            warp = &block->warps[w];
            const struct path *path = &warp->paths[warp->path_count - 1];
            uint32_t at = path->pc < path->code->count ? path->pc : path->code->count - 1;
            loop = innermost_loop(path->code, at);
            instruction = loop != NULL ? loop : &path->code->function->instructions[at];
            lane = (uint32_t)__builtin_ctz(path->mask);
        }
    simt_fault_place(fault, launch, warp, instruction, lane);
    fault->status = SIMT_TIMEOUT;
    size_t length = (size_t)simt_fault_describe_place(fault, fault->message, sizeof fault->message);
    snprintf(
        fault->message + length, sizeof fault->message - length,
        "the kernel did not end within %llu warp instructions (it ran %llu), and this thread is still %s",
        (unsigned long long)budget, (unsigned long long)instructions,
        loop != NULL ? "in this loop: does its condition ever become false?" : "here");
    sm->faulted = true;
    sm->fault_block = launch->stop_block = block->index;
}

/* ---- between rounds */

static bool pending(const struct launch *launch, const struct sm *sm) {
    return sm->next_block < launch->block_total && sm->next_block < launch->stop_block;
}

/* Blocks for which their SM has no room, because all its blocks wait, start on SMs that have room,
 * in block order. */
static bool deal_waiting_blocks(struct launch *launch) {
    bool any = false;
    for (uint32_t i = 0; i < launch->sm_count; i++) {
        struct sm *free_sm = &launch->sms[i], *from = NULL;
        if (free_sm->block_count >= launch->resident || pending(launch, free_sm))
            continue;
        for (uint32_t k = 0; k < launch->sm_count; k++)
            if (pending(launch, &launch->sms[k]) &&
                (from == NULL || launch->sms[k].next_block < from->next_block))
                from = &launch->sms[k];
        if (from == NULL)
            return any;
        free_sm->given = from->next_block;
        free_sm->is_given = true;
        free_sm->finished = false;
        from->next_block += launch->sm_count;
        any = true;
    }
    return any;
}

static void stop_watching(struct launch *launch) {
    launch->watch = WATCH_NONE;
    for (uint32_t i = 0; i < launch->sm_count; i++)
        for (uint32_t k = 0; k < launch->sms[i].block_count; k++)
            for (uint32_t w = 0; w < launch->sms[i].blocks[k]->warp_count; w++)
                simt_endless_forget(&launch->sms[i].blocks[k]->warps[w]);
}

static void start_watching(struct launch *launch) {
    uint32_t where = 0;
    const struct block *block = first_block(launch, &where);
    if (block == NULL)
        return;
    uint64_t warps = (uint64_t)launch->sms[where].block_count * block->warp_count;
    uint64_t wanted = WATCH_EACH_WARP * warps > WATCH_LEAST ? WATCH_EACH_WARP * warps : WATCH_LEAST;
    wanted *= launch->quiet;
    launch->watch = WATCH_ONE;
    launch->watched_sm = where;
    launch->watch_instructions = wanted < WATCH_MOST ? wanted : WATCH_MOST;
    launch->watch_rounds = 0;
}

/* Whether every SM with work is stuck with memory as it is now. *at_least_stuck: each was stuck at
 * some state of memory. */
static bool all_stuck(const struct launch *launch, bool *at_least_stuck) {
    bool all = true;
    *at_least_stuck = true;
    for (uint32_t i = 0; i < launch->sm_count; i++) {
        const struct sm *sm = &launch->sms[i];
        if (sm->finished)
            continue;
        *at_least_stuck &= sm->stuck;
        all &= sm->stuck && sm->stuck_changes == launch->changes;
    }
    return all;
}

bool simt_endless_end_round(struct launch *launch) {
    enum { TRIES = 16 };
    bool ended = false, nearly = false;
    for (uint32_t i = 0; i < launch->sm_count; i++) {
        ended |= launch->sms[i].ended;
        launch->sms[i].ended = false;
    }
    switch (launch->watch) {
    case WATCH_NONE:
        launch->changes++; /* nobody watched */
        launch->quiet = ended ? 0 : launch->quiet + 1;
        if (launch->quiet && !(launch->quiet & (launch->quiet - 1)))
            start_watching(launch);
        return false;
    case WATCH_ONE:
        if (launch->sms[launch->watched_sm].stuck)
            launch->watch = WATCH_ALL;
        else
            stop_watching(launch);
        return false;
    case WATCH_ALL: break;
    }
    if (!all_stuck(launch, &nearly)) {
        if (!nearly || ++launch->watch_rounds == TRIES)
            stop_watching(launch);
        return false;
    }
    if (deal_waiting_blocks(launch)) {
        launch->quiet = 0;
        stop_watching(launch);
        return false;
    }
    say_endless(launch);
    return true;
}

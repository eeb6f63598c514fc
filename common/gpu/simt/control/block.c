/* block.c: runs blocks on their SM: barriers, turns, and the end of a block. */
#include "base/round.h"
#include "gpu/simt/check/races.h"
#include "gpu/simt/check/undefined.h"
#include "gpu/simt/control/cluster.h"
#include "gpu/simt/endless/endless.h"
#include "gpu/simt/observe/observe.h"

#include <stdlib.h>
#include <string.h>

/* ---- barriers */

static void give_reduction(struct warp *warp, const struct path *path, const struct barrier *barrier) {
    const struct simt_operation *operation = path->reduction;
    uint8_t *registers = warp_registers(warp, path->window);
    uint32_t *predicates = (uint32_t *)(void *)(registers + path->code->predicates_offset);
    uint32_t to = operation->destination[0];
    if (to == SIMT_NO_OPERAND)
        return;
    if (operation->instruction->form == PTX_BAR_RED_POPC) {
        for (uint32_t left = path->mask; left; left &= left - 1)
            memcpy(registers + to + 4 * (size_t)__builtin_ctz(left), &barrier->true_threads, 4);
        return;
    }
    bool result = operation->instruction->form == PTX_BAR_RED_AND
                      ? barrier->true_threads == barrier->red_threads
                      : barrier->true_threads > 0;
    predicates[to] = (predicates[to] & ~path->mask) | (result ? path->mask : 0);
}

void simt_block_check_barriers(struct block *block) {
    for (uint32_t id = 0; id < SIMT_BARRIERS; id++) {
        struct barrier *barrier = &block->barriers[id];
        if (!barrier->waiting)
            continue;
        uint32_t whole = block->warp_count * SIMT_LANES;
        /* Exited threads do not hold a barrier up at which all live threads would wait. */
        bool all = !barrier->expected || (barrier->expected >= whole && !barrier->gone_on);
        uint32_t arrived = barrier->arrived;
        if (all && barrier->expected)
            arrived = 0;
        for (uint32_t w = 0; all && barrier->expected && w < block->warp_count; w++)
            for (uint32_t i = 0; i < block->warps[w].path_count; i++)
                if (block->warps[w].paths[i].state == PATH_AT_BARRIER &&
                    block->warps[w].paths[i].barrier == id)
                    arrived += (uint32_t)__builtin_popcount(block->warps[w].paths[i].mask);
        if (arrived < (all ? block->live_threads : barrier->expected))
            continue;
        for (uint32_t w = 0; w < block->warp_count; w++)
            for (uint32_t i = 0; i < block->warps[w].path_count; i++) {
                struct path *path = &block->warps[w].paths[i];
                if (path->state != PATH_AT_BARRIER || path->barrier != id)
                    continue;
                if (path->reduction != NULL)
                    give_reduction(&block->warps[w], path, barrier);
                path->state = PATH_READY;
                simt_chain_wait(&block->warps[w], 0, &barrier->latest);
            }
        if (block->races != NULL) /* a barrier for some threads counts as one for all: no false alarm */
            simt_races_block_barrier(block->races);
        block->barriers_passed++;
        *barrier = (struct barrier){0};
    }
    if (block->meets_cluster)
        simt_cluster_check(block);
}

/* ---- blocks */

void simt_block_free(struct block *block) {
    if (block == NULL)
        return;
    for (uint32_t i = 0; block->warps != NULL && i < block->warp_count; i++)
        free(block->warps[i].joins);
    simt_races_drop(block);
    simt_shadow_destroy(&block->shared_shadow);
    free(block->warps);
    free(block->shared);
    free(block->sums);
    free(block->phases);
    free(block->text);
    free(block);
}

static struct block *take_block(struct worker *worker) {
    const struct launch *launch = worker->launch;
    struct block *block = worker->free_blocks;
    if (block != NULL) {
        worker->free_blocks = block->next;
        return block;
    }
    block = calloc(1, sizeof *block);
    if (block == NULL)
        return NULL;
    block->warp_count = launch->warps;
    block->warps = calloc(launch->warps, sizeof *block->warps);
    block->shared = aligned_alloc(64, round_up(launch->shared_bytes + UINT64_C(64), 64));
    if (block->warps == NULL || block->shared == NULL) {
        simt_block_free(block);
        return NULL;
    }
    return block;
}

static struct block *start_block(struct worker *worker, struct sm *sm, uint64_t index) {
    const struct launch *launch = worker->launch;
    struct block *block = take_block(worker);
    if (block == NULL)
        return NULL;
    const uint32_t *grid = launch->shape->grid;
    block->index = index;
    block->position[0] = (uint32_t)(index % grid[0]);
    block->position[1] = (uint32_t)(index / grid[0] % grid[1]);
    block->position[2] = (uint32_t)(index / grid[0] / grid[1]);
    block->threads = block->live_threads = launch->threads;
    block->warps_done = 0;
    block->changes = 0;
    block->waited = false;
    block->observer = simt_observer_of(launch, index);
    block->text_length = 0;
    block->cluster_phase = (struct chain_phase){0};
    memset(block->barriers, 0, sizeof block->barriers);
    for (uint32_t i = 0; i < block->warp_count; i++) {
        block->warps[i].block = block;
        block->warps[i].index = i;
        block->warps[i].state = WARP_NEW;
        block->warps[i].l1_place = 0;
        block->warps[i].path_count = 0;
        block->warps[i].arrived = 0;
    }
    /* On hardware shared memory holds what another block left; here values that no program expects
     * (NaN, -1). */
    memset(block->shared, 0xff, launch->shared_bytes);
    if (!simt_cluster_join(launch, block) || (launch->check && !simt_undefined_start_block(block, launch)) ||
        !simt_races_choose(launch, block)) {
        simt_block_free(block);
        return NULL;
    }
    block->ordinal = sm->started++;
    block->slot = sm->block_count;
    sm->blocks[sm->block_count++] = block;
    return block;
}

/* Whether the SM has a block that has not started. */
static bool has_next(const struct launch *launch, const struct sm *sm, uint64_t stop) {
    return sm->is_given || (sm->next_block < launch->block_total && sm->next_block < stop);
}

/* Starts the SM's next block. Blocks are dealt to SMs like cards, so that neighbours run on
 * different SMs, as on hardware. False: out of memory. */
static bool start_next(struct worker *worker, struct sm *sm) {
    uint64_t index = sm->is_given ? sm->given : sm->next_block;
    if (!sm->is_given)
        sm->next_block += worker->launch->sm_count;
    sm->is_given = false;
    if (start_block(worker, sm, index) != NULL)
        return true;
    worker->out_of_memory = true;
    sm->finished = true;
    return false;
}

void simt_sm_keep_text(struct sm *sm, struct block *block) {
    if (!block->text_length)
        return;
    if (sm->printed_count == sm->printed_capacity) {
        size_t capacity = sm->printed_capacity ? 2 * sm->printed_capacity : 16;
        struct printed *larger = realloc(sm->printed, capacity * sizeof *larger);
        if (larger == NULL)
            return;
        sm->printed = larger;
        sm->printed_capacity = capacity;
    }
    sm->printed[sm->printed_count++] = (struct printed){block->index, block->text, block->text_length};
    block->text = NULL;
    block->text_length = block->text_capacity = 0;
}

/* Sums at the block's busiest word; none are left for the next block. */
static uint32_t take_sums(struct block *block, uint32_t bytes) {
    uint32_t most = 0, words = bytes / 4;
    for (uint32_t i = 0; block->sums != NULL && i < words; i++) {
        most = block->sums[i] > most ? block->sums[i] : most;
        block->sums[i] = 0;
    }
    return most;
}

static void end_block(struct worker *worker, struct sm *sm, uint32_t resident) {
    struct block *block = sm->blocks[resident];
    uint64_t longest = 0, instructions = 0, slept = 0;
    struct chain last = {0};
    for (uint32_t i = 0; i < block->warp_count; i++) {
        instructions += block->warps[i].instructions;
        longest = block->warps[i].instructions > longest ? block->warps[i].instructions : longest;
        struct chain end = simt_chain_of(&block->warps[i], 0);
        simt_chain_join(&last, &end);
        slept = block->warps[i].slept_ns > slept ? block->warps[i].slept_ns : slept;
        simt_warp_release(worker, &block->warps[i]);
    }
    simt_cluster_leave(block);
    simt_sm_keep_text(sm, block);
    sm->looked += block->looked;
    sm->longest_warps += longest;
    simt_chain_join(&sm->longest_chain, &last);
    sm->chains.instructions += last.instructions;
    sm->chains.copies += last.copies;
    sm->chains.slept_ns += last.slept_ns;
    sm->sleeps += slept;
    sm->busiest_sums += take_sums(block, worker->launch->shared_bytes);
    sm->longest_sleep = slept > sm->longest_sleep ? slept : sm->longest_sleep;
    if (instructions > sm->largest_block)
        sm->largest_block = instructions;
    sm->ended = true;
    sm->blocks[resident] = sm->blocks[--sm->block_count];
    if (resident < sm->block_count)
        sm->blocks[resident]->slot = resident;
    block->next = worker->free_blocks;
    worker->free_blocks = block;
}

enum block_outcome { BLOCK_FINISHED, BLOCK_SPINS, BLOCK_REPEATS, BLOCK_OUT_OF_TURN };

static void deadlock(struct worker *worker, struct block *block) {
    for (uint32_t w = 0; w < block->warp_count; w++)
        for (uint32_t i = 0; i < block->warps[w].path_count; i++) {
            struct warp *warp = &block->warps[w];
            const struct path *path = &warp->paths[i];
            const struct ptx_instruction *instruction =
                path->pc ? &path->code->function->instructions[path->pc - 1] : NULL;
            uint32_t lane = (uint32_t)__builtin_ctz(path->mask);
            if (path->state == PATH_AT_BARRIER) {
                const struct barrier *barrier = &block->barriers[path->barrier];
                simt_fault_other(
                    worker, warp, instruction, lane, SIMT_BARRIER_DIVERGENCE,
                    "%u threads wait at barrier %u for %u, and no other thread of the block can ever "
                    "reach it: on hardware the kernel would hang",
                    barrier->arrived, path->barrier,
                    barrier->expected ? barrier->expected : block->live_threads);
            }
            if (path->state == PATH_AT_CLUSTER)
                simt_fault_other(worker, warp, instruction, lane, SIMT_BARRIER_DIVERGENCE,
                                 SIMT_CLUSTER_DEADLOCK);
            if (path->state == PATH_HELD) /* strict: this does not return */
                simt_part_of_warp(worker, warp, path);
            if (path->state == PATH_AT_WARP_BARRIER)
                simt_fault_other(
                    worker, warp,
                    &path->code->function
                         ->instructions[path->pc < path->code->count ? path->pc : path->pc - 1],
                    lane, SIMT_BARRIER_DIVERGENCE,
                    "threads of the warp wait for lanes 0x%08x, some of which never come here: the "
                    "member mask of a *_sync function must name only threads that call it",
                    path->members);
        }
    simt_fault_other(worker, &block->warps[0], NULL, 0, SIMT_BARRIER_DIVERGENCE,
                     "no thread of the block can run");
}

/* Nobody can run: threads that wait to reconverge go on alone, as they may on hardware. They may
 * exit or arrive at the barrier, which the others may wait for. */
static bool let_go(struct block *block, bool calls) {
    bool any = false;
    for (uint32_t i = 0; i < block->warp_count; i++)
        any |= block->warps[i].state == WARP_RUNNING && simt_warp_let_go(&block->warps[i], calls);
    return any;
}

/* Whether each warp still repeats, with memory as it is now. */
static bool all_repeat(const struct worker *worker, const struct block *block) {
    for (uint32_t i = 0; i < block->warp_count; i++)
        if (block->warps[i].state != WARP_DONE && simt_endless_next_path(worker, &block->warps[i]) >= 0)
            return false;
    return true;
}

static enum block_outcome run_block(struct worker *worker, struct sm *sm, struct block *block) {
    for (;;) {
        bool advanced = false, spun = false, repeats = false;
        for (uint32_t i = 0; i < block->warp_count; i++) {
            struct warp *warp = &block->warps[i];
            if (warp->state == WARP_DONE)
                continue;
            if (warp->state == WARP_NEW) {
                worker->warp = warp;
                if (!simt_warp_start(worker, warp))
                    simt_fault_other(worker, warp, NULL, 0, SIMT_OUT_OF_MEMORY,
                                     "the simulator ran out of memory");
            }
            uint64_t before = warp->instructions;
            enum warp_outcome outcome = simt_warp_run(worker, warp);
            if (outcome == WARP_FINISHED) {
                if (warp->instructions > sm->longest_warp)
                    sm->longest_warp = warp->instructions;
                simt_warp_release(worker, warp);
                block->warps_done++;
                simt_block_check_barriers(block);
                advanced = true;
            } else if (outcome == WARP_OUT_OF_TURN) {
                return BLOCK_OUT_OF_TURN;
            } else if (outcome == WARP_SPINS) {
                spun = true;
            } else if (outcome == WARP_REPEATS) {
                repeats = true;
                simt_block_check_barriers(block);
            } else {
                advanced |= warp->instructions != before;
                simt_block_check_barriers(block); /* threads may have exited */
            }
        }
        if (block->warps_done == block->warp_count)
            return BLOCK_FINISHED;
        if (!advanced) {
            if (spun)
                return BLOCK_SPINS;
            if (repeats && !all_repeat(worker, block))
                continue;
            if (let_go(block, repeats))
                continue;
            if (repeats || simt_cluster_waits(block))
                return BLOCK_REPEATS;
            deadlock(worker, block);
        }
    }
}

/* ---- an SM's turn */

static void drop_blocks_after(struct worker *worker, struct sm *sm, uint64_t stop) {
    for (uint32_t i = 0; i < sm->block_count;)
        if (sm->blocks[i]->index >= stop)
            end_block(worker, sm, i);
        else
            i++;
}

/* After a turn of all resident blocks, starts the next if there is room. False: out of memory. */
static bool start_beside(struct worker *worker, struct sm *sm, uint64_t stop) {
    const struct launch *launch = worker->launch;
    if (sm->block_count == launch->resident || sm->turn != sm->block_count || !has_next(launch, sm, stop))
        return true;
    return start_next(worker, sm);
}

/* Warp instructions of an SM's turn. A small budget, checked between turns, has small turns. */
static uint64_t turn_of(const struct launch *launch) {
    uint64_t budget = launch->device->config.instruction_budget, each = budget / launch->sm_count;
    if (!budget || each > SM_ROUND_INSTRUCTIONS)
        return SM_ROUND_INSTRUCTIONS;
    return each > SM_ROUND_LEAST ? each : SM_ROUND_LEAST;
}

static void run_round(struct worker *worker, struct sm *sm) {
    struct launch *launch = worker->launch;
    worker->sm = sm;
    worker->watching = launch->watch != WATCH_NONE;
    sm->round_limit = sm->instructions + (worker->watching ? launch->watch_instructions : turn_of(launch));
    sm->stuck = false;
    uint64_t enough =
        sm->instructions + (launch->shape->cooperative ? 0 : SM_ROUND_LEAST); /* where all only wait */
    sm->l1.log_count = 0;
    if (setjmp(worker->fault)) { /* drops the faulted block; earlier blocks go on */
        uint64_t faulted = worker->warp->block->index;
        uint64_t stop = __atomic_load_n(&launch->stop_block, __ATOMIC_RELAXED);
        while (faulted < stop && !__atomic_compare_exchange_n(&launch->stop_block, &stop, faulted, false,
                                                              __ATOMIC_RELAXED, __ATOMIC_RELAXED))
            ;
        drop_blocks_after(worker, sm, faulted);
    }
    uint32_t repeating = 0; /* blocks in a row that repeat */
    uint32_t spinning = 0;  /* blocks in a row that poll */
    for (;;) {
        uint64_t stop = __atomic_load_n(&launch->stop_block, __ATOMIC_RELAXED);
        drop_blocks_after(worker, sm, stop);
        if (!sm->block_count) {
            if (!has_next(launch, sm, stop)) {
                sm->finished = true;
                return;
            }
            if (sm->l1.log_count >= SM_LOG_SOFT || sm->instructions >= sm->round_limit)
                return;
            sm->turn = 0;
            if (!start_next(worker, sm))
                return;
        }
        if (sm->turn >= sm->block_count)
            sm->turn = 0;
        switch (run_block(worker, sm, sm->blocks[sm->turn])) {
        case BLOCK_FINISHED:
            end_block(worker, sm, sm->turn);
            repeating = spinning = 0;
            break;
        case BLOCK_OUT_OF_TURN: return;
        case BLOCK_REPEATS: {
            bool changed = !repeating || sm->stuck_changes != launch->changes;
            repeating = changed ? 1 : repeating + 1;
            sm->stuck_changes = launch->changes;
            sm->turn++;
            if (!start_beside(worker, sm, stop))
                return;
            sm->stuck = repeating >= sm->block_count;
            if (sm->stuck)
                return;
            break;
        }
        case BLOCK_SPINS: /* it may wait for a block of another SM, or one that has not started */
            repeating = 0;
            spinning++;
            sm->turn++;
            if (!start_beside(worker, sm, stop) || sm->instructions >= sm->round_limit)
                return;
            if (!worker->watching && spinning > sm->block_count && sm->turn >= sm->block_count &&
                sm->instructions >= enough)
                return;
            break;
        }
    }
}

void simt_sm_run_round(struct worker *worker, struct sm *sm) {
    const struct launch *launch = worker->launch;
    if (sm->finished || (launch->watch == WATCH_ONE && sm->index != launch->watched_sm))
        return;
    run_round(worker, sm);
    if (launch->caches)
        simt_sm_count_round(worker, sm);
}

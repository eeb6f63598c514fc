/* block.c: blocks and the SM that runs them: barriers, turns, and what a block leaves behind. */
#include "base/round.h"
#include "simt/machine.h"
#include "simt/observe.h"
#include "simt/races.h"

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

void block_check_barriers(struct block *block) {
    for (uint32_t id = 0; id < SIMT_BARRIERS; id++) {
        struct barrier *barrier = &block->barriers[id];
        if (!barrier->waiting)
            continue;
        uint32_t whole = block->warp_count * SIMT_LANES;
        bool all = !barrier->expected || barrier->expected >= whole;
        /* Threads that have exited do not hold a barrier up. */
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
            }
        if (block->races != NULL) /* a barrier for some threads only counts as one for all: no false alarm */
            races_block_barrier(block->races);
        *barrier = (struct barrier){0};
    }
}

/* ---- blocks */

void block_free(struct block *block) {
    if (block == NULL)
        return;
    for (uint32_t i = 0; block->warps != NULL && i < block->warp_count; i++)
        free(block->warps[i].joins);
    races_destroy(block->races);
    free(block->warps);
    free(block->shared);
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
    if (launch->races)
        block->races = races_create(launch->shared_bytes, launch->warps);
    if (block->warps == NULL || block->shared == NULL || (launch->races && block->races == NULL)) {
        block_free(block);
        return NULL;
    }
    return block;
}

/* The next block of this SM; blocks are dealt to SMs like cards, so that neighbours run on different SMs, as on
 * hardware. */
static struct block *start_block(struct worker *worker, struct sm *sm) {
    const struct launch *launch = worker->launch;
    struct block *block = take_block(worker);
    if (block == NULL)
        return NULL;
    uint64_t index = sm->next_block;
    sm->next_block += launch->sm_count;
    const uint32_t *grid = launch->shape->grid;
    block->index = index;
    block->position[0] = (uint32_t)(index % grid[0]);
    block->position[1] = (uint32_t)(index / grid[0] % grid[1]);
    block->position[2] = (uint32_t)(index / grid[0] / grid[1]);
    block->threads = block->live_threads = launch->threads;
    block->warps_done = 0;
    block->instructions = 0;
    block->observer = observer_of(launch, index);
    block->text_length = 0;
    memset(block->barriers, 0, sizeof block->barriers);
    for (uint32_t i = 0; i < block->warp_count; i++) {
        block->warps[i].block = block;
        block->warps[i].index = i;
        block->warps[i].state = WARP_NEW;
        block->warps[i].path_count = 0;
    }
    /* Shared memory starts with what the block before left; strict: with what no program expects (NaN, -1). */
    memset(block->shared, launch->strict ? 0xff : 0, launch->shared_bytes);
    if (block->races != NULL)
        races_begin_block(block->races);
    block->slot = sm->block_count;
    sm->blocks[sm->block_count++] = block;
    return block;
}

void sm_keep_text(struct sm *sm, struct block *block) {
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

static void end_block(struct worker *worker, struct sm *sm, uint32_t resident) {
    struct block *block = sm->blocks[resident];
    for (uint32_t i = 0; i < block->warp_count; i++) {
        block->instructions += block->warps[i].instructions;
        warp_release(worker, &block->warps[i]);
    }
    sm_keep_text(sm, block);
    if (block->instructions > sm->largest_block)
        sm->largest_block = block->instructions;
    sm->blocks[resident] = sm->blocks[--sm->block_count];
    if (resident < sm->block_count)
        sm->blocks[resident]->slot = resident;
    block->next = worker->free_blocks;
    worker->free_blocks = block;
}

enum block_outcome { BLOCK_FINISHED, BLOCK_SPINS, BLOCK_OUT_OF_TURN };

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
                fault_other(worker, warp, instruction, lane, SIMT_BARRIER_DIVERGENCE,
                            "%u threads wait at barrier %u for %u, and no other thread of the block can ever "
                            "reach it: on hardware the kernel would hang",
                            barrier->arrived, path->barrier,
                            barrier->expected ? barrier->expected : block->live_threads);
            }
            if (path->state == PATH_AT_WARP_BARRIER)
                fault_other(worker, warp,
                            &path->code->function
                                 ->instructions[path->pc < path->code->count ? path->pc : path->pc - 1],
                            lane, SIMT_BARRIER_DIVERGENCE,
                            "threads of the warp wait for lanes 0x%08x, some of which never come here: the "
                            "member mask of a *_sync function must name only threads that call it",
                            path->members);
        }
    fault_other(worker, &block->warps[0], NULL, 0, SIMT_BARRIER_DIVERGENCE, "no thread of the block can run");
}

/* Nobody can run: threads that wait to reconverge go ahead alone, as they may on hardware; what they do next (exit,
 * arrive at the barrier) may be what the others wait for. */
static bool let_go(struct block *block) {
    bool any = false;
    for (uint32_t i = 0; i < block->warp_count; i++)
        any |= block->warps[i].state == WARP_RUNNING && warp_let_go(&block->warps[i]);
    return any;
}

static enum block_outcome run_block(struct worker *worker, struct sm *sm, struct block *block) {
    for (;;) {
        bool advanced = false, spun = false;
        for (uint32_t i = 0; i < block->warp_count; i++) {
            struct warp *warp = &block->warps[i];
            if (warp->state == WARP_DONE)
                continue;
            if (warp->state == WARP_NEW) {
                worker->warp = warp;
                if (!warp_start(worker, warp))
                    fault_other(worker, warp, NULL, 0, SIMT_OUT_OF_MEMORY, "the simulator ran out of memory");
            }
            uint64_t before = warp->instructions;
            enum warp_outcome outcome = warp_run(worker, warp);
            if (outcome == WARP_FINISHED) {
                if (warp->instructions > sm->longest_warp)
                    sm->longest_warp = warp->instructions;
                warp_release(worker, warp);
                block->warps_done++;
                block_check_barriers(block);
                advanced = true;
            } else if (outcome == WARP_OUT_OF_TURN) {
                return BLOCK_OUT_OF_TURN;
            } else if (outcome == WARP_SPINS) {
                spun = true;
            } else {
                advanced |= warp->instructions != before;
                block_check_barriers(block); /* some of its threads may have exited */
            }
        }
        if (block->warps_done == block->warp_count)
            return BLOCK_FINISHED;
        if (!advanced) {
            if (spun)
                return BLOCK_SPINS;
            if (!let_go(block))
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

void sm_run_round(struct worker *worker, struct sm *sm) {
    struct launch *launch = worker->launch;
    if (sm->finished)
        return;
    worker->sm = sm;
    sm->round_limit = sm->instructions + SM_ROUND_INSTRUCTIONS;
    sm->l1.log_count = 0;
    if (setjmp(worker->fault)) { /* the faulted block is dropped; those before it go on */
        uint64_t faulted = worker->warp->block->index;
        uint64_t stop = __atomic_load_n(&launch->stop_block, __ATOMIC_RELAXED);
        while (faulted < stop && !__atomic_compare_exchange_n(&launch->stop_block, &stop, faulted, false,
                                                              __ATOMIC_RELAXED, __ATOMIC_RELAXED))
            ;
        drop_blocks_after(worker, sm, faulted);
    }
    for (;;) {
        uint64_t stop = __atomic_load_n(&launch->stop_block, __ATOMIC_RELAXED);
        drop_blocks_after(worker, sm, stop);
        if (!sm->block_count) {
            if (sm->next_block >= launch->block_total || sm->next_block >= stop) {
                sm->finished = true;
                return;
            }
            if (sm->l1.log_count >= SM_LOG_SOFT || sm->instructions >= sm->round_limit)
                return;
            sm->turn = 0;
            if (start_block(worker, sm) == NULL) {
                worker->out_of_memory = true;
                sm->finished = true;
                return;
            }
        }
        if (sm->turn >= sm->block_count)
            sm->turn = 0;
        switch (run_block(worker, sm, sm->blocks[sm->turn])) {
        case BLOCK_FINISHED: end_block(worker, sm, sm->turn); break;
        case BLOCK_OUT_OF_TURN: return;
        case BLOCK_SPINS: /* it may wait for a block that is not running yet */
            sm->turn++;
            if (sm->block_count < launch->resident && sm->turn == sm->block_count &&
                sm->next_block < launch->block_total && sm->next_block < stop &&
                start_block(worker, sm) == NULL) {
                worker->out_of_memory = true;
                sm->finished = true;
                return;
            }
            if (sm->instructions >= sm->round_limit)
                return;
            break;
        }
    }
}

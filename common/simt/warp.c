/*
 * warp.c: the interpreter of one warp: runs of operations, barriers, whose turn it is.
 *
 * Forward progress: a path that loops for long gives way to the warp's other paths; if there are none,
 * threads waiting at its joins are let go ahead without it. So a thread that spins on a lock its neighbour
 * holds does not stop that neighbour.
 */
#include "simt/paths.h"
#include "simt/races.h"

enum {
    TURN_POLLING = 64,     /* backward branches of a path that reads what others write */
    TURN_COMPUTING = 65536 /* of one that only computes */
};

/* ---- barriers */

static bool wait_for_members(struct warp *warp, struct path *path, uint32_t members) {
    if (!(members & warp->live & ~path->mask))
        return false;
    path->state = PATH_AT_WARP_BARRIER;
    path->members = members;
    return true;
}

/* Paths that wait for the same member lanes at the same instruction go on as one when all are there. */
static void release_members(struct warp *warp) {
    for (uint32_t i = 0; i < warp->path_count; i++) {
        struct path *path = &warp->paths[i];
        if (path->state != PATH_AT_WARP_BARRIER)
            continue;
        uint32_t there = 0;
        for (uint32_t k = 0; k < warp->path_count; k++)
            if (warp->paths[k].state == PATH_AT_WARP_BARRIER && warp->paths[k].members == path->members)
                there |= warp->paths[k].mask;
        if (path->members & warp->live & ~there)
            continue;
        uint32_t members = path->members;
        for (uint32_t k = 0; k < warp->path_count; k++)
            if (warp->paths[k].state == PATH_AT_WARP_BARRIER && warp->paths[k].members == members) {
                warp->paths[k].state = PATH_READY;
                warp->paths[k].members = 0;
                warp->paths[k].released = warp->paths[k].at_operation;
                warp->paths[k].at_operation = false;
            }
        /* Same place, same joins: one path again. */
        for (uint32_t k = 0; k < warp->path_count; k++)
            for (uint32_t j = k + 1; j < warp->path_count;) {
                struct path *a = &warp->paths[k], *b = &warp->paths[j];
                if (a->state == PATH_READY && b->state == PATH_READY && a->code == b->code &&
                    a->pc == b->pc && a->join == b->join && a->depth == b->depth &&
                    a->released == b->released) {
                    a->mask |= b->mask;
                    path_remove(warp, j);
                } else {
                    j++;
                }
            }
        i = UINT32_MAX; /* from the start: paths moved */
    }
}

static void arrive_at_barrier(struct worker *worker, struct warp *warp, struct path *path,
                              const struct ptx_instruction *instruction, uint8_t *registers,
                              const uint32_t *predicates) {
    const struct simt_operation *operation = &path->code->operations[path->pc];
    uint32_t lane = (uint32_t)__builtin_ctz(path->mask);
    uint32_t id = instruction->sources ? lane_value(registers, operation->source[0], lane) : 0;
    bool reduce = instruction->destinations > 0;
    uint32_t count_source = reduce && instruction->sources == 2 ? SIMT_NO_OPERAND : operation->source[1];
    uint32_t predicate_source = reduce ? operation->source[instruction->sources - 1] : SIMT_NO_OPERAND;
    uint32_t expected = instruction->sources >= 2 && count_source != SIMT_NO_OPERAND
                            ? lane_value(registers, count_source, lane)
                            : 0;
    if (id >= SIMT_BARRIERS)
        fault_other(worker, warp, instruction, lane, SIMT_ILLEGAL_INSTRUCTION,
                    "barrier %u: there are only 16 (0 to 15)", id);
    if (expected % SIMT_LANES)
        fault_other(worker, warp, instruction, lane, SIMT_ILLEGAL_INSTRUCTION,
                    "a barrier for %u threads: the count must be a multiple of 32", expected);
    if (worker->launch->strict && instruction->flags & PTX_ALIGNED && path->mask != warp->live) {
        uint32_t missing = warp->live & ~path->mask;
        fault_other(
            worker, warp, instruction, lane, SIMT_BARRIER_DIVERGENCE,
            "only %u of the warp's %u running threads reach this barrier together; thread %u of the warp, "
            "for one, went another way at a branch. Every thread of the block must reach __syncthreads(): "
            "move it out of the condition",
            (unsigned)__builtin_popcount(path->mask), (unsigned)__builtin_popcount(warp->live),
            (unsigned)__builtin_ctz(missing));
    }
    struct barrier *barrier = &warp->block->barriers[id];
    if (barrier->waiting && !expected && instruction->flags & PTX_ALIGNED && worker->launch->strict &&
        barrier->instruction != instruction)
        fault_other(
            worker, warp, instruction, lane, SIMT_BARRIER_DIVERGENCE,
            "these threads wait at this barrier while others of the block wait at the one of line %u: every "
            "thread must reach the same __syncthreads()",
            barrier->instruction->line);
    barrier->instruction = instruction;
    if (barrier->waiting && barrier->expected != expected && worker->launch->strict)
        fault_other(worker, warp, instruction, lane, SIMT_BARRIER_DIVERGENCE,
                    "barrier %u is waited for with a count of %u threads here and %u elsewhere", id, expected,
                    barrier->expected);
    uint32_t threads = (uint32_t)__builtin_popcount(path->mask), true_lanes = 0;
    if (expected) /* with a count, a warp arrives whole, as the instruction is defined */
        threads = path->mask == warp->live ? SIMT_LANES : threads;
    if (predicate_source != SIMT_NO_OPERAND)
        true_lanes = path->mask & (predicates[predicate_source] ^
                                   (operation->negated >> (instruction->sources - 1) & 1 ? UINT32_MAX : 0));
    barrier->waiting = true;
    barrier->expected = expected;
    barrier->arrived += threads;
    barrier->true_threads += (uint32_t)__builtin_popcount(true_lanes);
    barrier->red_threads +=
        predicate_source == SIMT_NO_OPERAND ? 0 : (uint32_t)__builtin_popcount(path->mask);
    worker->counters.barriers++;
    path->pc++;
    if (instruction->form != PTX_BAR_ARRIVE) {
        path->state = PATH_AT_BARRIER;
        path->barrier = (uint8_t)id;
        path->reduction = reduce ? operation : NULL;
    }
    block_check_barriers(warp->block);
}

/* ---- the loop */

static void enter_window(struct worker *worker, struct warp *warp, const struct path *path) {
    struct window_header *header = window_header(warp_registers(warp, path->window));
    *header = (struct window_header){.warp = warp,
                                     .worker = worker,
                                     .sites = worker->sites,
                                     .shared = warp->block->shared,
                                     .shared_bytes = worker->launch->shared_bytes,
                                     .code = path->code,
                                     .sm = worker->sm,
                                     .races = warp->block->races,
                                     .frame = warp_registers(warp, path->window) + path->code->frame_offset,
                                     .frame_stride = frame_stride(path->code),
                                     .local_stride = worker->launch->local_stride};
}

static inline void count_run(struct worker *worker, struct warp *warp, const struct code *code,
                             uint32_t first, uint32_t end, uint32_t mask) {
    uint32_t threads = mask == UINT32_MAX ? SIMT_LANES : (uint32_t)__builtin_popcount(mask);
    uint32_t length = end - first;
    struct run_count *counts = worker->counts + code->first_count;
    counts[first].runs++;
    counts[first].threads += threads;
    counts[end].runs--;
    counts[end].threads -= threads;
    worker->sm->instructions += length;
    warp->instructions += length;
}

enum turn { TURN_ON, TURN_CHANGED, TURN_OVER };

/* After a backward branch or call: is it time for someone else? */
static inline bool turn_is_over(struct worker *worker, struct path *path) {
    path->spins++;
    if (worker->sm->instructions >= worker->sm->round_limit || worker->sm->l1.log_count >= SM_LOG_LIMIT)
        return true;
    return path->spins >= TURN_POLLING && (worker->polled || path->spins >= TURN_COMPUTING);
}

/* Run the path until it is split, joined, blocked or its turn is over. */
static enum turn run_path(struct worker *worker, struct warp *warp, uint32_t path_index) {
    struct path *path = &warp->paths[path_index];
    enter_window(worker, warp, path);
    for (;;) {
        if (path->join >= 0 && path_at_join(warp, path)) {
            uint32_t mask = path->mask;
            int32_t join = path->join;
            path_remove(warp, path_index);
            join_arrive(warp, join, mask);
            return TURN_CHANGED;
        }
        const struct code *code = path->code;
        uint8_t *registers = warp_registers(warp, path->window);
        uint32_t *predicates = (uint32_t *)(void *)(registers + code->predicates_offset);
        uint32_t pc = path->pc, mask = path->mask;
        bool released = path->released; /* the members have met for the operation at pc: do not wait again */
        path->released = false;
        uint32_t end = path->join < 0 ? code->run_end[pc] : code->leader_end[pc];
        const struct simt_operation *operation = &code->operations[pc], *last = &code->operations[end];
        warp->run_first = operation;
        if (mask == warp->live && !warp->block->races) {
            for (; operation != last; operation++)
                operation->full(operation, registers, predicates, mask);
        } else {
            for (; operation != last; operation++) {
                uint32_t at = (uint32_t)(operation - code->operations);
                if (code->together[at] && !(released && at == pc)) {
                    uint32_t lane = (uint32_t)__builtin_ctz(mask);
                    uint32_t members = lane_value(registers, operation->source[code->together[at] - 1], lane);
                    if (wait_for_members(warp, path, members)) {
                        count_run(worker, warp, code, pc, at, mask);
                        path->pc = at;
                        path->at_operation = true;
                        return TURN_CHANGED;
                    }
                    if (warp->block->races)
                        races_warp_barrier(warp->block->races, warp->index);
                }
                operation->masked(operation, registers, predicates, mask);
            }
        }
        path->pc = end;
        uint8_t control = code->control[end];
        if (control == PTX_CONTROL_NONE || (end != pc && path->join >= 0 && path_at_join(warp, path))) {
            count_run(worker, warp, code, pc, end, mask);
            continue;
        }
        count_run(worker, warp, code, pc, end + 1, mask);
        if (end == code->count) {
            path_return(warp, path_index, mask);
            return TURN_CHANGED;
        }
        const struct ptx_instruction *instruction = &code->function->instructions[end];
        warp->operation = &code->operations[end];
        uint32_t guarded = mask;
        if (instruction->guard >= 0)
            guarded &= predicates[instruction->guard] ^ (instruction->guard_negated ? UINT32_MAX : 0);
        if (control == PTX_CONTROL_BRANCH) {
            uint32_t target = (uint32_t)instruction->target;
            if (guarded == 0) {
                path->pc = end + 1;
            } else if (guarded == mask) {
                path->pc = target;
            } else {
                worker->divergent[code->first_count + end]++;
                path_diverge(worker, warp, path_index, guarded, target, end + 1,
                             (uint32_t)instruction->reconverge);
                return TURN_CHANGED;
            }
            if (path->pc <= end && turn_is_over(worker, path))
                return TURN_OVER;
            continue;
        }
        if (guarded == 0) {
            path->pc = end + 1;
            continue;
        }
        if (control == PTX_CONTROL_EXIT || control == PTX_CONTROL_RETURN) {
            path->pc = end + 1;
            if (control == PTX_CONTROL_EXIT)
                path_exit(warp, path_index, guarded);
            else
                path_return(warp, path_index, guarded);
            return TURN_CHANGED;
        }
        if (guarded != mask) { /* the rest goes past it and waits behind it */
            path_diverge(worker, warp, path_index, mask & ~guarded, end + 1, end, end + 1);
            return TURN_CHANGED;
        }
        switch (control) {
        case PTX_CONTROL_BRANCH_TABLE: {
            path_branch_indexed(worker, warp, path_index, instruction, registers);
            return TURN_CHANGED;
        }
        case PTX_CONTROL_CALL:
            path_call(worker, warp, path, instruction);
            path = &warp->paths[path_index];
            enter_window(worker, warp, path);
            if (turn_is_over(worker, path))
                return TURN_OVER;
            break;
        case PTX_CONTROL_BARRIER:
            arrive_at_barrier(worker, warp, path, instruction, registers, predicates);
            return TURN_CHANGED;
        case PTX_CONTROL_WARP_BARRIER: {
            uint32_t members =
                lane_value(registers, code->operations[end].source[0], (uint32_t)__builtin_ctz(mask));
            path->pc = end + 1;
            if (warp->block->races)
                races_warp_barrier(warp->block->races, warp->index);
            if (wait_for_members(warp, path, members))
                return TURN_CHANGED;
            break;
        }
        case PTX_CONTROL_SLEEP:
            path->pc = end + 1;
            path->spins = TURN_COMPUTING;
            return TURN_OVER;
        default:
            fault_other(worker, warp, instruction, (uint32_t)__builtin_ctz(mask), SIMT_TRAP,
                        "the kernel executed a trap instruction");
        }
    }
}

/* Nobody else in this warp can run: let the threads that wait at the path's joins go ahead without it. */
static bool let_go(struct warp *warp, const struct path *path) {
    for (int32_t join = path->join; join >= 0; join = warp->joins[join].parent)
        if (warp->joins[join].arrived && !warp->joins[join].call) {
            join_go_on(warp, join);
            return true;
        }
    return false;
}

bool warp_let_go(struct warp *warp) {
    for (uint32_t i = 0; i < warp->join_count; i++)
        if (warp->joins[i].used && warp->joins[i].arrived && !warp->joins[i].call) {
            join_go_on(warp, (int32_t)i);
            return true;
        }
    return false;
}

static bool another_ready(const struct warp *warp, uint32_t path_index) {
    for (uint32_t i = 0; i < warp->path_count; i++)
        if (i != path_index && warp->paths[i].state == PATH_READY)
            return true;
    return false;
}

enum warp_outcome warp_run(struct worker *worker, struct warp *warp) {
    worker->warp = warp;
    uint32_t spinning = 0; /* paths that used up their turn since something else happened */
    while (warp->path_count) {
        uint32_t index = warp->path_count;
        while (index-- > 0 && warp->paths[index].state != PATH_READY)
            ;
        if (index == UINT32_MAX) {
            uint32_t before = warp->path_count;
            release_members(warp);
            bool ready = warp->path_count != before;
            for (uint32_t i = 0; i < warp->path_count; i++)
                ready |= warp->paths[i].state == PATH_READY;
            if (!ready)
                return WARP_WAITS;
            continue;
        }
        worker->polled = false;
        warp->paths[index].spins = 0;
        enum turn turn = run_path(worker, warp, index);
        if (turn == TURN_CHANGED) {
            spinning = 0;
            continue;
        }
        if (worker->sm->instructions >= worker->sm->round_limit || worker->sm->l1.log_count >= SM_LOG_LIMIT)
            return WARP_OUT_OF_TURN;
        spinning++;
        if (another_ready(warp, index)) {
            struct path path = warp->paths[index]; /* to the back of the queue */
            for (uint32_t i = index; i > 0; i--)
                warp->paths[i] = warp->paths[i - 1];
            warp->paths[0] = path;
            if (spinning <= warp->path_count)
                continue;
        } else if (let_go(warp, &warp->paths[index])) {
            spinning = 0;
            continue;
        }
        if (worker->polled || spinning > warp->path_count) {
            release_members(warp);
            return WARP_SPINS;
        }
    }
    warp->state = WARP_DONE;
    return WARP_FINISHED;
}

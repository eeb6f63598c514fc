/* warp.c: the interpreter of one warp: runs of operations, barriers, turns of paths.
 *
 * Forward progress: a path that loops for long gives way to the warp's other paths. If there are
 * none, threads that wait at its joins go on without it. So a thread that spins on a lock does not
 * stop its neighbour that holds the lock. */
#include "gpu/simt/check/races.h"
#include "gpu/simt/check/undefined.h"
#include "gpu/simt/control/cluster.h"
#include "gpu/simt/control/paths.h"
#include "gpu/simt/count/count.h"
#include "gpu/simt/endless/endless.h"
#include "gpu/simt/observe/observe.h"

enum {
    TURN_POLLING = 64,     /* backward branches of a path that polls */
    TURN_COMPUTING = 65536 /* of a path that only computes */
};

/* ---- barriers */

/* Checks how these threads arrive at a barrier; a fault does not return. */
static void check_arrival(struct worker *worker, struct warp *warp, const struct path *path,
                          const struct ptx_instruction *instruction, uint32_t id, uint32_t expected) {
    const struct barrier *barrier = &warp->block->barriers[id < SIMT_BARRIERS ? id : 0];
    uint32_t lane = (uint32_t)__builtin_ctz(path->mask), missing = warp->live & ~path->mask;
    bool aligned = instruction->flags & PTX_ALIGNED;
    if (id >= SIMT_BARRIERS)
        simt_fault_other(worker, warp, instruction, lane, SIMT_ILLEGAL_INSTRUCTION,
                         "barrier %u: there are only 16 (0 to 15)", id);
    if (expected % SIMT_LANES)
        simt_fault_other(worker, warp, instruction, lane, SIMT_ILLEGAL_INSTRUCTION,
                         "a barrier for %u threads: the count must be a multiple of 32", expected);
    struct simt_mistake mistake = {"barrier", instruction, lane, SIMT_BARRIER_DIVERGENCE};
    if (aligned && missing && !warp->early)
        simt_part_of_warp(worker, warp, path);
    else if (aligned && barrier->waiting && !expected && barrier->instruction != instruction)
        simt_pass_or_stop(
            worker, warp, &mistake,
            "these threads wait at this barrier while others of the block wait at the one of line %u: every "
            "thread must reach the same __syncthreads()",
            instruction_line(barrier->instruction));
    else if (barrier->waiting && barrier->expected != expected)
        simt_pass_or_stop(worker, warp, &mistake,
                          "barrier %u is waited for with a count of %u threads here and %u elsewhere", id,
                          expected, barrier->expected);
}

/* The warp starts, or goes on after others have run. */
static void begin_l1_turn(const struct worker *worker, const struct warp *warp, uint32_t place) {
    const struct block *block = warp->block;
    uint64_t resident = worker->launch->resident;
    simt_l1_turn(&worker->sm->l1, place, (uint32_t)(block->ordinal / resident),
                 (uint32_t)(block->ordinal % resident) * block->warp_count + warp->index);
}

/* Part of the warp went on while others looped (let_go). It waits at the barrier for the others, as
 * hardware makes it wait where they reconverge. The last to come take the others along. True: these
 * are not the last. */
static bool hold_for_rest(const struct worker *worker, struct warp *warp, struct path **arriving,
                          const struct ptx_instruction *instruction) {
    struct path *path = *arriving;
    uint32_t all = path->mask;
    if (!worker->launch->strict || !(instruction->flags & PTX_ALIGNED) || !warp->early)
        return false;
    for (uint32_t i = 0; i < warp->path_count; i++) {
        const struct path *other = &warp->paths[i];
        if (other->state == PATH_HELD && other->code == path->code && other->pc == path->pc &&
            other->join == path->join && other->depth == path->depth)
            all |= other->mask;
    }
    if (all != warp->live) {
        path->state = PATH_HELD;
        return true;
    }
    path->mask = all;
    warp->early = 0;
    for (uint32_t i = 0; i < warp->path_count;) {
        if (warp->paths[i].state != PATH_HELD) {
            i++;
            continue;
        }
        if (&warp->paths[i] < path)
            path--;
        simt_path_remove(warp, i);
    }
    *arriving = path;
    return false;
}

static void arrive_at_barrier(struct worker *worker, struct warp *warp, struct path *path,
                              const struct ptx_instruction *instruction, uint8_t *registers,
                              const uint32_t *predicates) {
    if (hold_for_rest(worker, warp, &path, instruction))
        return;
    const struct simt_operation *operation = &path->code->operations[path->pc];
    uint32_t lane = (uint32_t)__builtin_ctz(path->mask);
    uint32_t id = instruction->sources ? lane_value(registers, operation->source[0], lane) : 0;
    bool reduce = instruction->destinations > 0;
    uint32_t count_source = reduce && instruction->sources == 2 ? SIMT_NO_OPERAND : operation->source[1];
    uint32_t predicate_source = reduce ? operation->source[instruction->sources - 1] : SIMT_NO_OPERAND;
    uint32_t expected = instruction->sources >= 2 && count_source != SIMT_NO_OPERAND
                            ? lane_value(registers, count_source, lane)
                            : 0;
    check_arrival(worker, warp, path, instruction, id, expected);
    struct barrier *barrier = &warp->block->barriers[id];
    barrier->instruction = instruction;
    uint32_t threads = (uint32_t)__builtin_popcount(path->mask), true_lanes = 0;
    if (expected) /* with a count, a warp arrives whole, as PTX defines */
        threads = path->mask == warp->live ? SIMT_LANES : threads;
    if (predicate_source != SIMT_NO_OPERAND)
        true_lanes = path->mask & (predicates[predicate_source] ^
                                   (operation->negated >> (instruction->sources - 1) & 1 ? UINT32_MAX : 0));
    if (worker->watching)
        simt_endless_meets(warp);
    if (worker->watching && predicate_source != SIMT_NO_OPERAND)
        simt_endless_reduces(warp, instruction, true_lanes);
    barrier->waiting = true;
    barrier->expected = expected;
    barrier->arrived += threads;
    barrier->true_threads += (uint32_t)__builtin_popcount(true_lanes);
    barrier->red_threads +=
        predicate_source == SIMT_NO_OPERAND ? 0 : (uint32_t)__builtin_popcount(path->mask);
    worker->counters.barriers++;
    struct chain here = simt_chain_of(warp, 0);
    simt_chain_join(&barrier->latest, &here);
    path->pc++;
    if (instruction->form == PTX_BAR_ARRIVE) {
        barrier->gone_on += threads;
    } else {
        path->state = PATH_AT_BARRIER;
        path->barrier = (uint8_t)id;
        path->reduction = reduce ? operation : NULL;
    }
    simt_block_check_barriers(warp->block);
    begin_l1_turn(worker, warp, worker->sm->l1.place); /* also where it is the last one and goes on */
}

/* ---- the loop */

static void enter_window(struct worker *worker, struct warp *warp, const struct path *path) {
    struct window_header *header = window_header(warp_registers(warp, path->window));
    struct observer *observer = warp->block->observer;
    *header =
        (struct window_header){.warp = warp,
                               .worker = worker,
                               .sites = observer != NULL ? simt_observer_sites(observer) : worker->sites,
                               .shared = warp->block->shared,
                               .shared_bytes = worker->launch->shared_bytes,
                               .code = path->code,
                               .sm = worker->sm,
                               .races = warp->block->races,
                               .observer = observer,
                               .watched = observer != NULL || warp->block->races != NULL,
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

/* ---- lanes that wait for each other */

/* Reads the member masks that the path's threads pass to an operation into warp->named, with 0 for
 * threads whose guard is false. Returns all named lanes. */
static uint32_t read_members(struct warp *warp, const struct path *path,
                             const struct simt_operation *operation, uint32_t source,
                             const uint8_t *registers, const uint32_t *predicates) {
    const struct ptx_instruction *instruction = operation->instruction;
    uint32_t lanes = path->mask, all = 0;
    if (instruction->guard >= 0)
        lanes &= predicates[instruction->guard] ^ (instruction->guard_negated ? UINT32_MAX : 0);
    for (uint32_t left = path->mask; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        warp->named[lane] = lanes >> lane & 1 ? lane_value(registers, operation->source[source], lane) : 0;
        all |= warp->named[lane];
    }
    return all;
}

static bool wait_for_members(struct warp *warp, struct path *path, uint32_t members) {
    if (!(members & warp->live & ~path->mask))
        return false;
    path->state = PATH_AT_WARP_BARRIER;
    path->members = members;
    return true;
}

/* The paths (bits) in which this path's threads, all whom they name, and so on, wait for each
 * other. 0: some are not there, or name others. */
static uint32_t gather_group(const struct warp *warp, uint32_t index) {
    uint32_t group = 0, lanes = warp->paths[index].mask, named = 0, there = 0;
    for (uint32_t before = 0; before != lanes;) {
        before = lanes;
        for (uint32_t left = lanes; left; left &= left - 1)
            named |= warp->named[__builtin_ctz(left)] & warp->live;
        for (uint32_t i = 0; i < warp->path_count; i++)
            if (warp->paths[i].state == PATH_AT_WARP_BARRIER && warp->paths[i].mask & (named | lanes)) {
                group |= 1u << i;
                there |= warp->paths[i].mask;
            }
        if (named & ~there)
            return 0;
        lanes = there;
    }
    for (uint32_t left = lanes; left; left &= left - 1) {
        uint32_t members = warp->named[__builtin_ctz(left)];
        for (uint32_t others = members & warp->live; others; others &= others - 1) {
            uint32_t theirs = warp->named[__builtin_ctz(others)];
            if (theirs && theirs != members)
                return 0;
        }
    }
    return group;
}

/* A group is complete. An operation for which several of its paths wait at one place runs once, for
 * all their threads. */
static void release_group(struct worker *worker, struct warp *warp, uint32_t group) {
    for (uint32_t left = group; left; left &= left - 1) {
        struct path *path = &warp->paths[__builtin_ctz(left)];
        if (!path->at_operation)
            continue;
        uint32_t mask = 0, at = path->pc, window = path->window;
        const struct code *code = path->code;
        for (uint32_t rest = left; rest; rest &= rest - 1) {
            struct path *other = &warp->paths[__builtin_ctz(rest)];
            if (other->at_operation && other->code == code && other->pc == at && other->window == window) {
                mask |= other->mask;
                other->at_operation = false;
                other->pc++;
            }
        }
        enter_window(worker, warp, path);
        uint8_t *registers = warp_registers(warp, window);
        if (warp->block->races)
            simt_races_warp_barrier(warp->block->races, warp->index);
        if (worker->launch->check)
            simt_undefined_follow(worker, warp, path, &code->operations[at], registers,
                                  (uint32_t *)(void *)(registers + code->predicates_offset), mask);
        code->operations[at].masked(&code->operations[at], registers,
                                    (uint32_t *)(void *)(registers + code->predicates_offset), mask);
        count_run(worker, warp, code, at, at + 1, mask);
    }
    for (uint32_t left = group; left; left &= left - 1) {
        warp->paths[__builtin_ctz(left)].state = PATH_READY;
        simt_endless_released(warp, warp->paths[__builtin_ctz(left)].mask);
    }
}

/* Paths at the same place with the same joins become one. */
static void merge_paths(struct warp *warp) {
    for (uint32_t i = 0; i < warp->path_count; i++)
        for (uint32_t k = i + 1; k < warp->path_count;) {
            struct path *a = &warp->paths[i], *b = &warp->paths[k];
            if (a->state == PATH_READY && b->state == PATH_READY && a->code == b->code && a->pc == b->pc &&
                a->join == b->join && a->depth == b->depth) {
                a->mask |= b->mask;
                simt_path_remove(warp, k);
            } else {
                k++;
            }
        }
}

/* Threads that wait for the same member lanes go on when all are there. */
static void release_members(struct worker *worker, struct warp *warp) {
    for (uint32_t i = 0; i < warp->path_count;) {
        uint32_t group = warp->paths[i].state == PATH_AT_WARP_BARRIER ? gather_group(warp, i) : 0;
        if (group) {
            release_group(worker, warp, group);
            merge_paths(warp);
            i = 0;
        } else {
            i++;
        }
    }
}

enum turn { TURN_ON, TURN_CHANGED, TURN_OVER }; /* on: the path goes on */

static inline bool has_run_for_long(const struct worker *worker, const struct path *path) {
    if (worker->sm->instructions >= worker->sm->round_limit || worker->sm->l1.log_count >= SM_LOG_LIMIT)
        return true;
    return path->spins >= worker->polling_turn && (worker->polled || path->spins >= TURN_COMPUTING);
}

static __attribute__((noinline)) bool watched_turn_is_over(struct worker *worker, struct warp *warp,
                                                           const struct path *path,
                                                           const struct ptx_instruction *instruction) {
    if (simt_endless_repeats(worker, warp, path, instruction) || has_run_for_long(worker, path))
        return true;
    simt_endless_moves(warp, path->mask);
    return false;
}

/* After a backward branch, or a call: whether another path should run. */
static inline bool turn_is_over(struct worker *worker, struct warp *warp, struct path *path,
                                const struct ptx_instruction *instruction) {
    path->spins++;
    if (worker->watching)
        return watched_turn_is_over(worker, warp, path, instruction);
    return has_run_for_long(worker, path);
}

/* Runs operations up to `end` under a partial mask, or watched. False: the path stops at an
 * operation that waits for lanes that it names. */
static inline bool run_masked(struct worker *worker, struct warp *warp, struct path *path, uint32_t end,
                              uint8_t *registers, uint32_t *predicates, bool check) {
    const struct code *code = path->code;
    uint32_t mask = path->mask;
    for (uint32_t at = path->pc; at < end; at++) {
        const struct simt_operation *operation = &code->operations[at];
        if (code->member_mask[at]) {
            uint32_t members =
                read_members(warp, path, operation, code->member_mask[at] - 1u, registers, predicates);
            if (wait_for_members(warp, path, members)) {
                count_run(worker, warp, code, path->pc, at, mask);
                path->pc = at;
                path->at_operation = true;
                return false;
            }
            if (warp->block->races)
                simt_races_warp_barrier(warp->block->races, warp->index);
        }
        if (check)
            simt_undefined_follow(worker, warp, path, operation, registers, predicates, mask);
        if (worker->watching)
            simt_endless_run(worker, warp, operation, registers, predicates, mask);
        else
            operation->masked(operation, registers, predicates, mask);
    }
    return true;
}

static inline enum turn take_branch(struct worker *worker, struct warp *warp, uint32_t path_index,
                                    uint32_t guarded, uint32_t at) {
    struct path *path = &warp->paths[path_index];
    const struct code *code = path->code;
    const struct ptx_instruction *instruction = &code->function->instructions[at];
    trips_branch(worker, warp, code, at, guarded, path->mask);
    if (guarded == 0) {
        path->pc = at + 1;
    } else if (guarded == path->mask) {
        path->pc = (uint32_t)instruction->target;
    } else {
        worker->tallies[TALLY_DIVERGENT][code->first_count + at]++;
        if (warp->block->observer != NULL)
            simt_observe_branch(warp->block->observer, code->first_count + at, guarded);
        simt_path_diverge(worker, warp, path_index, guarded, (uint32_t)instruction->target, at + 1,
                          (uint32_t)instruction->reconverge);
        return TURN_CHANGED;
    }
    return path->pc <= at && turn_is_over(worker, warp, path, instruction) ? TURN_OVER : TURN_ON;
}

/* Nanoseconds that the path's threads sleep: those of its longest sleeper. */
static uint32_t longest_sleep(const struct simt_operation *operation, const uint8_t *registers,
                              uint32_t mask) {
    enum { MOST_NS = 1000000 }; /* PTX ISA 9.0, nanosleep: no sleep is longer */
    uint32_t longest = 0;
    for (uint32_t left = mask; left; left &= left - 1) {
        uint32_t slept = lane_value(registers, operation->source[0], (uint32_t)__builtin_ctz(left));
        longest = slept > longest ? slept : longest;
    }
    return longest < MOST_NS ? longest : MOST_NS;
}

/* Runs the instruction at `at`, which ends a run. */
static inline enum turn run_control(struct worker *worker, struct warp *warp, uint32_t path_index,
                                    uint32_t at, uint8_t *registers, uint32_t *predicates) {
    struct path *path = &warp->paths[path_index];
    const struct code *code = path->code;
    const struct ptx_instruction *instruction = &code->function->instructions[at];
    uint32_t mask = path->mask, guarded = mask;
    enum ptx_control control = code->control[at];
    warp->operation = &code->operations[at];
    if (instruction->guard >= 0)
        guarded &= predicates[instruction->guard] ^ (instruction->guard_negated ? UINT32_MAX : 0);
    if (control == PTX_CONTROL_BRANCH)
        return take_branch(worker, warp, path_index, guarded, at);
    if (guarded == 0) {
        path->pc = at + 1;
        return TURN_ON;
    }
    if (guarded != mask && control != PTX_CONTROL_EXIT && control != PTX_CONTROL_RETURN) {
        /* The other threads skip the instruction and wait behind it. */
        simt_path_diverge(worker, warp, path_index, mask & ~guarded, at + 1, at, at + 1);
        return TURN_CHANGED;
    }
    switch (control) {
    case PTX_CONTROL_EXIT:
        path->pc = at + 1;
        simt_path_exit(warp, path_index, guarded);
        return TURN_CHANGED;
    case PTX_CONTROL_RETURN:
        path->pc = at + 1;
        simt_path_return(warp, path_index, guarded);
        return TURN_CHANGED;
    case PTX_CONTROL_BRANCH_TABLE:
        if (!simt_path_branch_indexed(worker, warp, path_index, instruction, registers))
            return TURN_CHANGED;
        return path->pc <= at && turn_is_over(worker, warp, path, instruction) ? TURN_OVER : TURN_ON;
    case PTX_CONTROL_CALL:
        simt_path_call(worker, warp, path, instruction);
        enter_window(worker, warp, path);
        return turn_is_over(worker, warp, path, instruction) ? TURN_OVER : TURN_ON;
    case PTX_CONTROL_BARRIER:
        if (instruction->opcode == PTX_BARCLUSTER)
            simt_cluster_arrive(worker, warp, path, instruction);
        else
            arrive_at_barrier(worker, warp, path, instruction, registers, predicates);
        return TURN_CHANGED;
    case PTX_CONTROL_WARP_BARRIER: {
        uint32_t members = read_members(warp, path, &code->operations[at], 0, registers, predicates);
        path->pc = at + 1;
        if (warp->block->races)
            simt_races_warp_barrier(warp->block->races, warp->index);
        return wait_for_members(warp, path, members) ? TURN_CHANGED : TURN_ON;
    }
    case PTX_CONTROL_SLEEP:
        warp->slept_ns += longest_sleep(&code->operations[at], registers, mask);
        path->pc = at + 1;
        path->spins = TURN_COMPUTING;
        return TURN_OVER;
    case PTX_CONTROL_BRANCH:
    case PTX_CONTROL_NONE:
    case PTX_CONTROL_TRAP: break;
    }
    bool grid = code->uses_grid && !worker->launch->shape->cooperative;
    simt_fault_other(worker, warp, instruction, (uint32_t)__builtin_ctz(mask), SIMT_TRAP,
                     "the kernel executed a trap instruction%s",
                     grid ? ". this_grid().sync() does so where the kernel was not launched with "
                            "cudaLaunchCooperativeKernel"
                          : "");
}

/* Runs the path until it diverges, arrives at a join, is blocked, or its turn is over. */
static enum turn run_path(struct worker *worker, struct warp *warp, uint32_t path_index) {
    struct path *path = &warp->paths[path_index];
    enter_window(worker, warp, path);
    if (worker->watching)
        simt_endless_moves(warp, path->mask);
    for (;;) {
        if (path->join >= 0 && path_at_join(warp, path)) {
            uint32_t mask = path->mask;
            int32_t join = path->join;
            simt_path_remove(warp, path_index);
            simt_join_arrive(warp, join, mask);
            return TURN_CHANGED;
        }
        const struct code *code = path->code;
        uint8_t *registers = warp_registers(warp, path->window);
        uint32_t *predicates = (uint32_t *)(void *)(registers + code->predicates_offset);
        uint32_t pc = path->pc, mask = path->mask;
        uint32_t end = path->join < 0 ? code->run_end[pc] : code->leader_end[pc];
        const struct simt_operation *operation = &code->operations[pc], *last = &code->operations[end];
        warp->run_first = operation;
        bool check = worker->launch->check;
        if (mask == warp->live && !worker->one_by_one) {
            for (; operation != last; operation++)
                operation->full(operation, registers, predicates, mask);
        } else if (!(check ? run_masked(worker, warp, path, end, registers, predicates, true)
                           : run_masked(worker, warp, path, end, registers, predicates, false))) {
            return TURN_CHANGED;
        }
        path->pc = end;
        if (code->control[end] == PTX_CONTROL_NONE ||
            (end != pc && path->join >= 0 && path_at_join(warp, path))) {
            count_run(worker, warp, code, pc, end, mask);
            continue;
        }
        count_run(worker, warp, code, pc, end + 1, mask);
        if (end == code->count) {
            simt_path_return(warp, path_index, mask);
            return TURN_CHANGED;
        }
        if (check)
            simt_undefined_control(worker, warp, path, end);
        enum turn turn = run_control(worker, warp, path_index, end, registers, predicates);
        if (turn != TURN_ON)
            return turn;
    }
}

static void go_early(struct warp *warp, int32_t join) {
    warp->early |= warp->joins[join].arrived;
    simt_endless_released(warp, warp->joins[join].arrived);
    simt_join_go_on(warp, join);
}

/* Nothing else of this warp can run: lets the threads at the path's joins go on without it. */
static bool let_go(struct warp *warp, const struct path *path) {
    for (int32_t join = path->join; join >= 0; join = warp->joins[join].parent)
        if (warp->joins[join].arrived && warp->joins[join].call == NULL) {
            go_early(warp, join);
            return true;
        }
    return false;
}

bool simt_warp_let_go(struct warp *warp, bool calls) {
    for (uint32_t i = 0; i < warp->join_count; i++)
        if (warp->joins[i].used && warp->joins[i].arrived && (calls || warp->joins[i].call == NULL)) {
            go_early(warp, (int32_t)i);
            return true;
        }
    return false;
}

/* A path that repeats may be at its join, where the others need not wait for it. False: none is. */
static bool arrive_at_join(struct warp *warp) {
    for (uint32_t i = 0; i < warp->path_count; i++) {
        struct path path = warp->paths[i];
        if (path.state != PATH_READY || !path_at_join(warp, &path))
            continue;
        simt_path_remove(warp, i);
        simt_join_arrive(warp, path.join, path.mask);
        return true;
    }
    return false;
}

/* The last path that can run; -1: none. */
static int last_ready(const struct warp *warp) {
    int index = (int)warp->path_count - 1;
    while (index >= 0 && warp->paths[index].state != PATH_READY)
        index--;
    return index;
}

static bool another_ready(const struct warp *warp, uint32_t path_index) {
    for (uint32_t i = 0; i < warp->path_count; i++)
        if (i != path_index && warp->paths[i].state == PATH_READY)
            return true;
    return false;
}

static enum warp_outcome take_turn(struct worker *worker, struct warp *warp) {
    uint32_t spinning = 0; /* paths in a row that used up their turn */
    while (warp->path_count) {
        int ready = worker->watching ? simt_endless_next_path(worker, warp) : last_ready(warp);
        if (ready < 0) {
            release_members(worker, warp);
            if (last_ready(warp) < 0)
                return WARP_WAITS;
            if (worker->watching && simt_endless_next_path(worker, warp) < 0 && !arrive_at_join(warp) &&
                !simt_warp_let_go(warp, true))
                return WARP_REPEATS;
            continue;
        }
        uint32_t index = (uint32_t)ready;
        worker->polled = false;
        worker->polling_turn = worker->launch->shape->cooperative ? 1 : TURN_POLLING;
        warp->paths[index].spins = 0;
        enum turn turn = run_path(worker, warp, index);
        if (turn == TURN_CHANGED) {
            spinning = 0;
            continue;
        }
        if (worker->sm->instructions >= worker->sm->round_limit || worker->sm->l1.log_count >= SM_LOG_LIMIT)
            return WARP_OUT_OF_TURN;
        if (worker->watching && simt_endless_next_path(worker, warp) != (int)index)
            continue; /* this one repeats */
        spinning++;
        if (another_ready(warp, index)) {
            struct path path = warp->paths[index]; /* to the end of the queue */
            for (uint32_t i = index; i > 0; i--)
                warp->paths[i] = warp->paths[i - 1];
            warp->paths[0] = path;
            if (spinning <= warp->path_count)
                continue;
            if (simt_warp_let_go(warp, false)) { /* all had a turn: they may need threads at joins */
                spinning = 0;
                continue;
            }
        } else if (let_go(warp, &warp->paths[index])) {
            spinning = 0;
            continue;
        }
        if (worker->polled || spinning > warp->path_count) {
            release_members(worker, warp);
            return WARP_SPINS;
        }
    }
    simt_trips_end(worker, warp);
    warp->state = WARP_DONE;
    return WARP_FINISHED;
}

enum warp_outcome simt_warp_run(struct worker *worker, struct warp *warp) {
    struct l1_cache *l1 = &worker->sm->l1;
    struct block *block = warp->block;
    uint64_t before = warp->instructions;
    worker->warp = warp;
    worker->one_by_one = worker->watching || worker->launch->check || block->races != NULL;
    begin_l1_turn(worker, warp, warp->l1_place);
    enum warp_outcome outcome = take_turn(worker, warp);
    warp->l1_place = l1->place;
    if (block->races != NULL)
        block->looked += warp->instructions - before;
    if (block->races != NULL && block->looked > RACES_LOOKED && !worker->launch->races)
        simt_races_drop(block);
    return outcome;
}

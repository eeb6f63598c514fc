/*
 * warp.c: the interpreter of one warp: runs of operations, divergence and reconvergence, calls.
 *
 * Threads that go together are a path. When a branch splits a path at an instruction whose immediate
 * post-dominator is R, both sides become paths that wait at a join at R; when all threads the join expects
 * have arrived (or exited), they go on as one path. A call is a join too: at the instruction after it,
 * reached by `ret`.
 *
 * Forward progress: a path that loops for long gives way to the warp's other paths; if there are none,
 * threads waiting at its joins are let go ahead without it. So a thread that spins on a lock its neighbour
 * holds does not stop that neighbour.
 */
#include "simt/machine.h"
#include "simt/races.h"

#include <stdlib.h>
#include <string.h>

enum {
    TURN_POLLING = 64,     /* backward branches of a path that reads what others write */
    TURN_COMPUTING = 65536 /* of one that only computes */
};

/* ---- paths and joins */

static void remove_path(struct warp *warp, uint32_t index) {
    for (uint32_t i = index + 1; i < warp->path_count; i++)
        warp->paths[i - 1] = warp->paths[i];
    warp->path_count--;
}

static struct path *add_path(struct warp *warp, const struct path *path) {
    warp->paths[warp->path_count] = *path; /* never more than one for each lane */
    return &warp->paths[warp->path_count++];
}

static int32_t add_join(struct worker *worker, struct warp *warp, const struct join *join) {
    for (uint32_t i = 0; i < warp->join_count; i++)
        if (!warp->joins[i].used) {
            warp->joins[i] = *join;
            return (int32_t)i;
        }
    if (warp->join_count == warp->join_capacity) {
        uint32_t capacity = warp->join_capacity ? 2 * warp->join_capacity : 16;
        struct join *larger = realloc(warp->joins, capacity * sizeof *larger);
        if (!larger)
            fault_other(worker, warp, NULL, 0, SIMT_OUT_OF_MEMORY, "the simulator ran out of memory");
        warp->joins = larger;
        warp->join_capacity = capacity;
    }
    warp->joins[warp->join_count] = *join;
    return (int32_t)warp->join_count++;
}

static void drop_join(struct warp *warp, int32_t index) {
    warp->joins[index].used = false;
    while (warp->join_count && !warp->joins[warp->join_count - 1].used)
        warp->join_count--;
}

/* Threads arrived at a join go on from there: all it expects, or (let_go) those that are there. */
static void arrive(struct warp *warp, int32_t index, uint32_t mask);
static void go_on(struct warp *warp, int32_t index) {
    struct join *join = &warp->joins[index];
    struct path path = {.code = join->code,
                        .pc = join->pc,
                        .mask = join->arrived,
                        .join = join->parent,
                        .window = join->window,
                        .depth = join->depth,
                        .local_base = join->local_base};
    join->expected &= ~join->arrived;
    join->arrived = 0;
    int32_t parent = join->parent;
    if (!join->expected)
        drop_join(warp, index);
    if (parent >= 0 && !warp->joins[parent].call && warp->joins[parent].pc == path.pc &&
        warp->joins[parent].depth == path.depth) {
        arrive(warp, parent, path.mask);
        return;
    }
    add_path(warp, &path);
}

static void arrive(struct warp *warp, int32_t index, uint32_t mask) {
    struct join *join = &warp->joins[index];
    join->arrived |= mask;
    if (join->arrived == join->expected)
        go_on(warp, index);
}

/* These threads will not come. */
static void leave_join(struct warp *warp, int32_t index, uint32_t mask) {
    struct join *join = &warp->joins[index];
    join->expected &= ~mask;
    join->arrived &= ~mask;
    if (!join->expected)
        drop_join(warp, index);
    else if (join->arrived == join->expected)
        go_on(warp, index);
}

static bool at_join(const struct warp *warp, const struct path *path) {
    if (path->join < 0)
        return false;
    const struct join *join = &warp->joins[path->join];
    return !join->call && join->pc == path->pc && join->depth == path->depth;
}

/* ---- calls */

static void copy_parameters(const uint8_t *from, uint32_t from_stride, uint8_t *to, uint32_t to_stride,
                            const struct ptx_copy *copies, uint32_t count, bool back, uint32_t mask) {
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t left = mask; left; left &= left - 1) {
            size_t lane = (size_t)__builtin_ctz(left);
            uint32_t source = back ? copies[i].callee_offset : copies[i].caller_offset;
            uint32_t target = back ? copies[i].caller_offset : copies[i].callee_offset;
            memcpy(to + lane * to_stride + target, from + lane * from_stride + source, copies[i].size);
        }
}

static uint32_t frame_stride(const struct code *code) {
    return (code->function->frame_bytes + 15) / 16 * 16;
}

static void exit_lanes(struct worker *worker, struct warp *warp, uint32_t path_index, uint32_t mask) {
    struct path path = warp->paths[path_index];
    (void)worker;
    warp->live &= ~mask;
    warp->block->live_threads -= (uint32_t)__builtin_popcount(mask);
    if (path.mask == mask)
        remove_path(warp, path_index);
    else
        warp->paths[path_index].mask &= ~mask;
    for (int32_t join = path.join; join >= 0;) {
        int32_t parent = warp->joins[join].parent;
        leave_join(warp, join, mask);
        join = parent;
    }
}

/* `ret`: these threads go back to the call, past joins of this function that they will not reach. */
static void return_lanes(struct worker *worker, struct warp *warp, uint32_t path_index, uint32_t mask) {
    struct path path = warp->paths[path_index];
    int32_t call = path.join;
    while (call >= 0 && !warp->joins[call].call)
        call = warp->joins[call].parent;
    if (call < 0) {
        exit_lanes(worker, warp, path_index, mask);
        return;
    }
    const struct join *join = &warp->joins[call];
    copy_parameters(warp_registers(warp, path.window) + path.code->frame_offset, frame_stride(path.code),
                    warp_registers(warp, join->window) + join->code->frame_offset, frame_stride(join->code),
                    join->call->results, join->call->result_count, true, mask);
    if (path.mask == mask)
        remove_path(warp, path_index);
    else
        warp->paths[path_index].mask &= ~mask;
    for (int32_t inner = path.join; inner != call;) {
        int32_t parent = warp->joins[inner].parent;
        leave_join(warp, inner, mask);
        inner = parent;
    }
    arrive(warp, call, mask);
}

static uint32_t lane_value(const uint8_t *registers, uint32_t source, uint32_t lane) {
    uint32_t value;
    memcpy(&value, registers + source + 4 * lane, 4);
    return value;
}

/* Threads of one path that call different functions through a pointer take turns: the first lane's function
 * now, the others stay at the call as a path of their own. */
static const struct ptx_function *callee_of(struct worker *worker, struct warp *warp, struct path *path,
                                            const struct ptx_instruction *instruction,
                                            const struct ptx_call *call, uint32_t *index) {
    const struct simt_module *module = path->code->module;
    if (call->function >= 0) {
        *index = (uint32_t)call->function;
        return &module->program->functions[call->function];
    }
    const struct simt_operation *operation = &path->code->operations[path->pc];
    const uint64_t *address =
        (const uint64_t *)(const void *)(warp_registers(warp, path->window) + operation->source[0]);
    uint32_t first = (uint32_t)__builtin_ctz(path->mask), same = 0;
    for (uint32_t left = path->mask; left; left &= left - 1)
        if (address[__builtin_ctz(left)] == address[first])
            same |= 1u << __builtin_ctz(left);
    uint64_t offset = address[first] - SIMT_CODE_WINDOW;
    if (offset % 16 || offset / 16 >= module->program->function_count)
        fault_other(worker, warp, instruction, first, SIMT_INVALID_PC,
                    "a call through 0x%llx, which is not the address of a function",
                    (unsigned long long)address[first]);
    if (same != path->mask) {
        struct path others = *path;
        others.mask &= ~same;
        path->mask = same;
        add_path(warp, &others);
    }
    *index = (uint32_t)(offset / 16);
    return &module->program->functions[*index];
}

/* Registers for a call, above all windows in use: a window is never shared, not even by threads that
 * diverged, because lanes of 64-bit registers lie across lanes of 32-bit ones. */
static uint32_t free_window(const struct warp *warp) {
    uint32_t top = 0;
    for (uint32_t i = 0; i < warp->path_count; i++) {
        uint32_t end = warp->paths[i].window + warp->paths[i].code->window_bytes;
        top = end > top ? end : top;
    }
    for (uint32_t i = 0; i < warp->join_count; i++) {
        uint32_t end = warp->joins[i].window + warp->joins[i].code->window_bytes;
        top = warp->joins[i].used && end > top ? end : top;
    }
    return (top + WINDOW_HEADER_BYTES + 127) / 128 * 128;
}

static void call_function(struct worker *worker, struct warp *warp, struct path *path,
                          const struct ptx_instruction *instruction) {
    const struct ptx_call *call = &path->code->function->calls[instruction->target];
    uint32_t index = 0;
    const struct ptx_function *function = callee_of(worker, warp, path, instruction, call, &index);
    if (function->builtin) {
        builtin_call(worker, warp, path, instruction, call, function);
        path->pc++;
        return;
    }
    const struct code *caller = path->code, *callee = &caller->module->codes[index];
    if (!function->defined)
        fault_other(worker, warp, instruction, (uint32_t)__builtin_ctz(path->mask), SIMT_INVALID_PC,
                    "a call of %s, which has no body in this program", function->name);
    uint64_t local_base = path->local_base + (caller->function->local_bytes + 15) / 16 * 16 + 16 +
                          (caller->function->frame_bytes + 15) / 16 * 16;
    if (local_base + function->local_bytes > worker->launch->local_stride)
        fault_other(
            worker, warp, instruction, (uint32_t)__builtin_ctz(path->mask), SIMT_STACK_OVERFLOW,
            "the call of %s, %u calls deep, needs more than the %llu bytes of stack each thread has: endless "
            "recursion, or raise cudaLimitStackSize with cudaDeviceSetLimit",
            function->name, path->depth + 1, (unsigned long long)worker->launch->local_stride);
    uint32_t window = free_window(warp);
    if (!register_file_reserve(warp->file, window + WINDOW_HEADER_BYTES + callee->window_bytes))
        fault_other(worker, warp, instruction, 0, SIMT_OUT_OF_MEMORY, "the simulator ran out of memory");
    struct join join = {.code = caller,
                        .pc = path->pc + 1,
                        .expected = path->mask,
                        .parent = path->join,
                        .window = path->window,
                        .depth = path->depth,
                        .local_base = path->local_base,
                        .call = call,
                        .used = true};
    path->join = add_join(worker, warp, &join);
    uint8_t *registers = warp_registers(warp, window);
    memset(registers, 0, callee->window_bytes);
    warp_fill_constants(worker, warp, callee, window, local_base);
    copy_parameters(warp_registers(warp, path->window) + caller->frame_offset, frame_stride(caller),
                    registers + callee->frame_offset, frame_stride(callee), call->arguments,
                    call->argument_count, false, path->mask);
    path->code = callee;
    path->pc = 0;
    path->window = window;
    path->depth++;
    path->local_base = local_base;
}

/* ---- branches */

/* Part of the path goes to `target`, the rest to `other`. Returns with paths rearranged. */
static void diverge(struct worker *worker, struct warp *warp, uint32_t path_index, uint32_t taken,
                    uint32_t target, uint32_t other, uint32_t reconverge) {
    struct path *path = &warp->paths[path_index];
    if (reconverge < path->code->count) {
        bool here = path->join >= 0 && !warp->joins[path->join].call &&
                    warp->joins[path->join].pc == reconverge && warp->joins[path->join].depth == path->depth;
        if (!here) {
            struct join join = {.code = path->code,
                                .pc = reconverge,
                                .expected = path->mask,
                                .parent = path->join,
                                .window = path->window,
                                .depth = path->depth,
                                .local_base = path->local_base,
                                .used = true};
            path->join = add_join(worker, warp, &join);
        }
    }
    struct path sibling = *path;
    sibling.mask = taken;
    sibling.pc = target;
    path->mask &= ~taken;
    path->pc = other;
    bool sibling_waits = at_join(warp, &sibling), path_waits = at_join(warp, path);
    if (path_waits) {
        uint32_t mask = path->mask;
        int32_t join = path->join;
        remove_path(warp, path_index);
        arrive(warp, join, mask);
    }
    if (sibling_waits)
        arrive(warp, sibling.join, sibling.mask);
    else
        add_path(warp, &sibling);
}

static void branch_indexed(struct worker *worker, struct warp *warp, uint32_t path_index,
                           const struct ptx_instruction *instruction, const uint8_t *registers) {
    struct path *path = &warp->paths[path_index];
    const struct simt_operation *operation = &path->code->operations[path->pc];
    const struct ptx_table *table = &path->code->function->tables[instruction->target];
    uint32_t first = (uint32_t)__builtin_ctz(path->mask), same = 0;
    uint32_t choice = lane_value(registers, operation->source[0], first);
    if (choice >= table->count)
        fault_other(worker, warp, instruction, first, SIMT_INVALID_PC,
                    "an indirect branch to entry %u of a table of %u", choice, table->count);
    for (uint32_t left = path->mask; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        if (lane_value(registers, operation->source[0], lane) == choice)
            same |= 1u << lane;
    }
    if (same == path->mask)
        path->pc = (uint32_t)table->targets[choice];
    else /* the others stay at the branch and choose when it is their turn */
        diverge(worker, warp, path_index, same, (uint32_t)table->targets[choice], path->pc,
                (uint32_t)instruction->reconverge);
}

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
                    remove_path(warp, j);
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
        if (path->join >= 0 && at_join(warp, path)) {
            uint32_t mask = path->mask;
            int32_t join = path->join;
            remove_path(warp, path_index);
            arrive(warp, join, mask);
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
        if (control == CONTROL_NONE || (end != pc && path->join >= 0 && at_join(warp, path))) {
            count_run(worker, warp, code, pc, end, mask);
            continue;
        }
        count_run(worker, warp, code, pc, end + 1, mask);
        if (end == code->count) {
            return_lanes(worker, warp, path_index, mask);
            return TURN_CHANGED;
        }
        const struct ptx_instruction *instruction = &code->function->instructions[end];
        warp->operation = &code->operations[end];
        uint32_t guarded = mask;
        if (instruction->guard >= 0)
            guarded &= predicates[instruction->guard] ^ (instruction->guard_negated ? UINT32_MAX : 0);
        if (control == CONTROL_BRANCH || control == CONTROL_BRANCH_IF) {
            uint32_t target = (uint32_t)instruction->target;
            if (guarded == 0) {
                path->pc = end + 1;
            } else if (guarded == mask) {
                path->pc = target;
            } else {
                worker->divergent[code->first_count + end]++;
                diverge(worker, warp, path_index, guarded, target, end + 1,
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
        if (control == CONTROL_EXIT || control == CONTROL_RETURN) {
            path->pc = end + 1;
            if (control == CONTROL_EXIT)
                exit_lanes(worker, warp, path_index, guarded);
            else
                return_lanes(worker, warp, path_index, guarded);
            return TURN_CHANGED;
        }
        if (guarded != mask) { /* the rest goes past it and waits behind it */
            diverge(worker, warp, path_index, mask & ~guarded, end + 1, end, end + 1);
            return TURN_CHANGED;
        }
        switch (control) {
        case CONTROL_BRANCH_INDEXED: {
            branch_indexed(worker, warp, path_index, instruction, registers);
            return TURN_CHANGED;
        }
        case CONTROL_CALL:
            call_function(worker, warp, path, instruction);
            path = &warp->paths[path_index];
            enter_window(worker, warp, path);
            if (turn_is_over(worker, path))
                return TURN_OVER;
            break;
        case CONTROL_BARRIER:
            arrive_at_barrier(worker, warp, path, instruction, registers, predicates);
            return TURN_CHANGED;
        case CONTROL_WARP_BARRIER: {
            uint32_t members =
                lane_value(registers, code->operations[end].source[0], (uint32_t)__builtin_ctz(mask));
            path->pc = end + 1;
            if (warp->block->races)
                races_warp_barrier(warp->block->races, warp->index);
            if (wait_for_members(warp, path, members))
                return TURN_CHANGED;
            break;
        }
        case CONTROL_SLEEP:
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
            go_on(warp, join);
            return true;
        }
    return false;
}

bool warp_let_go(struct warp *warp) {
    for (uint32_t i = 0; i < warp->join_count; i++)
        if (warp->joins[i].used && warp->joins[i].arrived && !warp->joins[i].call) {
            go_on(warp, (int32_t)i);
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

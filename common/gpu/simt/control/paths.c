/* paths.c: divergence and reconvergence: paths of a warp, and joins. */
#include "gpu/simt/control/paths.h"
#include "gpu/simt/control/launch.h"

#include <stdlib.h>

/* ---- the lists */

void simt_path_remove(struct warp *warp, uint32_t index) {
    for (uint32_t i = index + 1; i < warp->path_count; i++)
        warp->paths[i - 1] = warp->paths[i];
    warp->path_count--;
}

struct path *simt_path_add(struct warp *warp, const struct path *path) {
    warp->paths[warp->path_count] = *path; /* at most one for each lane */
    return &warp->paths[warp->path_count++];
}

int32_t simt_join_add(struct worker *worker, struct warp *warp, const struct join *join) {
    for (uint32_t i = 0; i < warp->join_count; i++)
        if (!warp->joins[i].used) {
            warp->joins[i] = *join;
            return (int32_t)i;
        }
    if (warp->join_count == warp->join_capacity) {
        uint32_t capacity = warp->join_capacity ? 2 * warp->join_capacity : 16;
        struct join *larger = realloc(warp->joins, capacity * sizeof *larger);
        if (larger == NULL)
            simt_fault_other(worker, warp, NULL, 0, SIMT_OUT_OF_MEMORY, "the simulator ran out of memory");
        warp->joins = larger;
        warp->join_capacity = capacity;
    }
    warp->joins[warp->join_count] = *join;
    return (int32_t)warp->join_count++;
}

static void join_drop(struct warp *warp, int32_t index) {
    warp->joins[index].used = false;
    while (warp->join_count && !warp->joins[warp->join_count - 1].used)
        warp->join_count--;
}

void simt_join_go_on(struct warp *warp, int32_t index) {
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
        join_drop(warp, index);
    if (parent >= 0 && warp->joins[parent].call == NULL && warp->joins[parent].pc == path.pc &&
        warp->joins[parent].depth == path.depth) {
        simt_join_arrive(warp, parent, path.mask);
        return;
    }
    simt_path_add(warp, &path);
}

void simt_join_arrive(struct warp *warp, int32_t index, uint32_t mask) {
    struct join *join = &warp->joins[index];
    join->arrived |= mask;
    if (join->arrived == join->expected)
        simt_join_go_on(warp, index);
}

void simt_join_leave(struct warp *warp, int32_t index, uint32_t mask) {
    struct join *join = &warp->joins[index];
    join->expected &= ~mask;
    join->arrived &= ~mask;
    if (!join->expected)
        join_drop(warp, index);
    else if (join->arrived == join->expected)
        simt_join_go_on(warp, index);
}

/* ---- branches and exits */

void simt_path_exit(struct warp *warp, uint32_t path_index, uint32_t mask) {
    struct path path = warp->paths[path_index];
    warp->live &= ~mask;
    warp->early &= ~mask;
    for (uint32_t i = 0; i < warp->path_count; i++) /* threads that waited for them check again */
        if (warp->paths[i].state == PATH_HELD)
            warp->paths[i].state = PATH_READY;
    warp->block->live_threads -= (uint32_t)__builtin_popcount(mask);
    if (path.mask == mask)
        simt_path_remove(warp, path_index);
    else
        warp->paths[path_index].mask &= ~mask;
    for (int32_t join = path.join; join >= 0;) {
        int32_t parent = warp->joins[join].parent;
        simt_join_leave(warp, join, mask);
        join = parent;
    }
}

/* Notes that lanes come to a join from another branch than its first. */
static void note_branch(struct join *join, const struct ptx_instruction *branch, uint32_t lanes) {
    if (branch == join->branch)
        return;
    join->later = !join->later_lanes || join->later == branch ? branch : NULL;
    join->later_lanes |= lanes;
}

void simt_path_diverge(struct worker *worker, struct warp *warp, uint32_t path_index, uint32_t taken,
                       uint32_t target, uint32_t other, uint32_t reconverge) {
    struct path *path = &warp->paths[path_index];
    const struct ptx_instruction *branch = &path->code->function->instructions[path->pc];
    if (reconverge < path->code->count) {
        bool here = path->join >= 0 && warp->joins[path->join].call == NULL &&
                    warp->joins[path->join].pc == reconverge && warp->joins[path->join].depth == path->depth;
        if (!here) {
            struct join join = {.code = path->code,
                                .pc = reconverge,
                                .expected = path->mask,
                                .parent = path->join,
                                .window = path->window,
                                .depth = path->depth,
                                .local_base = path->local_base,
                                .used = true,
                                .branch = branch};
            path->join = simt_join_add(worker, warp, &join);
        } else {
            note_branch(&warp->joins[path->join], branch, target == reconverge ? taken : path->mask & ~taken);
        }
    }
    struct path sibling = *path;
    sibling.mask = taken;
    sibling.pc = target;
    path->mask &= ~taken;
    path->pc = other;
    bool sibling_waits = path_at_join(warp, &sibling), path_waits = path_at_join(warp, path);
    if (path_waits) {
        uint32_t mask = path->mask;
        int32_t join = path->join;
        simt_path_remove(warp, path_index);
        simt_join_arrive(warp, join, mask);
    }
    if (sibling_waits)
        simt_join_arrive(warp, sibling.join, sibling.mask);
    else
        simt_path_add(warp, &sibling);
}

bool simt_path_branch_indexed(struct worker *worker, struct warp *warp, uint32_t path_index,
                              const struct ptx_instruction *instruction, const uint8_t *registers) {
    struct path *path = &warp->paths[path_index];
    const struct simt_operation *operation = &path->code->operations[path->pc];
    const struct ptx_table *table = &path->code->function->tables[instruction->target];
    uint32_t first = (uint32_t)__builtin_ctz(path->mask), same = 0;
    uint32_t choice = lane_value(registers, operation->source[0], first);
    if (choice >= table->count)
        simt_fault_other(worker, warp, instruction, first, SIMT_INVALID_PC,
                         "an indirect branch to entry %u of a table of %u", choice, table->count);
    for (uint32_t left = path->mask; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        if (lane_value(registers, operation->source[0], lane) == choice)
            same |= 1u << lane;
    }
    if (same == path->mask) {
        path->pc = (uint32_t)table->targets[choice];
        return true;
    }
    /* The other threads stay at the branch and choose in their own turn. */
    simt_path_diverge(worker, warp, path_index, same, (uint32_t)table->targets[choice], path->pc,
                      (uint32_t)instruction->reconverge);
    return false;
}

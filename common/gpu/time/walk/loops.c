/* loops.c: the loops of a kernel's code. Threads of a warp may leave a loop one after the other; the
 * warp leaves it with the last of them. So only those traversals of an exit count after which no thread
 * stays, and a loop is left as often as it is entered. */
#include "gpu/time/walk/sm_state.h"

#include <math.h>

/* The innermost loop around a block. */
static bool find_innermost(const struct gpu_code *code, uint32_t block, struct loop *loop) {
    bool found = false;
    for (uint32_t from = block; from < code->block_count; from++)
        for (uint32_t e = code->blocks[from].first_edge;
             e < code->blocks[from].first_edge + code->blocks[from].edge_count; e++) {
            uint32_t to = code->edges[e].to;
            if (to > block || code->edges[e].traversals <= 0 || code->edges[e].call ||
                (found && from - to >= loop->last - loop->head))
                continue;
            found = true;
            loop->head = to;
            loop->last = from;
        }
    return found;
}

static struct loop loop_at(const struct gpu_code *code, uint32_t b) {
    const struct gpu_block *block = &code->blocks[b];
    struct loop loop = {0};
    uint32_t inside = 0;
    double out = 0, stays = 0;
    if (block->edge_count != 2 || !find_innermost(code, b, &loop))
        return (struct loop){0};
    for (uint32_t e = block->first_edge; e < block->first_edge + 2; e++) {
        const struct gpu_edge *edge = &code->edges[e];
        if (edge->call)
            return (struct loop){0};
        bool stay = loops_holds(&loop, edge->to);
        inside += stay;
        *(stay ? &stays : &out) += edge->traversals;
    }
    if (inside != 1)
        return (struct loop){0};
    loop.trips = INFINITY;
    loop.ends = fmax(fmin(block->runs - stays, out), 0);
    loop.room = fmax(out - loop.ends, 0);
    return loop;
}

/* Entries of a loop by warps: by an edge, by a call, or at their start. */
static double entered(const struct gpu_code *code, const struct loop *loop) {
    double sum = loops_holds(loop, 0) ? code->warps : 0;
    for (uint32_t from = 0; from < code->block_count; from++)
        for (uint32_t e = code->blocks[from].first_edge;
             e < code->blocks[from].first_edge + code->blocks[from].edge_count && !loops_holds(loop, from);
             e++)
            if (code->edges[e].to != GPU_LEAVES && loops_holds(loop, code->edges[e].to))
                sum += code->edges[e].traversals;
    return sum;
}

/* Executions of the branch that end its loop; those of all branches of the loop add up to its
 * entries. */
static double balanced(const struct gpu_code *code, const struct loop *loops, const struct loop *loop) {
    double enters = entered(code, loop), ends = 0, room = 0;
    for (uint32_t b = loop->head; b <= loop->last; b++)
        if (loops_same(&loops[b], loop)) {
            ends += loops[b].ends;
            room += loops[b].room;
        }
    if (ends > enters)
        return loop->ends * enters / ends;
    return loop->ends + (room > 0 ? loop->room * fmin((enters - ends) / room, 1) : 0);
}

void loops_find(const struct gpu_code *code, struct loop *loops) {
    for (uint32_t b = 0; b < code->block_count; b++)
        loops[b] = loop_at(code, b);
    for (uint32_t b = 0; b < code->block_count; b++) {
        if (loops[b].trips <= 0)
            continue;
        double ends = balanced(code, loops, &loops[b]);
        loops[b].trips = ends > 1e-9 * code->blocks[b].runs ? code->blocks[b].runs / ends : INFINITY;
    }
}

bool loops_is_outer(const struct gpu_code *code, const struct loop *loops, const struct loop *loop) {
    const double many = 8;
    if (!(loop->trips >= many) || loop->trips == INFINITY)
        return false;
    for (uint32_t i = 0; i < code->block_count; i++)
        if (loops[i].trips >= many && loops[i].trips < INFINITY && loops[i].head <= loop->head &&
            loops[i].last >= loop->last && loops[i].last - loops[i].head > loop->last - loop->head)
            return false;
    return true;
}

double loops_shortened(const struct gpu_code *code, const struct loop *loops, double part) {
    double sum = 0;
    for (uint32_t b = 0; b < code->block_count; b++) {
        bool inside = false;
        for (uint32_t i = 0; i < code->block_count && !inside; i++)
            inside =
                loops[i].trips > 0 && loops_holds(&loops[i], b) && loops_is_outer(code, loops, &loops[i]);
        sum += code->blocks[b].runs * (code->blocks[b].end - code->blocks[b].first) * (inside ? part : 1);
    }
    return sum / code->warps;
}

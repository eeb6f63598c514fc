/*
 * control_flow.c: the path of a warp through the code: each edge is taken as often as by a warp of
 * the launch on average. An edge adds its share to its credit at each execution of the branch; the
 * edge with the most credit is taken and pays 1. Where threads diverge, the blocks at which others
 * wait stand on the warp's stack.
 */
#include "gpu/time/walk/sm_state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Where few blocks work, one of them is walked: all warps take the first edge that no more warps
 * take than such blocks have. */
static void plan_busy_blocks(struct sm *sm) {
    const struct gpu_code *code = sm->code;
    double busy = sm->load->busy_share;
    for (uint32_t b = 0, steps = 0; busy < 1 && b < code->block_count && steps < code->block_count; steps++) {
        const struct gpu_block *block = &code->blocks[b];
        uint32_t most = block->first_edge, few = UINT32_MAX;
        for (uint32_t e = block->first_edge; e < block->first_edge + block->edge_count; e++) {
            most = sm->plan.edge_share[e] > sm->plan.edge_share[most] ? e : most;
            if (sm->plan.edge_kind[e] == EDGE_PLAIN && sm->plan.edge_share[e] > 0 &&
                sm->plan.edge_share[e] <= 1.05 * busy)
                few = e;
        }
        if (few != UINT32_MAX && block->edge_count == 2) {
            uint32_t other = few == block->first_edge ? few + 1 : block->first_edge;
            sm->plan.edge_share[few] = (float)fmin(sm->plan.edge_share[few] / busy, 1);
            sm->plan.edge_share[other] = 1 - sm->plan.edge_share[few];
            return;
        }
        if (block->edge_count == 0 || code->edges[most].to == GPU_LEAVES)
            return;
        b = code->edges[most].to;
    }
}

/* Sets the shares of a branch that ends a loop. part: fraction of the trips to be made. */
static void plan_branch(struct sm *sm, const struct gpu_block *block, const struct loop *loop, double part) {
    const struct gpu_code *code = sm->code;
    double trips = part < 1 ? ceil(loop->trips * part) : loop->trips; /* the same number for all warps */
    double ends = trips < INFINITY ? fmin(1 / trips, 1) : 0;
    for (uint32_t e = block->first_edge; e < block->first_edge + 2; e++) {
        bool stays = loops_holds(loop, code->edges[e].to);
        sm->plan.edge_kind[e] = stays ? EDGE_STAY : EDGE_EXIT;
        sm->plan.diverging_share[e] = stays ? 0 : (float)fmax(sm->plan.edge_share[e] - 1 / loop->trips, 0);
        sm->plan.edge_share[e] = (float)(stays ? 1 - ends : ends);
    }
}

static void plan_loops(struct sm *sm, const struct loop *loops, double part) {
    const struct gpu_code *code = sm->code;
    for (uint32_t b = 0; b < code->block_count; b++) {
        const struct gpu_block *block = &code->blocks[b];
        for (uint32_t e = block->first_edge; e < block->first_edge + block->edge_count; e++) {
            sm->plan.edge_kind[e] = EDGE_PLAIN;
            sm->plan.diverging_share[e] = 0;
            sm->plan.edge_share[e] = block->runs > 0 ? (float)(code->edges[e].traversals / block->runs) : 0;
        }
        if (loops[b].trips <= 0)
            continue;
        bool shorter = part < 1 && loops_is_outer(code, loops, &loops[b]);
        plan_branch(sm, block, &loops[b], shorter ? part : 1);
        uint32_t first = loops[b].head; /* all branches of a loop share one credit */
        while (!loops_same(&loops[first], &loops[b]))
            first++;
        sm->plan.leader[block->first_edge] = sm->plan.leader[block->first_edge + 1] =
            code->blocks[first].first_edge;
    }
}

/* Nobody takes the edges of the rare block, or so many of its warps as were counted. */
static void plan_rare(struct sm *sm) {
    const struct gpu_code *code = sm->code;
    for (uint32_t b = 0; b < code->block_count; b++)
        for (uint32_t e = code->blocks[b].first_edge;
             e < code->blocks[b].first_edge + code->blocks[b].edge_count; e++) {
            if (!sm->plan.rare[e])
                continue;
            uint32_t other = 2 * code->blocks[b].first_edge + 1 - e;
            double taken =
                sm->load->which == SM_RARE_BLOCK ? code->edges[e].traversals / sm->load->warps_per_block : 0;
            sm->plan.edge_share[e] = (float)fmin(taken, 1);
            sm->plan.edge_share[other] = 1 - sm->plan.edge_share[e];
        }
}

bool control_flow_plan(struct sm *sm, double part, double *per_warp) {
    const struct gpu_code *code = sm->code;
    struct loop *loops = calloc(code->block_count + 1u, sizeof *loops);
    if (loops == NULL)
        return false;
    loops_find(code, loops);
    plan_loops(sm, loops, part);
    plan_busy_blocks(sm);
    plan_rare(sm);
    *per_warp = part < 1 ? loops_shortened(code, loops, part) : sm->plan.per_warp;
    free(loops);
    return true;
}

bool control_flow_varies(const struct sm *sm) {
    const struct gpu_code *code = sm->code;
    const double some = 1e-3;
    for (uint32_t b = 0; b < code->block_count; b++) {
        const struct gpu_block *block = &code->blocks[b];
        if (block->runs < some * code->warps)
            continue;
        for (uint32_t e = block->first_edge; e < block->first_edge + block->edge_count; e++) {
            double trips = sm->plan.edge_share[e] > 0 ? 1 / sm->plan.edge_share[e] : 1;
            bool loop = sm->plan.edge_kind[e] == EDGE_EXIT &&
                        (sm->plan.diverging_share[e] > some || fabs(trips - round(trips)) > some);
            bool branch = sm->plan.edge_kind[e] == EDGE_PLAIN && block->edge_count == 2 &&
                          !code->edges[e].call && sm->plan.edge_share[e] > some &&
                          sm->plan.edge_share[e] < 1 - some;
            if (loop || branch)
                return true;
        }
    }
    return false;
}

/* Credits of edges, then those of divergence at each edge. */
static float *credits_of(const struct sm *sm, uint32_t warp) {
    return &sm->credit[2 * (size_t)warp * (sm->code->edge_count + 1)];
}

/* The first warps of the rare block take its edges, no others do. */
static void begin_rare(struct sm *sm, float *credit, uint32_t e, uint32_t other, uint32_t index) {
    bool takes = sm->load->which == SM_RARE_BLOCK &&
                 index % sm->load->warps_per_block < lround(sm->code->edges[e].traversals);
    credit[e] = takes ? 1 : -1;
    credit[other] = 0;
}

static void begin_credit(struct sm *sm, uint32_t warp, uint32_t index) {
    const struct gpu_code *code = sm->code;
    float *credit = credits_of(sm, warp), *diverging = &credit[code->edge_count + 1];
    memset(credit, 0, 2 * ((size_t)code->edge_count + 1) * sizeof *credit);
    for (uint32_t b = 0; b < code->block_count; b++) {
        const struct gpu_block *block = &code->blocks[b];
        uint32_t who =
            sm->plan.block_uniform[b] || sm->load->block_uniform ? index / sm->load->warps_per_block : index;
        double spread = fmod(0.6180339887 * (who + 1) + 0.381966 * b + sm->load->path_phase, 1);
        for (uint32_t i = 0; i < block->edge_count; i++) {
            uint32_t e = block->first_edge + i;
            diverging[e] = (float)(0.999 * spread);
            if (sm->plan.edge_kind[e] == EDGE_EXIT)
                credit[sm->plan.leader[e]] += (float)(0.98 * sm->plan.edge_share[e] * spread);
            else if (sm->plan.edge_kind[e] == EDGE_PLAIN)
                credit[e] = (float)(i == 0 ? spread : 1 - spread);
        }
        for (uint32_t e = block->first_edge; e < block->first_edge + block->edge_count; e++)
            if (sm->plan.rare[e])
                begin_rare(sm, credit, e, 2 * block->first_edge + 1 - e, index);
    }
}

static void enter(struct warp *warp, const struct gpu_code *code, uint32_t block) {
    warp->block = block & ~RETURN_ADDRESS;
    warp->next = code->blocks[warp->block].first;
}

/* If the block ends with a call: enters the function; of several, the one with the most credit. */
static bool enter_call(const struct sm *sm, struct warp *warp, float *credit) {
    const struct gpu_code *code = sm->code;
    const struct gpu_block *block = &code->blocks[warp->block];
    uint32_t best = UINT32_MAX, back = GPU_LEAVES;
    for (uint32_t e = block->first_edge; e < block->first_edge + block->edge_count; e++)
        if (!code->edges[e].call) {
            back = code->edges[e].to;
        } else {
            credit[e] += sm->plan.edge_share[e];
            best = best == UINT32_MAX || credit[e] > credit[best] ? e : best;
        }
    if (best == UINT32_MAX || code->edges[best].to == GPU_LEAVES)
        return false;
    credit[best] -= 1;
    if (back != GPU_LEAVES)
        warp->stack[warp->depth++] = back | RETURN_ADDRESS;
    enter(warp, code, code->edges[best].to);
    return true;
}

/* The threads on top of the stack go on; with an empty stack the warp ends. */
static bool pop(const struct sm *sm, struct warp *warp, bool *taken) {
    if (warp->depth == 0)
        return false;
    *taken = true;
    enter(warp, sm->code, warp->stack[--warp->depth]);
    return true;
}

/* Takes an edge; where it leaves the code, the threads on top of the stack go on. */
static bool follow(const struct sm *sm, struct warp *warp, const struct gpu_edge *edge, bool *taken) {
    if (edge->to == GPU_LEAVES)
        return pop(sm, warp, taken);
    *taken = edge->taken;
    enter(warp, sm->code, edge->to);
    return true;
}

/* Takes an edge while other threads of the warp wait, on the stack, to go on at a block. */
static bool diverge(const struct sm *sm, struct warp *warp, const struct gpu_edge *edge, uint32_t other,
                    bool *taken) {
    warp->reconvergence[warp->depth] = sm->plan.reconvergence[warp->block];
    warp->stack[warp->depth++] = other;
    return follow(sm, warp, edge, taken);
}

/* A branch that ends a loop: the warp leaves if the loop's credit is full. Otherwise some
 * threads may leave, up to their reconvergence, and wait there. */
static bool loop_branch(const struct sm *sm, struct warp *warp, float *credit, bool *taken) {
    const struct gpu_code *code = sm->code;
    const struct gpu_block *block = &code->blocks[warp->block];
    uint32_t stays = block->first_edge + (sm->plan.edge_kind[block->first_edge] != EDGE_STAY),
             out = 2 * block->first_edge + 1 - stays;
    float *ends = &credit[sm->plan.leader[out]], *diverging = &credit[code->edge_count + 1 + out];
    const struct gpu_edge *edge = &code->edges[stays];
    *ends += sm->plan.edge_share[out];
    *diverging += sm->plan.diverging_share[out];
    if (*ends >= 1 - 0.01F * sm->plan.edge_share[out]) {
        *ends -= 1;
        edge = &code->edges[out];
    } else if (*diverging > 1 && warp->depth < PATHS && code->edges[out].to != GPU_LEAVES) {
        *diverging -= 1;
        return diverge(sm, warp, &code->edges[out], edge->to, taken);
    }
    return follow(sm, warp, edge, taken);
}

/* Finds the edges with most and second most credit; UINT32_MAX: none. Where some threads of a
 * warp end, the others go on. */
static void choose_edges(const struct sm *sm, const struct gpu_block *block, float *credit, uint32_t *best,
                         uint32_t *second) {
    const struct gpu_code *code = sm->code;
    uint32_t leaves = UINT32_MAX;
    *best = *second = UINT32_MAX;
    for (uint32_t e = block->first_edge; e < block->first_edge + block->edge_count; e++) {
        if (code->edges[e].traversals <= 1e-9 * code->warps && block->edge_count > 1)
            continue;
        credit[e] += sm->plan.edge_share[e];
        if (code->edges[e].to == GPU_LEAVES) {
            leaves = e;
        } else if (*best == UINT32_MAX || credit[e] > credit[*best]) {
            *second = *best;
            *best = e;
        } else if (*second == UINT32_MAX || credit[e] > credit[*second]) {
            *second = e;
        }
    }
    if (leaves != UINT32_MAX && (*best == UINT32_MAX || credit[*best] < 1 - 1e-4F))
        *best = leaves;
    if (*best == UINT32_MAX && block->edge_count > 0) /* the block never ran: any edge */
        *best = block->first_edge;
}

/* A warp whose sum failed makes the trip again, which its loop does not count. */
static bool repeat_trip(struct sm *sm, struct warp *warp) {
    const struct gpu_code *code = sm->code;
    const struct gpu_block *block = &code->blocks[warp->block];
    warp->failed = false;
    for (uint32_t e = block->first_edge; e < block->first_edge + block->edge_count; e++)
        if (!code->edges[e].call && code->edges[e].to <= warp->block) {
            uint32_t trip = block->end - code->blocks[code->edges[e].to].first;
            sm->result->issued -= trip;
            sm->totals.retried += trip;
            enter(warp, code, code->edges[e].to);
            return true;
        }
    return false;
}

bool control_flow_next(struct sm *sm, struct warp *warp, bool *taken) {
    const struct gpu_code *code = sm->code;
    const struct gpu_block *block = &code->blocks[warp->block];
    float *credit = credits_of(sm, (uint32_t)(warp - sm->warps));
    *taken = warp->failed && repeat_trip(sm, warp);
    if (*taken)
        return true;
    if (warp->depth > 0 && !(warp->stack[warp->depth - 1] & RETURN_ADDRESS) &&
        warp->reconvergence[warp->depth - 1] == warp->block)
        return pop(sm, warp, taken);
    if (warp->depth < PATHS && enter_call(sm, warp, credit)) {
        *taken = true;
        return true;
    }
    if (block->edge_count == 2 && sm->plan.edge_kind[block->first_edge] != EDGE_PLAIN)
        return loop_branch(sm, warp, credit, taken);
    uint32_t best, second;
    choose_edges(sm, block, credit, &best, &second);
    if (best == UINT32_MAX)
        return pop(sm, warp, taken);
    credit[best] -= 1;
    const struct gpu_edge *edge = &code->edges[best];
    double out = 0;
    for (uint32_t e = block->first_edge; e < block->first_edge + block->edge_count; e++)
        out += sm->plan.edge_share[e];
    bool diverges = edge->to != GPU_LEAVES && second != UINT32_MAX && credit[second] >= 1 && out > 1.001;
    if (diverges && warp->depth < PATHS) {
        credit[second] -= 1;
        return diverge(sm, warp, edge, code->edges[second].to, taken);
    }
    return follow(sm, warp, edge, taken);
}

void control_flow_begin(struct sm *sm, struct warp *warp) {
    enter(warp, sm->code, 0);
    begin_credit(sm, (uint32_t)(warp - sm->warps), warp->index);
}

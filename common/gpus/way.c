/* way.c: the way of a warp through the code: each edge as often as the launch went there on average. Where its threads part, those
 * that wait for the others stand in `path`. */
#include "gpus/loops.h"
#include "gpus/meets.h"
#include "gpus/sm_state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Where few blocks work, it is one of theirs that is walked through: at the first branch that no more warps take than are in
 * such blocks, all of it do. */
static void be_busy(struct sm *sm) {
    const struct gpu_code *code = sm->code;
    double busy = sm->load->busy;
    for (uint32_t b = 0, steps = 0; busy < 1 && b < code->block_count && steps < code->block_count; steps++) {
        const struct gpu_block *block = &code->blocks[b];
        uint32_t most = block->first_edge, few = UINT32_MAX;
        for (uint32_t e = block->first_edge; e < block->first_edge + block->edge_count; e++) {
            most = sm->share[e] > sm->share[most] ? e : most;
            if (sm->start[e] == 0 && sm->share[e] > 0 && sm->share[e] <= 1.05 * busy)
                few = e;
        }
        if (few != UINT32_MAX && block->edge_count == 2) {
            uint32_t other = few == block->first_edge ? few + 1 : block->first_edge;
            sm->share[few] = (float)fmin(sm->share[few] / busy, 1);
            sm->share[other] = 1 - sm->share[few];
            return;
        }
        if (block->edge_count == 0 || code->edges[most].to == GPU_LEAVES)
            return;
        b = code->edges[most].to;
    }
}

/* The shares of a branch that ends a loop. part: of the trips, how many are to be made. */
static void plan_branch(struct sm *sm, const struct gpu_block *block, const struct loop *loop, double part) {
    const struct gpu_code *code = sm->code;
    double trips = part < 1 ? ceil(loop->trips * part) : loop->trips; /* all warps as many as each other */
    double ends = trips < INFINITY ? fmin(1 / trips, 1) : 0;
    for (uint32_t e = block->first_edge; e < block->first_edge + 2; e++) {
        bool stays = loops_holds(loop, code->edges[e].to);
        sm->start[e] = stays ? 2 : 1;
        sm->parted[e] = stays ? 0 : (float)fmax(sm->share[e] - 1 / loop->trips, 0);
        sm->share[e] = (float)(stays ? 1 - ends : ends);
    }
}

static void plan_loops(struct sm *sm, const struct loop *loops, double part) {
    const struct gpu_code *code = sm->code;
    for (uint32_t b = 0; b < code->block_count; b++) {
        const struct gpu_block *block = &code->blocks[b];
        for (uint32_t e = block->first_edge; e < block->first_edge + block->edge_count; e++) {
            sm->start[e] = 0;
            sm->parted[e] = 0;
            sm->share[e] = block->runs > 0 ? (float)(code->edges[e].gone / block->runs) : 0;
        }
        if (loops[b].trips <= 0)
            continue;
        bool shorter = part < 1 && loops_is_outer(code, loops, &loops[b]);
        plan_branch(sm, block, &loops[b], shorter ? part : 1);
        uint32_t first = loops[b].head; /* which of its branches ends a loop is known when one of them does */
        while (!loops_same(&loops[first], &loops[b]))
            first++;
        sm->leader[block->first_edge] = sm->leader[block->first_edge + 1] = code->blocks[first].first_edge;
    }
}

bool way_plan(struct sm *sm, double part, double *per_warp) {
    const struct gpu_code *code = sm->code;
    struct loop *loops = calloc(code->block_count + 1u, sizeof *loops);
    if (loops == NULL)
        return false;
    loops_find(code, loops);
    plan_loops(sm, loops, part);
    be_busy(sm);
    *per_warp = part < 1 ? loops_shortened(code, loops, part) : sm->per_warp;
    free(loops);
    return true;
}

bool way_varies(const struct sm *sm) {
    const struct gpu_code *code = sm->code;
    const double some = 1e-3;
    for (uint32_t b = 0; b < code->block_count; b++) {
        const struct gpu_block *block = &code->blocks[b];
        if (block->runs < some * code->warps)
            continue;
        for (uint32_t e = block->first_edge; e < block->first_edge + block->edge_count; e++) {
            double trips = sm->share[e] > 0 ? 1 / sm->share[e] : 1;
            bool loop = sm->start[e] == 1 && (sm->parted[e] > some || fabs(trips - round(trips)) > some);
            bool branch = sm->start[e] == 0 && block->edge_count == 2 && !code->edges[e].call &&
                          sm->share[e] > some && sm->share[e] < 1 - some;
            if (loop || branch)
                return true;
        }
    }
    return false;
}

/* Credits of edges, then those of parting. */
static float *credits_of(const struct sm *sm, uint32_t warp) {
    return &sm->credit[2 * (size_t)warp * (sm->code->edge_count + 1)];
}

static void begin_credit(struct sm *sm, uint32_t warp, uint32_t index) {
    const struct gpu_code *code = sm->code;
    float *credit = credits_of(sm, warp), *parts = &credit[code->edge_count + 1];
    memset(credit, 0, 2 * ((size_t)code->edge_count + 1) * sizeof *credit);
    for (uint32_t b = 0; b < code->block_count; b++) {
        const struct gpu_block *block = &code->blocks[b];
        uint32_t who = sm->together[b] || sm->load->alike ? index / sm->load->warps_per_block : index;
        double spread = fmod(0.6180339887 * (who + 1) + 0.381966 * b + sm->load->offset, 1);
        for (uint32_t i = 0; i < block->edge_count; i++) {
            uint32_t e = block->first_edge + i;
            parts[e] = (float)(0.999 * spread);
            if (sm->start[e] == 1)
                credit[sm->leader[e]] += (float)(0.98 * sm->share[e] * spread);
            else if (sm->start[e] == 0)
                credit[e] = (float)(i == 0 ? spread : 1 - spread);
        }
    }
}

static void enter(struct warp *warp, const struct gpu_code *code, uint32_t block) {
    warp->block = block & ~COMES_BACK;
    warp->next = code->blocks[warp->block].first;
}

/* If the block ends with a call: into the function, of several the one whose turn it is. */
static bool call(const struct sm *sm, struct warp *warp, float *credit) {
    const struct gpu_code *code = sm->code;
    const struct gpu_block *block = &code->blocks[warp->block];
    uint32_t best = UINT32_MAX, back = GPU_LEAVES;
    for (uint32_t e = block->first_edge; e < block->first_edge + block->edge_count; e++)
        if (!code->edges[e].call) {
            back = code->edges[e].to;
        } else {
            credit[e] += sm->share[e];
            best = best == UINT32_MAX || credit[e] > credit[best] ? e : best;
        }
    if (best == UINT32_MAX || code->edges[best].to == GPU_LEAVES)
        return false;
    credit[best] -= 1;
    if (back != GPU_LEAVES)
        warp->path[warp->paths++] = back | COMES_BACK;
    enter(warp, code, code->edges[best].to);
    return true;
}

/* Threads that wait go on; none: the warp ends. */
static bool go_back(const struct sm *sm, struct warp *warp, bool *taken) {
    if (warp->paths == 0)
        return false;
    *taken = true;
    enter(warp, sm->code, warp->path[--warp->paths]);
    return true;
}

/* By an edge; where it leaves the code, threads that wait go on. */
static bool follow(const struct sm *sm, struct warp *warp, const struct gpu_edge *edge, bool *taken) {
    if (edge->to == GPU_LEAVES)
        return go_back(sm, warp, taken);
    *taken = edge->taken;
    enter(warp, sm->code, edge->to);
    return true;
}

/* The same; others of its threads wait to go to a block. */
static bool part(const struct sm *sm, struct warp *warp, const struct gpu_edge *edge, uint32_t other,
                 bool *taken) {
    warp->meets[warp->paths] = sm->meets[warp->block];
    warp->path[warp->paths++] = other;
    return follow(sm, warp, edge, taken);
}

/* At a branch that ends a loop: out, if it is time; else some of its threads may leave, who go to where they wait for the others. */
static bool go_round(const struct sm *sm, struct warp *warp, float *credit, bool *taken) {
    const struct gpu_code *code = sm->code;
    const struct gpu_block *block = &code->blocks[warp->block];
    uint32_t stays = block->first_edge + (sm->start[block->first_edge] != 2),
             out = 2 * block->first_edge + 1 - stays;
    float *ends = &credit[sm->leader[out]], *parts = &credit[code->edge_count + 1 + out];
    const struct gpu_edge *edge = &code->edges[stays];
    *ends += sm->share[out];
    *parts += sm->parted[out];
    if (*ends >= 1 - 0.01F * sm->share[out]) {
        *ends -= 1;
        edge = &code->edges[out];
    } else if (*parts > 1 && warp->paths < PATHS && code->edges[out].to != GPU_LEAVES) {
        *parts -= 1;
        return part(sm, warp, &code->edges[out], edge->to, taken);
    }
    return follow(sm, warp, edge, taken);
}

/* The edges whose turn it is most, and next; UINT32_MAX: none. Where some threads of a warp end, the others go on. */
static void choose(const struct sm *sm, const struct gpu_block *block, float *credit, uint32_t *best,
                   uint32_t *second) {
    const struct gpu_code *code = sm->code;
    uint32_t leaves = UINT32_MAX;
    *best = *second = UINT32_MAX;
    for (uint32_t e = block->first_edge; e < block->first_edge + block->edge_count; e++) {
        if (code->edges[e].gone <= 1e-9 * code->warps && block->edge_count > 1)
            continue;
        credit[e] += sm->share[e];
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
    if (*best == UINT32_MAX && block->edge_count > 0) /* it never ran: anywhere */
        *best = block->first_edge;
}

bool way_on(struct sm *sm, struct warp *warp, bool *taken) {
    const struct gpu_code *code = sm->code;
    const struct gpu_block *block = &code->blocks[warp->block];
    float *credit = credits_of(sm, (uint32_t)(warp - sm->warps));
    *taken = false;
    if (warp->paths > 0 && !(warp->path[warp->paths - 1] & COMES_BACK) &&
        warp->meets[warp->paths - 1] == warp->block)
        return go_back(sm, warp, taken);
    if (warp->paths < PATHS && call(sm, warp, credit)) {
        *taken = true;
        return true;
    }
    if (block->edge_count == 2 && sm->start[block->first_edge] != 0)
        return go_round(sm, warp, credit, taken);
    uint32_t best, second;
    choose(sm, block, credit, &best, &second);
    if (best == UINT32_MAX)
        return go_back(sm, warp, taken);
    credit[best] -= 1;
    const struct gpu_edge *edge = &code->edges[best];
    double out = 0;
    for (uint32_t e = block->first_edge; e < block->first_edge + block->edge_count; e++)
        out += sm->share[e];
    bool parts = edge->to != GPU_LEAVES && second != UINT32_MAX && credit[second] >= 1 && out > 1.001;
    if (parts && warp->paths < PATHS) {
        credit[second] -= 1;
        return part(sm, warp, edge, code->edges[second].to, taken);
    }
    return follow(sm, warp, edge, taken);
}

void way_begin(struct sm *sm, struct warp *warp) {
    enter(warp, sm->code, 0);
    begin_credit(sm, (uint32_t)(warp - sm->warps), warp->index);
}

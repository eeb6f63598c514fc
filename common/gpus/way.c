/* way.c: the way of a warp through the code: each edge as often as the launch went there on average. */
#include "gpus/sm_state.h"

#include <math.h>
#include <stdlib.h>

/* The innermost loop around a block, by the places of its first and last block. */
static bool find_loop(const struct gpu_code *code, uint32_t block, uint32_t *head, uint32_t *last) {
    bool found = false;
    for (uint32_t from = block; from < code->block_count; from++)
        for (uint32_t e = code->blocks[from].first_edge;
             e < code->blocks[from].first_edge + code->blocks[from].edge_count; e++) {
            uint32_t to = code->edges[e].to;
            if (to > block || code->edges[e].gone <= 0 || code->edges[e].call ||
                (found && from - to >= *last - *head))
                continue;
            found = true;
            *head = to;
            *last = from;
        }
    return found;
}

/* The loop that a block's branch stays in or leaves; trips 0: it is no such branch. */
struct loop {
    uint32_t head, last;
    double trips; /* on average */
};

static struct loop loop_at(const struct gpu_code *code, uint32_t b) {
    const struct gpu_block *block = &code->blocks[b];
    struct loop loop = {0};
    uint32_t inside = 0;
    double out = 0;
    if (block->edge_count != 2 || !find_loop(code, b, &loop.head, &loop.last))
        return (struct loop){0};
    for (uint32_t e = block->first_edge; e < block->first_edge + 2; e++) {
        bool stays = code->edges[e].to >= loop.head && code->edges[e].to <= loop.last;
        inside += stays;
        out += stays ? 0 : code->edges[e].gone;
    }
    loop.trips = inside == 1 && out > 0 ? block->runs / out : inside == 1 ? INFINITY : 0;
    return loop;
}

/* A loop long enough to be made shorter, and in no other such. */
static bool is_outer(const struct loop *loops, uint32_t count, const struct loop *loop) {
    const double many = 8;
    if (!(loop->trips >= many) || loop->trips == INFINITY)
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (loops[i].trips >= many && loops[i].trips < INFINITY && loops[i].head <= loop->head &&
            loops[i].last >= loop->last && loops[i].last - loops[i].head > loop->last - loop->head)
            return false;
    return true;
}

/* How many instructions a warp executes when long outer loops make only a part of their trips. */
static double shortened(const struct gpu_code *code, const struct loop *loops, double part) {
    double sum = 0;
    for (uint32_t b = 0; b < code->block_count; b++) {
        bool inside = false;
        for (uint32_t i = 0; i < code->block_count && !inside; i++)
            inside =
                loops[i].head <= b && b <= loops[i].last && is_outer(loops, code->block_count, &loops[i]);
        sum += code->blocks[b].runs * (code->blocks[b].end - code->blocks[b].first) * (inside ? part : 1);
    }
    return sum / code->warps;
}

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

bool way_plan(struct sm *sm, double part, double *per_warp) {
    const struct gpu_code *code = sm->code;
    struct loop *loops = calloc(code->block_count + 1u, sizeof *loops);
    for (uint32_t b = 0; loops != NULL && b < code->block_count; b++)
        loops[b] = loop_at(code, b);
    for (uint32_t b = 0; loops != NULL && b < code->block_count; b++) {
        const struct gpu_block *block = &code->blocks[b];
        const struct loop *loop = &loops[b];
        bool shorter = part < 1 && is_outer(loops, code->block_count, loop);
        double leaves = loop->trips > 0 ? fmin(1 / (loop->trips * (shorter ? part : 1)), 1) : 0;
        for (uint32_t e = block->first_edge; e < block->first_edge + block->edge_count; e++) {
            bool stays = code->edges[e].to >= loop->head && code->edges[e].to <= loop->last;
            sm->start[e] = loop->trips <= 0 ? 0 : stays ? 2 : 1;
            sm->share[e] = block->runs > 0 ? (float)(code->edges[e].gone / block->runs) : 0;
            if (shorter)
                sm->share[e] = (float)(stays ? 1 - leaves : leaves);
        }
    }
    if (loops != NULL)
        be_busy(sm);
    if (loops != NULL)
        *per_warp = part < 1 ? shortened(code, loops, part) : sm->per_warp;
    free(loops);
    return loops != NULL;
}

static void begin_credit(struct sm *sm, uint32_t warp, uint32_t index) {
    const struct gpu_code *code = sm->code;
    float *credit = &sm->credit[(size_t)warp * (code->edge_count + 1)];
    for (uint32_t b = 0; b < code->block_count; b++) {
        const struct gpu_block *block = &code->blocks[b];
        uint32_t who = sm->together[b] || sm->load->alike ? index / sm->load->warps_per_block : index;
        double spread = fmod(0.6180339887 * (who + 1) + 0.381966 * b + sm->load->offset, 1);
        for (uint32_t i = 0; i < block->edge_count; i++) {
            uint32_t e = block->first_edge + i;
            double other = i == 0 ? spread : 1 - spread;
            credit[e] = (float)(sm->start[e] == 2   ? 1 - 1e-4
                                : sm->start[e] == 1 ? sm->share[e] * spread
                                                    : other);
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

bool way_on(struct sm *sm, struct warp *warp, bool *taken) {
    const struct gpu_code *code = sm->code;
    const struct gpu_block *block = &code->blocks[warp->block];
    float *credit = &sm->credit[(size_t)(warp - sm->warps) * (code->edge_count + 1)];
    *taken = false;
    if (block->meets && warp->paths > 0 && !(warp->path[warp->paths - 1] & COMES_BACK)) {
        *taken = true;
        enter(warp, code, warp->path[--warp->paths]);
        return true;
    }
    uint32_t best = UINT32_MAX, second = UINT32_MAX, leaves = UINT32_MAX;
    if (warp->paths < PATHS && call(sm, warp, credit)) {
        *taken = true;
        return true;
    }
    for (uint32_t e = block->first_edge; e < block->first_edge + block->edge_count; e++) {
        if (code->edges[e].gone <= 1e-9 * code->warps && block->edge_count > 1)
            continue;
        credit[e] += sm->share[e];
        if (code->edges[e].to == GPU_LEAVES) { /* where some of its threads end, the others go on */
            leaves = e;
        } else if (best == UINT32_MAX || credit[e] > credit[best]) {
            second = best;
            best = e;
        } else if (second == UINT32_MAX || credit[e] > credit[second]) {
            second = e;
        }
    }
    if (leaves != UINT32_MAX && (best == UINT32_MAX || credit[best] < 1 - 1e-4F))
        best = leaves;
    if (best == UINT32_MAX && block->edge_count > 0) /* it never ran: anywhere */
        best = block->first_edge;
    if (best == UINT32_MAX || code->edges[best].to == GPU_LEAVES) {
        if (best != UINT32_MAX)
            credit[best] -= 1;
        if (warp->paths == 0)
            return false;
        *taken = true;
        enter(warp, code, warp->path[--warp->paths]);
        return true;
    }
    credit[best] -= 1;
    double out = 0;
    for (uint32_t e = block->first_edge; e < block->first_edge + block->edge_count; e++)
        out += code->edges[e].gone;
    if (second != UINT32_MAX && credit[second] >= 1 && out > 1.001 * block->runs && warp->paths < PATHS) {
        credit[second] -= 1;
        warp->path[warp->paths++] = code->edges[second].to;
    }
    *taken = code->edges[best].taken;
    enter(warp, code, code->edges[best].to);
    return true;
}

void way_begin(struct sm *sm, struct warp *warp) {
    enter(warp, sm->code, 0);
    begin_credit(sm, (uint32_t)(warp - sm->warps), warp->index);
}

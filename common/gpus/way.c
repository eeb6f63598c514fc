/* way.c: the way of a warp through the code: each edge as often as the launch went there on average. */
#include "gpus/sm_state.h"

#include <math.h>

/* The innermost loop around a block, by the places of its first and last block. */
static bool find_loop(const struct gpu_code *code, uint32_t block, uint32_t *head, uint32_t *last) {
    bool found = false;
    for (uint32_t from = block; from < code->block_count; from++)
        for (uint32_t e = code->blocks[from].first_edge;
             e < code->blocks[from].first_edge + code->blocks[from].edge_count; e++) {
            uint32_t to = code->edges[e].to;
            if (to > block || code->edges[e].gone <= 0 || (found && from - to >= *last - *head))
                continue;
            found = true;
            *head = to;
            *last = from;
        }
    return found;
}

void way_find_starts(const struct gpu_code *code, uint8_t *start) {
    for (uint32_t b = 0; b < code->block_count; b++) {
        const struct gpu_block *block = &code->blocks[b];
        uint32_t head = 0, last = 0, inside = 0;
        bool loop = block->edge_count == 2 && find_loop(code, b, &head, &last);
        for (uint32_t e = block->first_edge; loop && e < block->first_edge + 2; e++)
            inside += code->edges[e].to >= head && code->edges[e].to <= last;
        for (uint32_t e = block->first_edge; e < block->first_edge + block->edge_count; e++) {
            bool stays = loop && code->edges[e].to >= head && code->edges[e].to <= last;
            start[e] = !loop || inside != 1 ? 0 : stays ? 2 : 1;
        }
    }
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
            double share = block->runs > 0 ? code->edges[e].gone / block->runs : 0;
            double other = i == 0 ? spread : 1 - spread;
            credit[e] = (float)(sm->start[e] == 2 ? 1 - 1e-4 : sm->start[e] == 1 ? share * spread : other);
        }
    }
}

static void enter(struct warp *warp, const struct gpu_code *code, uint32_t block) {
    warp->block = block;
    warp->next = code->blocks[block].first;
}

bool way_on(struct sm *sm, struct warp *warp, bool *taken) {
    const struct gpu_code *code = sm->code;
    const struct gpu_block *block = &code->blocks[warp->block];
    float *credit = &sm->credit[(size_t)(warp - sm->warps) * (code->edge_count + 1)];
    *taken = false;
    if (block->meets && warp->paths > 0) {
        *taken = true;
        enter(warp, code, warp->path[--warp->paths]);
        return true;
    }
    uint32_t best = UINT32_MAX, second = UINT32_MAX, leaves = UINT32_MAX;
    for (uint32_t e = block->first_edge; e < block->first_edge + block->edge_count; e++)
        if (code->edges[e].call && warp->paths < PATHS) {
            uint32_t other = e == block->first_edge ? e + 1 : block->first_edge;
            if (block->edge_count > 1)
                warp->path[warp->paths++] = code->edges[other].to;
            *taken = true;
            enter(warp, code, code->edges[e].to);
            return true;
        }
    for (uint32_t e = block->first_edge; e < block->first_edge + block->edge_count; e++) {
        if (code->edges[e].gone <= 1e-9 * code->warps && block->edge_count > 1)
            continue;
        credit[e] += block->runs > 0 ? (float)(code->edges[e].gone / block->runs) : 0;
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

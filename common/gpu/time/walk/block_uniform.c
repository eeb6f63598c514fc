/* block_uniform.c: block-uniform branches. All threads of a block reach a barrier or none does (CUDA
 * programming guide, synchronisation). So a branch whose edges lead to different next barriers is
 * block-uniform. */
#include "gpu/time/walk/sm_state.h"

#include <stdlib.h>
#include <string.h>

/* Per block the set of barriers that may come next: a bit for each block with a barrier, one for
 * the end. */
struct next {
    const struct gpu_code *code;
    uint64_t *sets;
    uint32_t words;
};

static uint64_t *set_of(const struct next *next, uint32_t block) {
    return &next->sets[(size_t)block * next->words];
}

static bool has_barrier(const struct gpu_code *code, uint32_t block) {
    for (uint32_t i = code->blocks[block].first; i < code->blocks[block].end; i++)
        if (code->instructions[i].access == GPU_ACCESS_BARRIER)
            return true;
    return false;
}

/* Adds the barriers that may come first behind an edge to a set. True: the set grew. */
static bool add_edge(const struct next *next, uint32_t edge, uint64_t *set) {
    static const uint64_t end = 1;
    uint32_t to = next->code->edges[edge].to;
    const uint64_t *from = to == GPU_LEAVES ? &end : set_of(next, to);
    uint64_t grown = 0;
    for (uint32_t w = 0; w < (to == GPU_LEAVES ? 1 : next->words); w++) {
        grown |= from[w] & ~set[w];
        set[w] |= from[w];
    }
    return grown != 0;
}

/* Whether a block's edges lead to different barriers; edges that end the warp do not count. */
static bool differ(const struct next *next, const struct gpu_block *block, uint64_t *first, uint64_t *other) {
    bool any = false;
    for (uint32_t e = block->first_edge; e < block->first_edge + block->edge_count; e++) {
        if (next->code->edges[e].call)
            return false;
        if (next->code->edges[e].to == GPU_LEAVES)
            continue;
        uint64_t *set = any ? other : first;
        memset(set, 0, next->words * sizeof *set);
        add_edge(next, e, set);
        if (any && memcmp(first, other, next->words * sizeof *first) != 0)
            return true;
        any = true;
    }
    return false;
}

bool block_uniform_find(const struct gpu_code *code, bool *block_uniform) {
    uint32_t barriers = 0;
    memset(block_uniform, 0, code->block_count * sizeof *block_uniform);
    for (uint32_t b = 0; b < code->block_count; b++)
        barriers += has_barrier(code, b);
    if (barriers == 0)
        return true;
    struct next next = {.code = code, .words = (barriers + 1 + 63) / 64};
    next.sets = calloc((size_t)(code->block_count + 2) * next.words, sizeof *next.sets);
    if (next.sets == NULL)
        return false;
    for (uint32_t b = 0, bit = 1; b < code->block_count; b++)
        if (has_barrier(code, b)) {
            set_of(&next, b)[bit / 64] |= 1ULL << bit % 64;
            bit++;
        }
    for (bool grows = true; grows;) {
        grows = false;
        for (uint32_t b = code->block_count; b-- > 0;)
            for (uint32_t e = code->blocks[b].first_edge;
                 !has_barrier(code, b) && e < code->blocks[b].first_edge + code->blocks[b].edge_count; e++)
                grows = add_edge(&next, e, set_of(&next, b)) || grows;
    }
    for (uint32_t b = 0; b < code->block_count; b++)
        block_uniform[b] = differ(&next, &code->blocks[b], set_of(&next, code->block_count),
                                  set_of(&next, code->block_count + 1));
    free(next.sets);
    return true;
}

/* reconvergence.c: each block's set of post-dominators, a bit for each block and one for the end. The
 * sets shrink until nothing changes. */
#include "gpu/time/walk/sm_state.h"

#include <stdlib.h>
#include <string.h>

struct sets {
    const struct gpu_code *code;
    uint64_t *words; /* of each block, then of the end, then one to work in */
    uint32_t count;  /* of a set */
};

static uint64_t *set_of(const struct sets *sets, uint32_t block) {
    return &sets->words[(size_t)block * sets->count];
}

static bool holds(const uint64_t *set, uint32_t block) {
    return set[block / 64] >> block % 64 & 1;
}

static uint32_t size_of(const struct sets *sets, uint32_t block) {
    uint32_t sum = 0;
    for (uint32_t w = 0; w < sets->count; w++)
        sum += (uint32_t)__builtin_popcountll(set_of(sets, block)[w]);
    return sum;
}

/* Intersects the sets of a block's successors, by the traversed edges or by all. False: there is
 * no such edge. */
static bool intersect_edges(const struct sets *sets, uint32_t b, bool traversed, uint64_t *set) {
    const struct gpu_code *code = sets->code;
    const struct gpu_block *block = &code->blocks[b];
    bool any = false;
    memset(set, 0xff, sets->count * sizeof *set);
    for (uint32_t e = block->first_edge; e < block->first_edge + block->edge_count; e++) {
        const struct gpu_edge *edge = &code->edges[e];
        if (edge->call || (traversed && edge->traversals <= 1e-9 * code->warps))
            continue;
        const uint64_t *next = set_of(sets, edge->to == GPU_LEAVES ? code->block_count : edge->to);
        for (uint32_t w = 0; w < sets->count; w++)
            set[w] &= next[w];
        any = true;
    }
    return any;
}

static bool shrink(const struct sets *sets) {
    uint32_t end = sets->code->block_count;
    uint64_t *set = set_of(sets, end + 1);
    bool changed = false;
    for (uint32_t b = end; b-- > 0;) {
        if (!intersect_edges(sets, b, true, set) && !intersect_edges(sets, b, false, set))
            memcpy(set, set_of(sets, end), sets->count * sizeof *set);
        set[b / 64] |= 1ULL << b % 64;
        if (memcmp(set, set_of(sets, b), sets->count * sizeof *set) == 0)
            continue;
        memcpy(set_of(sets, b), set, sets->count * sizeof *set);
        changed = true;
    }
    return changed;
}

bool reconvergence_find(const struct gpu_code *code, uint32_t *reconvergence) {
    uint32_t end = code->block_count;
    struct sets sets = {.code = code, .count = (end + 1 + 63) / 64};
    sets.words = malloc((size_t)(end + 2) * sets.count * sizeof *sets.words);
    uint32_t *sizes = calloc(end + 1u, sizeof *sizes);
    bool right = sets.words != NULL && sizes != NULL;
    if (right) {
        memset(sets.words, 0xff, (size_t)end * sets.count * sizeof *sets.words);
        memset(set_of(&sets, end), 0, sets.count * sizeof *sets.words);
        set_of(&sets, end)[end / 64] |= 1ULL << end % 64;
        while (shrink(&sets))
            continue;
        for (uint32_t b = 0; b < end; b++)
            sizes[b] = size_of(&sets, b);
        /* the nearest post-dominator has the largest set, since it has all the others in it */
        for (uint32_t b = 0; b < end; b++) {
            reconvergence[b] = GPU_LEAVES;
            for (uint32_t to = 0; to < end; to++)
                if (to != b && code->blocks[to].reconverges && holds(set_of(&sets, b), to) &&
                    (reconvergence[b] == GPU_LEAVES || sizes[to] > sizes[reconvergence[b]]))
                    reconvergence[b] = to;
        }
    }
    free(sets.words);
    free(sizes);
    return right;
}

/* rare.c: what one block of the launch does and the others do not: the last one to come adds up what all left, or one
 * thread goes on alone while its block waits. Such blocks are walked by themselves, for no average shows them. */
#include "gpu/time/walk/sm_state.h"

#include <math.h>
#include <stdlib.h>

struct search {
    bool *reached, *behind; /* per block: without the edge that is looked at; only by a rare edge */
    uint32_t *to_do;        /* blocks */
    double per_warp;        /* instructions of a warp, on average */
};

/* A traversed path through the code that does not take the edge `without`. reached, to_do: per block. */
static void reach(const struct gpu_code *code, uint32_t without, bool *reached, uint32_t *to_do) {
    uint32_t count = 1;
    for (uint32_t b = 0; b < code->block_count; b++)
        reached[b] = false;
    reached[0] = true;
    to_do[0] = 0;
    while (count > 0) {
        const struct gpu_block *block = &code->blocks[to_do[--count]];
        for (uint32_t e = block->first_edge; e < block->first_edge + block->edge_count; e++) {
            uint32_t to = code->edges[e].to;
            if (e == without || to == GPU_LEAVES || reached[to] || code->edges[e].traversals <= 0)
                continue;
            reached[to] = true;
            to_do[count++] = to;
        }
    }
}

/* Instructions of all warps in a block. */
static double executed(const struct gpu_block *block) {
    return block->runs * (block->end - block->first);
}

/* The same in all blocks that are not reached. */
static double executed_elsewhere(const struct gpu_code *code, const bool *reached) {
    double sum = 0;
    for (uint32_t b = 0; b < code->block_count; b++)
        sum += reached[b] ? 0 : executed(&code->blocks[b]);
    return sum;
}

/* Whether an atomic whose result is used stands before an instruction. */
static bool is_behind_atomic(const struct gpu_code *code, uint32_t end) {
    for (uint32_t i = 0; i < end; i++)
        if (code->instructions[i].access == GPU_ACCESS_ATOMIC &&
            code->instructions[i].write_scoreboard < GPU_SCOREBOARDS)
            return true;
    return false;
}

/* Whether warps of one block at most take an edge of a branch that those of several come to. */
static bool is_of_one_block(const struct gpu_code *code, const struct gpu_block *block, uint32_t edge,
                            double warps_per_block) {
    const double some = 1.02; /* executions are solved for, not counted */
    double taken = code->edges[edge].traversals;
    return block->edge_count == 2 && !code->edges[block->first_edge].call &&
           !code->edges[block->first_edge + 1].call && taken > 0.5 && taken <= some * warps_per_block &&
           block->runs > 2 * some * warps_per_block;
}

/* Looks at the edges of a block. */
static void look_at(const struct gpu_code *code, uint32_t warps_per_block, uint32_t b, struct search *search,
                    bool *rare, struct rare_work *work) {
    const double worth = 0.1; /* of an average warp's instructions */
    const struct gpu_block *block = &code->blocks[b];
    for (uint32_t e = block->first_edge; e < block->first_edge + block->edge_count; e++) {
        if (!is_of_one_block(code, block, e, warps_per_block))
            continue;
        reach(code, e, search->reached, search->to_do);
        double behind = executed_elsewhere(code, search->reached);
        if (behind <= worth * search->per_warp * code->edges[e].traversals)
            continue;
        rare[e] = true;
        work->instructions += behind;
        work->comes_last |= is_behind_atomic(code, block->end);
        for (uint32_t i = 0; i < code->block_count; i++)
            search->behind[i] |= !search->reached[i];
    }
}

bool rare_find(const struct gpu_code *code, uint32_t warps_per_block, bool *rare, struct rare_work *work) {
    struct search search = {.reached = calloc(code->block_count + 1u, sizeof *search.reached),
                            .behind = calloc(code->block_count + 1u, sizeof *search.behind),
                            .to_do = calloc(code->block_count + 1u, sizeof *search.to_do)};
    bool right = search.reached != NULL && search.behind != NULL && search.to_do != NULL;
    *work = (struct rare_work){0};
    for (uint32_t b = 0; b < code->block_count; b++)
        search.per_warp += executed(&code->blocks[b]) / code->warps;
    for (uint32_t b = 0; right && b < code->block_count; b++)
        if (!search.behind[b])
            look_at(code, warps_per_block, b, &search, rare, work);
    free(search.reached);
    free(search.behind);
    free(search.to_do);
    return right;
}

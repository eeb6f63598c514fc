/* cluster.c: clusters of blocks: ranks, shared memory of other blocks, the cluster's barrier. */
#include "gpu/simt/control/cluster.h"

#include "gpu/simt/check/races.h"
#include "gpu/simt/endless/endless.h"

#include <stdlib.h>
#include <string.h>

/* ---- which blocks there are */

static uint32_t clusters_of(const struct launch *launch, int axis) {
    return launch->shape->grid[axis] / launch->cluster[axis];
}

bool simt_clusters_create(struct launch *launch) {
    uint64_t count = 1;
    launch->cluster_blocks = 1;
    for (int i = 0; i < 3; i++) {
        uint32_t asked = launch->shape->cluster[i], built = launch->code->function->cluster[i];
        launch->explicit_cluster |= asked || built;
        launch->cluster[i] = asked ? asked : built ? built : 1;
        launch->cluster_blocks *= launch->cluster[i];
        count *= clusters_of(launch, i);
    }
    if (launch->cluster_blocks > 1)
        launch->clusters = calloc(count, sizeof(struct cluster *));
    return launch->cluster_blocks == 1 || launch->clusters != NULL;
}

void simt_clusters_destroy(struct launch *launch) {
    uint64_t count = launch->clusters != NULL ? launch->block_total / launch->cluster_blocks : 0;
    for (uint64_t i = 0; i < count; i++)
        free(launch->clusters[i]);
    free(launch->clusters);
}

static uint32_t part(const struct launch *launch, const struct block *block, int axis, bool of_cluster) {
    uint32_t size = launch->cluster[axis];
    return of_cluster ? block->position[axis] / size : block->position[axis] % size;
}

bool simt_cluster_join(const struct launch *launch, struct block *block) {
    block->rank = 0;
    block->cluster = NULL;
    block->meets_cluster = launch->cluster_blocks > 1;
    if (launch->cluster_blocks == 1)
        return true;
    block->rank = part(launch, block, 0, false) +
                  launch->cluster[0] *
                      (part(launch, block, 1, false) + launch->cluster[1] * part(launch, block, 2, false));
    uint64_t index =
        part(launch, block, 0, true) +
        (uint64_t)clusters_of(launch, 0) *
            (part(launch, block, 1, true) + (uint64_t)clusters_of(launch, 1) * part(launch, block, 2, true));
    struct cluster **cluster = &launch->clusters[index];
    if (*cluster == NULL)
        *cluster = calloc(1, sizeof **cluster);
    if (*cluster == NULL)
        return false;
    (*cluster)->count = launch->cluster_blocks;
    (*cluster)->blocks[block->rank] = block;
    block->cluster = *cluster;
    return true;
}

void simt_cluster_leave(struct block *block) {
    if (block->cluster == NULL)
        return;
    block->cluster->blocks[block->rank] = NULL;
    block->cluster->ended |= 1u << block->rank;
}

uint32_t simt_cluster_special(const struct launch *launch, const struct block *block, int64_t special) {
    int at = (int)(special - PTX_CLUSTERID_X), axis = at % 3;
    switch (at / 3) {
    case 0: return part(launch, block, axis, true);
    case 1: return clusters_of(launch, axis);
    case 2: return part(launch, block, axis, false);
    case 3: return launch->cluster[axis];
    default: return special == PTX_CLUSTER_CTARANK ? block->rank : launch->cluster_blocks;
    }
}

/* ---- shared memory */

uint64_t simt_cluster_address(const struct block *block, uint64_t address, uint32_t rank) {
    uint64_t offset = address & ((UINT64_C(1) << CLUSTER_SHIFT) - 1), window = address & SIMT_WINDOW_MASK;
    return window | offset | (rank == block->rank ? 0 : ((uint64_t)rank + 1) << CLUSTER_SHIFT);
}

uint32_t simt_cluster_rank_of(const struct block *block, uint64_t address) {
    uint64_t rank = (address & ~SIMT_WINDOW_MASK) >> CLUSTER_SHIFT;
    return rank ? (uint32_t)rank - 1 : block->rank;
}

struct block *simt_cluster_block(struct block *block, uint64_t *address) {
    uint64_t rank = *address >> CLUSTER_SHIFT;
    if (!rank)
        return block;
    *address &= (UINT64_C(1) << CLUSTER_SHIFT) - 1;
    return block->cluster != NULL && rank <= block->cluster->count ? block->cluster->blocks[rank - 1] : NULL;
}

/* ---- the barrier */

/* The cluster's number of blocks; *blocks: those, by rank. */
static uint32_t members(struct block **self, struct block ***blocks) {
    struct cluster *cluster = (*self)->cluster;
    *blocks = cluster != NULL ? cluster->blocks : self;
    return cluster != NULL ? cluster->count : 1;
}

static void end_phase(struct block *block, const struct chain *latest) {
    block->cluster_phase = (struct chain_phase){.over = *latest};
    for (uint32_t w = 0; w < block->warp_count; w++) {
        struct warp *warp = &block->warps[w];
        warp->arrived = 0;
        for (uint32_t i = 0; i < warp->path_count; i++)
            if (warp->paths[i].state == PATH_AT_CLUSTER) {
                warp->paths[i].state = PATH_READY;
                simt_endless_released(warp, warp->paths[i].mask);
                simt_chain_wait(warp, 0, latest);
            }
    }
    if (block->races != NULL)
        simt_races_block_barrier(block->races);
    block->barriers_passed++;
}

void simt_cluster_check(struct block *block) {
    struct block **blocks;
    uint32_t count = members(&block, &blocks), arrived = 0, live = 0;
    struct chain latest = {0};
    for (uint32_t i = 0; i < count; i++) {
        if (blocks[i] == NULL && block->cluster->ended >> i & 1)
            continue;
        if (blocks[i] == NULL)
            return;
        live += blocks[i]->live_threads;
        simt_chain_join(&latest, &blocks[i]->cluster_phase.pending);
        for (uint32_t w = 0; w < blocks[i]->warp_count; w++) {
            const struct warp *warp = &blocks[i]->warps[w];
            arrived += warp->arrived ? (uint32_t)__builtin_popcount(warp->arrived & warp->live) : 0;
        }
    }
    for (uint32_t i = 0; arrived && arrived == live && i < count; i++)
        if (blocks[i] != NULL)
            end_phase(blocks[i], &latest);
}

void simt_cluster_arrive(struct worker *worker, struct warp *warp, struct path *path,
                         const struct ptx_instruction *instruction) {
    path->pc++;
    if (instruction->form == PTX_BAR_WAIT) {
        if (warp->arrived & path->mask)
            path->state = PATH_AT_CLUSTER;
        else
            simt_chain_wait(warp, 0, &warp->block->cluster_phase.over);
        return;
    }
    if (warp->arrived & path->mask)
        simt_fault_other(worker, warp, instruction, (uint32_t)__builtin_ctz(warp->arrived & path->mask),
                         SIMT_BARRIER_DIVERGENCE,
                         "this thread arrives at the cluster's barrier twice and did not wait between");
    struct chain here = simt_chain_of(warp, 0);
    simt_chain_join(&warp->block->cluster_phase.pending, &here);
    warp->arrived |= path->mask;
    warp->block->meets_cluster = true;
    worker->counters.barriers++;
    if (worker->watching)
        endless_changed(worker);
    simt_cluster_check(warp->block);
}

bool simt_cluster_waits(const struct block *block) {
    for (uint32_t w = 0; block->cluster != NULL && w < block->warp_count; w++)
        for (uint32_t i = 0; i < block->warps[w].path_count; i++)
            if (block->warps[w].paths[i].state == PATH_AT_CLUSTER)
                return true;
    return false;
}

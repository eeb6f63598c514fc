/* cluster.h: clusters: blocks that run together, meet at a barrier of their own and reach each
 * other's shared memory. A launch without a cluster size has clusters of one block. Private to
 * simt/.
 *
 * An address of shared memory has, above its lowest 24 bits, 1 + the rank of its block; 0: the
 * reader's own. All blocks of a launch with larger clusters run on one host thread. */
#ifndef SIMT_CLUSTER_H
#define SIMT_CLUSTER_H

#include "gpu/simt/control/launch.h"

enum { PORTABLE_CLUSTER = 8, CLUSTER_SHIFT = 24 };

struct cluster {
    struct block *blocks[PORTABLE_CLUSTER]; /* by rank; NULL: has not started, or has ended */
    uint32_t count, ended;                  /* ended: a bit for each rank */
};

/* Sets the launch's cluster size. False: out of memory. */
bool simt_clusters_create(struct launch *launch);
void simt_clusters_destroy(struct launch *launch);
/* A block starts, or ends. False: out of memory. */
bool simt_cluster_join(const struct launch *launch, struct block *block);
void simt_cluster_leave(struct block *block);

/* The value of a special register, PTX_CLUSTERID_X or after it, in a block. */
uint32_t simt_cluster_special(const struct launch *launch, const struct block *block, int64_t special);

/* mapa, getctarank. */
uint64_t simt_cluster_address(const struct block *block, uint64_t address, uint32_t rank);
uint32_t simt_cluster_rank_of(const struct block *block, uint64_t address);
/* The block that an address of shared memory leads to, which becomes an offset. NULL: not there. */
struct block *simt_cluster_block(struct block *block, uint64_t *address);

/* barrier.cluster: the path's threads arrive, or wait for the phase in which they arrived. */
void simt_cluster_arrive(struct worker *worker, struct warp *warp, struct path *path,
                         const struct ptx_instruction *instruction);
/* Ends the barrier's phase if all threads of the cluster that have not exited are there. */
void simt_cluster_check(struct block *block);
/* Whether a path of the block waits, and the block is not alone in its cluster. */
bool simt_cluster_waits(const struct block *block);

#endif

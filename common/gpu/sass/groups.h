/* groups.h: what the lines of the PTX say of the blocks: "so many copies in this block, so many in that, ran so often
 * together". Private to sass/. Lines that say the same of the same blocks are one group. */
#ifndef SASS_GROUPS_H
#define SASS_GROUPS_H

#include "gpu/sass/executions.h"

struct sass_term {
    uint32_t block;
    uint32_t copies;
};

struct sass_group {
    uint32_t first_term, term_count;
    uint32_t piece;       /* of the PTX, whose lines they are */
    double runs;          /* for each warp of the kernel */
    double less, greater; /* what it costs for each run that the copies' sum is below, or above */
};

/* Most lines of this piece of PTX have so many copies in this block. */
struct sass_usual {
    uint32_t piece, block, copies;
};

struct sass_groups {
    uint32_t count, term_count, usual_count;
    struct sass_group *groups;
    struct sass_term *terms;
    struct sass_usual *usual; /* by piece, then block */
};

/* False: out of memory. Free with sass_groups_free. */
bool sass_groups_build(struct sass_groups *groups, const struct sass_graph *graph,
                       const struct sass_copy *copies, const struct sass_line *lines, uint32_t line_count,
                       uint64_t warps);
/* The first of a piece, or of those behind it: an index of `usual`. */
uint32_t sass_groups_usual(const struct sass_groups *groups, uint32_t piece);
/* How often blocks [first, last] hold a piece of PTX: into how many copies a loop of theirs was unrolled. */
uint32_t sass_groups_copies(const struct sass_groups *groups, uint32_t piece, uint32_t first, uint32_t last);
void sass_groups_free(struct sass_groups *groups);

#endif

/* statement.h: what the parts of the linear programme have in common. Private to sass/. Everything is for one warp of the kernel. */
#ifndef SASS_STATEMENT_H
#define SASS_STATEMENT_H

#include "gpu/sass/groups.h"
#include "gpu/sass/programme.h"

struct statement {
    const struct sass_graph *graph;
    const struct sass_copy *copies;
    const struct sass_line *lines;
    uint32_t line_count;
    double warps;
    bool splits; /* some warp went both ways somewhere */
    struct sass_groups groups;
    struct programme programme;
};

/* Columns: how often each block runs; each edge is gone; and for each block, how often a warp splits at its end, or has
 * paths of it become one. */
static inline uint32_t block_column(uint32_t block) {
    return block;
}
static inline uint32_t edge_column(const struct sass_graph *graph, uint32_t edge) {
    return graph->block_count + edge;
}
static inline uint32_t paths_column(const struct sass_graph *graph, uint32_t block) {
    return graph->block_count + graph->edge_count + block;
}

/* The PTX line of the instruction that a block ends with; NULL: not known. */
static inline const struct sass_line *last_line(const struct statement *statement, uint32_t block) {
    uint32_t line = statement->copies[statement->graph->blocks[block].end - 1].line;
    return line > 0 && line < statement->line_count && statement->lines[line].known ? &statement->lines[line]
                                                                                    : NULL;
}

/* unrolled.c: of the pieces that every trip of a PTX loop runs, whose branch back it is, the one that most copies are seen of:
 * of others the compiler made less. */
uint32_t statement_piece(const struct statement *statement, const struct sass_line *back);
/* paths.c: what warps that split may do. */
bool state_paths(struct statement *statement);
/* paths.c: how often the routines for unusual operands are called. False: out of memory. */
bool state_slow_ways(struct statement *statement);
/* unrolled.c: how often the copies of a loop that was unrolled ran. False: out of memory. */
bool state_unrolled(struct statement *statement);

#endif

/* statement.h: what the parts of the linear programme have in common. Private to sass/. Everything is for one warp of the kernel. */
#ifndef SASS_STATEMENT_H
#define SASS_STATEMENT_H

#include "gpu/sass/executions.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- groups.c: what the lines of the PTX say of blocks: a line with so many copies in these blocks ran so
 * often in all of them together. Lines that say the same of the same blocks are one group. */
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

/* ---- programme.c: a linear programme, stated row by row and solved by GLPK's simplex method. All columns are
 * at least 0; the sum of their costs is minimised. A programme that is too large is not stated, and
 * programme_solve reports it. */
struct programme_column {
    double cost;
    bool zero; /* it can be nothing else */
};

enum programme_bound { PROGRAMME_EQUAL, PROGRAMME_AT_MOST };

struct programme_row {
    double right;  /* hand side */
    uint8_t bound; /* enum programme_bound */
};

struct programme_term {
    uint32_t row, column;
    double value;
};

struct programme {
    uint32_t column_count, row_count, term_count;
    uint32_t column_room, row_room, term_room;
    struct programme_column *columns;
    struct programme_row *rows;
    struct programme_term *terms;
    bool too_large, no_memory;
};

/* Columns and rows are numbered from 0. */
uint32_t programme_column(struct programme *programme, double cost);
/* That column is 0. */
void programme_zero(struct programme *programme, uint32_t column);
uint32_t programme_row(struct programme *programme, enum programme_bound bound, double right);
/* To the row of that number; no column twice in a row. */
void programme_term(struct programme *programme, uint32_t row, uint32_t column, double value);
/* Add to the row what it may be short of or in excess of its right hand side, at so much for each. */
void programme_short(struct programme *programme, uint32_t row, double cost);
void programme_excess(struct programme *programme, uint32_t row, double cost);
/* The first `count` columns' values. False and a one-line message when there is no solution within the bounds. The same
 * input gives the same output to the bit. */
bool programme_solve(const struct programme *programme, double *values, uint32_t count, char *error,
                     size_t error_size);
void programme_free(struct programme *programme);

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

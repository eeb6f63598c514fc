/* statement.h: what the parts of the linear programme share. All numbers are per warp of the kernel. Private to sass/. */
#pragma once

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
    double runs;          /* executions */
    double less, greater; /* cost of each execution by which the copies' sum is too small, too large */
    uint32_t merged;      /* the lines' number in sass_line */
};

/* The number of copies that most lines of a piece of PTX have in a block. */
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
/* The index in `usual` of the first entry of this piece, or of a later one. */
uint32_t sass_groups_usual(const struct sass_groups *groups, uint32_t piece);
/* Copies of a piece of PTX in blocks [first, last]: those into which a loop there was unrolled. */
uint32_t sass_groups_copies(const struct sass_groups *groups, uint32_t piece, uint32_t first, uint32_t last);
void sass_groups_free(struct sass_groups *groups);

/* ---- programme.c: a linear programme, stated row by row and solved by GLPK's simplex method. All columns are
 * at least 0; the sum of their costs is minimised. A programme that is too large is not stated, and
 * programme_solve reports it. */
struct programme_column {
    double cost;
    bool zero; /* its value is 0 */
};

enum programme_bound { PROGRAMME_EQUAL, PROGRAMME_AT_MOST };

struct programme_row {
    double right;  /* right hand side */
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
/* Fixes a column at 0. */
void programme_zero(struct programme *programme, uint32_t column);
uint32_t programme_row(struct programme *programme, enum programme_bound bound, double right);
/* Adds a term to a row; no column may come twice in a row. */
void programme_term(struct programme *programme, uint32_t row, uint32_t column, double value);
/* Lets a row fall short of its right hand side, or exceed it, at so much a unit. */
void programme_short(struct programme *programme, uint32_t row, double cost);
void programme_excess(struct programme *programme, uint32_t row, double cost);
/* Finds the values of the first `count` columns. False and a one-line message: no solution within the bounds. The same
 * input gives the same output to the bit. solved: programmes with their solutions, to which this one is added; may be NULL. */
bool programme_solve(const struct programme *programme, struct memo *solved, double *values, uint32_t count,
                     char *error, size_t error_size);
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

/* Columns: executions of each block; traversals of each edge; for each block, splits of a warp, or reconvergences, at
 * its end. */
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

/* unrolled.c: the piece with most copies, of those that every trip of a PTX loop executes; `back`: the loop's backward
 * branch. */
uint32_t statement_piece(const struct statement *statement, const struct sass_line *back);
/* paths.c: states what warps that split may do. */
bool state_paths(struct statement *statement);
/* paths.c: states the calls of routines for unusual operands. False: out of memory. */
bool state_slow_paths(struct statement *statement);
/* unrolled.c: states the executions of the copies of unrolled loops. False: out of memory. */
bool state_unrolled(struct statement *statement);

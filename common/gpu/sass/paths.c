/* paths.c: warps whose threads go both ways, and meet again. */
#include "gpu/sass/statement.h"

#include <stdlib.h>

/* What it costs that threads which were marked do not come out of where they meet, or more come than were marked; that a
 * branch splits warps less often than its line of the PTX, or more often. */
static const double lost_cost = 0.05, stranger_cost = 0.5, unsplit_cost = 0.03, oversplit_cost = 0.5;
/* That a routine is called more or less often than unusual operands were met. */
static const double routine_cost = 8;

/* No edge is traversed more often than its block is executed. */
static void state_ways(struct statement *statement) {
    const struct sass_graph *graph = statement->graph;
    for (uint32_t e = 0; e < graph->edge_count; e++) {
        if (!graph->blocks[graph->edges[e].from].splits)
            continue;
        uint32_t row = programme_row(&statement->programme, PROGRAMME_AT_MOST, 0);
        programme_term(&statement->programme, row, edge_column(graph, e), 1);
        programme_term(&statement->programme, row, block_column(graph->edges[e].from), -1);
    }
}

/* Threads that pass a mark together come out of the place where they meet as one. */
static void state_meetings(struct statement *statement) {
    const struct sass_graph *graph = statement->graph;
    struct programme *programme = &statement->programme;
    for (uint32_t i = 0, end; i < graph->mark_count; i = end) {
        uint32_t to = graph->marks[i].to, row = programme_row(programme, PROGRAMME_EQUAL, 0);
        double out = 1; /* of the block's own runs */
        for (end = i; end < graph->mark_count && graph->marks[end].to == to; end++) {
            uint32_t from = graph->marks[end].from;
            bool again = end > i && graph->marks[end - 1].from == from;
            if (from == to)
                out -= 1;
            else if (!again)
                programme_term(programme, row, block_column(from), -1);
        }
        if (out != 0)
            programme_term(programme, row, block_column(to), out);
        programme_term(programme, row, paths_column(graph, to), -1);
        programme_short(programme, row, lost_cost);
        programme_excess(programme, row, stranger_cost);
    }
}

/* A conditional branch of the machine code, by its line. */
struct branch {
    uint32_t line, block;
};

static int by_line(const void *left, const void *right) {
    const struct branch *a = left, *b = right;
    int order = (a->line > b->line) - (a->line < b->line);
    return order ? order : (a->block > b->block) - (a->block < b->block);
}

/* A warp splits where the PTX says so. */
static void state_splits(struct statement *statement, const struct branch *branches, uint32_t count) {
    const struct sass_graph *graph = statement->graph;
    struct programme *programme = &statement->programme;
    for (uint32_t i = 0, end; i < count; i = end) {
        const struct sass_line *line = &statement->lines[branches[i].line];
        uint32_t row = programme_row(programme, PROGRAMME_EQUAL, (double)line->splits / statement->warps);
        for (end = i; end < count && branches[end].line == branches[i].line; end++)
            programme_term(programme, row, paths_column(graph, branches[end].block), 1);
        programme_short(programme, row, unsplit_cost);
        programme_excess(programme, row, oversplit_cost);
    }
}

/* Hardly ever do all threads of a warp need the routine: those that do not go on to where they all meet. */
static void state_partings(struct statement *statement, uint32_t block) {
    const struct sass_graph *graph = statement->graph;
    struct programme *programme = &statement->programme;
    if (!statement->splits || block == 0 || !graph->blocks[block - 1].splits)
        return;
    uint32_t row = programme_row(programme, PROGRAMME_EQUAL, 0);
    programme_term(programme, row, paths_column(graph, block - 1), 1);
    programme_term(programme, row, block_column(block), -1);
    programme_short(programme, row, unsplit_cost);
    programme_excess(programme, row, oversplit_cost);
}

/* A routine is called as often as operands ask for it. */
static void state_routines(struct statement *statement, const struct branch *calls, uint32_t count) {
    struct programme *programme = &statement->programme;
    for (uint32_t i = 0, end; i < count; i = end) {
        const struct sass_line *line = &statement->lines[calls[i].line];
        uint32_t row = programme_row(programme, PROGRAMME_EQUAL, (double)line->slow / statement->warps);
        for (end = i; end < count && calls[end].line == calls[i].line; end++)
            programme_term(programme, row, block_column(calls[end].block), 1);
        for (uint32_t k = i; k < end; k++)
            state_partings(statement, calls[k].block);
        programme_short(programme, row, routine_cost);
        programme_excess(programme, row, routine_cost);
    }
}

bool state_slow_paths(struct statement *statement) {
    const struct sass_graph *graph = statement->graph;
    struct branch *calls = calloc(graph->block_count, sizeof *calls);
    uint32_t count = 0;
    if (calls == NULL)
        return false;
    for (uint32_t i = 0; i < graph->block_count; i++) {
        const struct sass_line *line = last_line(statement, i);
        if (sass_block_calls(graph, i) && line != NULL && line->may_be_slow)
            calls[count++] = (struct branch){(uint32_t)(line - statement->lines), i};
    }
    qsort(calls, count, sizeof *calls, by_line);
    state_routines(statement, calls, count);
    free(calls);
    return true;
}

bool state_paths(struct statement *statement) {
    const struct sass_graph *graph = statement->graph;
    if (!statement->splits)
        return true;
    struct branch *branches = calloc(graph->block_count, sizeof *branches);
    uint32_t count = 0;
    if (branches == NULL)
        return false;
    for (uint32_t i = 0; i < graph->block_count; i++) {
        const struct sass_line *line = last_line(statement, i);
        if (graph->blocks[i].splits && line != NULL && line->work == SASS_WORK_CONTROL)
            branches[count++] = (struct branch){(uint32_t)(line - statement->lines), i};
    }
    qsort(branches, count, sizeof *branches, by_line);
    state_ways(statement);
    state_meetings(statement);
    state_splits(statement, branches, count);
    free(branches);
    return true;
}

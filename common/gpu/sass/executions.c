/* executions.c: what is known of a kernel's flow, stated as a linear programme, and its solution. */
#include "gpu/sass/executions.h"

#include "gpu/sass/statement.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* What breaks ties, small beside any line: code that runs without need; paths of a warp that split or meet. */
static const double instruction_cost = 1e-4, split_cost = 1e-2, meeting_cost = 1e-2, trip_cost = 5,
                    entry_cost = 0.5, likely_entry_cost = 0.02;
/* Of the solver: executions for each warp that are none. */
static const double precision = 1e-9;
/* That a warp never ends: its last instruction may be in a function. */
static const double endless_cost = 100;
/* That a line without an instruction was not merged into a like one, but left out, as integers often are. */
static const double unmerged_cost = 0.05, unmerged_integer_cost = 1e-3;

static void add_columns(struct statement *statement) {
    const struct sass_graph *graph = statement->graph;
    struct programme *programme = &statement->programme;
    for (uint32_t i = 0; i < graph->block_count; i++) {
        const struct sass_block *block = &graph->blocks[i];
        programme_column(programme, instruction_cost * (block->end - block->first));
        if (!block->reached)
            programme_zero(programme, block_column(i));
    }
    for (uint32_t e = 0; e < graph->edge_count; e++)
        programme_column(programme, 0);
    for (uint32_t i = 0; i < graph->block_count; i++) {
        const struct sass_block *block = &graph->blocks[i];
        programme_column(programme, block->splits ? split_cost : meeting_cost);
        if (!statement->splits || !(block->splits || block->reconverges))
            programme_zero(programme, paths_column(graph, i));
    }
}

/* What enters a block runs it. */
static void state_entering(struct statement *statement) {
    const struct sass_graph *graph = statement->graph;
    struct programme *programme = &statement->programme;
    uint32_t first = 0;
    for (uint32_t i = 0; i < graph->block_count; i++) {
        uint32_t row = programme_row(programme, PROGRAMME_EQUAL, i == 0 ? 1 : 0);
        first = i == 0 ? row : first;
        programme_term(programme, row, block_column(i), 1);
    }
    for (uint32_t e = 0; e < graph->edge_count; e++)
        if (graph->edges[e].to != SASS_NOWHERE)
            programme_term(programme, first + graph->edges[e].to, edge_column(graph, e), -1);
}

/* What runs a block leaves it, and once more where a warp splits, less where paths meet. What a call enters comes back. */
static void state_leaving(struct statement *statement) {
    const struct sass_graph *graph = statement->graph;
    struct programme *programme = &statement->programme;
    for (uint32_t i = 0; i < graph->block_count; i++) {
        const struct sass_block *block = &graph->blocks[i];
        uint32_t row = programme_row(programme, PROGRAMME_EQUAL, 0), calls = 0;
        programme_term(programme, row, block_column(i), -1);
        for (uint32_t e = block->first_edge; e < block->first_edge + block->edge_count; e++) {
            if (graph->edges[e].kind == SASS_EDGE_CALL)
                calls++;
            else
                programme_term(programme, row, edge_column(graph, e), 1);
        }
        if (block->splits || block->reconverges)
            programme_term(programme, row, paths_column(graph, i), block->splits ? -1 : 1);
        if (calls == 0)
            continue;
        row = programme_row(programme, PROGRAMME_EQUAL, 0);
        programme_term(programme, row, block_column(i), -1);
        for (uint32_t e = block->first_edge; e < block->first_edge + block->edge_count; e++)
            if (graph->edges[e].kind == SASS_EDGE_CALL)
                programme_term(programme, row, edge_column(graph, e), 1);
    }
}

/* Every warp ends, at least once: threads of it may do so apart. */
static void state_ending(struct statement *statement) {
    const struct sass_graph *graph = statement->graph;
    struct programme *programme = &statement->programme;
    uint32_t row = programme_row(programme, PROGRAMME_AT_MOST, -1);
    for (uint32_t e = 0; e < graph->edge_count; e++)
        if (graph->edges[e].kind == SASS_EDGE_LEAVE && !graph->blocks[graph->edges[e].from].subroutine)
            programme_term(programme, row, edge_column(graph, e), -1);
    programme_excess(programme, row, endless_cost);
}

/* Executions of lines that were merged into like ones: a row for each of their numbers from 1, the first of which is
 * returned. What the instructions of these ran more often than their own lines adds up to it. */
static uint32_t state_merged(struct statement *statement) {
    struct programme *programme = &statement->programme;
    uint32_t most = 0, first = programme->row_count;
    for (uint32_t i = 0; i < statement->line_count; i++)
        most = statement->lines[i].merged > most ? statement->lines[i].merged : most;
    for (uint32_t number = 1; number <= most; number++)
        programme_row(programme, PROGRAMME_EQUAL, 0);
    for (uint32_t i = 0; i < statement->line_count && programme->row_count == first + most; i++) {
        const struct sass_line *line = &statement->lines[i];
        uint32_t row = first + line->merged - 1;
        if (!line->lost)
            continue;
        if (programme->rows[row].right == 0) /* the first of its number, all of which do like work */
            programme_short(programme, row,
                            line->work < SASS_WORK_FLOAT ? unmerged_integer_cost : unmerged_cost);
        programme->rows[row].right += (double)line->runs / statement->warps;
    }
    return first;
}

static void state_groups(struct statement *statement) {
    const struct sass_groups *groups = &statement->groups;
    struct programme *programme = &statement->programme;
    uint32_t merged = state_merged(statement);
    for (uint32_t g = 0; g < groups->count; g++) {
        const struct sass_group *group = &groups->groups[g];
        uint32_t row = programme_row(programme, PROGRAMME_EQUAL, group->runs);
        for (uint32_t t = group->first_term; t < group->first_term + group->term_count; t++)
            programme_term(programme, row, block_column(groups->terms[t].block), groups->terms[t].copies);
        if (group->merged != 0) {
            uint32_t more = programme_column(programme, 0);
            programme_term(programme, row, more, -1);
            programme_term(programme, merged + group->merged - 1, more, 1);
        }
        programme_short(programme, row, group->less);
        programme_excess(programme, row, group->greater);
    }
}

/*
 * A loop of the machine code whose branch back is one of the PTX's: its blocks are [head, last]. Entered once, it runs no
 * more often than the PTX's loop, whose trips it makes several at a time. Without that, flow could go round in a loop that
 * nothing enters.
 */
static void state_loop(struct statement *statement, uint32_t head, uint32_t last, double most) {
    const struct sass_graph *graph = statement->graph;
    struct programme *programme = &statement->programme;
    uint32_t row = programme_row(programme, PROGRAMME_AT_MOST, head == 0 ? most : 0);
    programme_term(programme, row, block_column(last), 1);
    for (uint32_t e = 0; most > 0 && e < graph->edge_count; e++) {
        const struct sass_edge *edge = &graph->edges[e];
        if (edge->to == head && (edge->from < head || edge->from > last))
            programme_term(programme, row, edge_column(graph, e), -most);
    }
    programme_excess(programme, row, trip_cost);
}

/* Loops that the compiler left as they are are entered as often as the PTX's; of one that makes several trips at a time it is
 * likely that all that are many trips long go there, once each. */
static void state_entries(struct statement *statement, const struct sass_edge *back,
                          const struct sass_line *line, uint32_t piece, uint32_t copies) {
    const struct sass_graph *graph = statement->graph;
    struct programme *programme = &statement->programme;
    const struct loop_trips *trips = line->loop;
    uint32_t head = back->to, last = back->from;
    bool only = sass_groups_copies(&statement->groups, piece, 0, graph->block_count) <= 1;
    uint32_t power = 0;
    while (power < LOOP_POWERS && 1U << power != copies)
        power++;
    if (head == 0 || trips == NULL || trips->entries == 0 || (!only && (copies <= 1 || power == LOOP_POWERS)))
        return;
    double entries = (double)(only ? trips->entries : trips->some[power]);
    uint32_t row = programme_row(programme, PROGRAMME_EQUAL, entries / statement->warps);
    for (uint32_t e = 0; e < graph->edge_count; e++)
        if (graph->edges[e].to == head && (graph->edges[e].from < head || graph->edges[e].from > last))
            programme_term(programme, row, edge_column(graph, e), 1);
    programme_short(programme, row, only ? entry_cost : likely_entry_cost);
    programme_excess(programme, row, only ? entry_cost : 0);
}

static void state_loops(struct statement *statement) {
    const struct sass_graph *graph = statement->graph;
    for (uint32_t e = 0; e < graph->edge_count; e++) {
        const struct sass_edge *edge = &graph->edges[e];
        const struct sass_block *block = &graph->blocks[edge->from];
        if (edge->kind != SASS_EDGE_TAKEN || edge->to > edge->from || !block->reached)
            continue;
        const struct sass_line *line = last_line(statement, edge->from);
        if (line == NULL || line->trips <= 0)
            continue;
        uint32_t piece = line->loop != NULL ? statement_piece(statement, line) : line->piece;
        uint32_t unrolled = sass_groups_copies(&statement->groups, piece, edge->to, edge->from);
        state_entries(statement, edge, line, piece, unrolled);
        double most = line->trips / (unrolled ? unrolled : 1);
        if (unrolled && line->trips == floor(line->trips))
            most = floor(most);
        state_loop(statement, edge->to, edge->from, most);
    }
}

static bool state(struct statement *statement) {
    add_columns(statement);
    state_entering(statement);
    state_leaving(statement);
    state_ending(statement);
    if (!state_unrolled(statement)) /* it corrects what the groups say */
        return false;
    state_groups(statement);
    state_loops(statement);
    return state_slow_paths(statement) && state_paths(statement);
}

bool sass_solve_executions(const struct sass_graph *graph, const struct sass_copy *copies,
                           const struct sass_line *lines, uint32_t line_count, uint64_t warps,
                           struct memo *solved, double *runs, double *traversals, char *error,
                           size_t error_size) {
    struct statement statement = {
        .graph = graph, .copies = copies, .lines = lines, .line_count = line_count, .warps = (double)warps};
    uint32_t flows = graph->block_count + graph->edge_count;
    double *values = calloc(flows, sizeof *values); /* columns: blocks, then edges */
    for (uint32_t i = 0; i < line_count; i++)
        statement.splits |= lines[i].splits > 0 || lines[i].slow > 0;
    bool memory =
        values != NULL && sass_groups_build(&statement.groups, graph, copies, lines, line_count, warps);
    bool tied = memory && statement.groups.count > 0;
    memory = memory && (!tied || state(&statement));
    if (!memory || !tied)
        snprintf(error, error_size, "machine code: %s",
                 memory ? "no line of its PTX is in its table of lines" : "out of memory");
    bool right =
        memory && tied && programme_solve(&statement.programme, solved, values, flows, error, error_size);
    for (uint32_t i = 0; right && i < flows; i++)
        *(i < graph->block_count ? &runs[i] : &traversals[i - graph->block_count]) =
            values[i] > precision ? values[i] * (double)warps : 0;
    programme_free(&statement.programme);
    sass_groups_free(&statement.groups);
    free(values);
    return right;
}

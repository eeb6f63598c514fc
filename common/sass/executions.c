/* executions.c: the linear programme. Everything is for one warp of the kernel: its start is entered once. Variables: how
 * often each block runs, each edge is gone, a warp splits at a conditional branch, paths become one at a meeting, and how
 * far each group of lines is off, below and above. */
#include "sass/executions.h"

#include "sass/groups.h"

#include <glpk.h>
#include <math.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What breaks ties, small beside any line: code that runs without need; paths of a warp that split or meet. */
static const double instruction_cost = 1e-4, split_cost = 1e-2, meeting_cost = 1e-2, trip_cost = 0.05;
enum { MAX_ROWS = 20000, MAX_TERMS = 400000, MAX_ITERATIONS = 20000 };

/* The matrix, term by term; GLPK counts rows and columns from 1. */
struct programme {
    glp_prob *problem;
    int terms;
    int *row, *column;
    double *value;
};

static void add_term(struct programme *programme, int row, int column, double value) {
    int at = ++programme->terms;
    programme->row[at] = row;
    programme->column[at] = column;
    programme->value[at] = value;
}

/* Columns: blocks; then edges; then, for each block, splits or meetings; then pairs for the groups. */
static int block_column(uint32_t block) {
    return 1 + (int)block;
}
static int edge_column(const struct sass_graph *graph, uint32_t edge) {
    return 1 + (int)(graph->block_count + edge);
}
static int paths_column(const struct sass_graph *graph, uint32_t block) {
    return 1 + (int)(graph->block_count + graph->edge_count + block);
}
static int group_column(const struct sass_graph *graph, uint32_t group) {
    return 1 + (int)(2 * graph->block_count + graph->edge_count + 2 * group);
}

/* What enters a block runs it. Rows 1 .. blocks. */
static void add_entering(struct programme *programme, const struct sass_graph *graph) {
    for (uint32_t i = 0; i < graph->block_count; i++) {
        double start = i == 0 ? 1 : 0;
        add_term(programme, 1 + (int)i, block_column(i), 1);
        glp_set_row_bnds(programme->problem, 1 + (int)i, GLP_FX, start, start);
    }
    for (uint32_t e = 0; e < graph->edge_count; e++)
        if (graph->edges[e].to != SASS_NOWHERE)
            add_term(programme, 1 + (int)graph->edges[e].to, edge_column(graph, e), -1);
}

/* What runs a block leaves it, and once more where a warp splits, less where paths meet. What a call enters comes back. */
static void add_leaving(struct programme *programme, const struct sass_graph *graph, bool splits) {
    for (uint32_t i = 0; i < graph->block_count; i++) {
        const struct sass_block *block = &graph->blocks[i];
        int row = 1 + (int)(graph->block_count + i), call_row = 1 + (int)(2 * graph->block_count + i);
        bool calls = false;
        add_term(programme, row, block_column(i), -1);
        for (uint32_t e = block->first_edge; e < block->first_edge + block->edge_count; e++) {
            if (graph->edges[e].kind == SASS_EDGE_CALL) {
                calls = true;
                add_term(programme, call_row, edge_column(graph, e), 1);
            } else {
                add_term(programme, row, edge_column(graph, e), 1);
            }
        }
        if (calls)
            add_term(programme, call_row, block_column(i), -1);
        bool paths = splits && (block->splits || block->meets);
        if (paths)
            add_term(programme, row, paths_column(graph, i), block->splits ? -1 : 1);
        glp_set_row_bnds(programme->problem, row, GLP_FX, 0, 0);
        glp_set_row_bnds(programme->problem, call_row, GLP_FX, 0, 0);
        glp_set_col_bnds(programme->problem, paths_column(graph, i), paths ? GLP_LO : GLP_FX, 0, 0);
        glp_set_obj_coef(programme->problem, paths_column(graph, i),
                         block->splits ? split_cost : meeting_cost);
    }
}

static void add_groups(struct programme *programme, const struct sass_graph *graph,
                       const struct sass_groups *groups) {
    for (uint32_t g = 0; g < groups->count; g++) {
        const struct sass_group *group = &groups->groups[g];
        int row = 1 + (int)(3 * graph->block_count + g), below = group_column(graph, g);
        for (uint32_t t = group->first_term; t < group->first_term + group->term_count; t++)
            add_term(programme, row, block_column(groups->terms[t].block), groups->terms[t].copies);
        add_term(programme, row, below, 1);
        add_term(programme, row, below + 1, -1);
        glp_set_row_bnds(programme->problem, row, GLP_FX, group->runs, group->runs);
        glp_set_col_bnds(programme->problem, below, GLP_LO, 0, 0);
        glp_set_col_bnds(programme->problem, below + 1, GLP_LO, 0, 0);
        glp_set_obj_coef(programme->problem, below, group->less);
        glp_set_obj_coef(programme->problem, below + 1, group->greater);
    }
}

/* A loop of the machine code whose branch back is one of the PTX's: its blocks are [head, last]. Entered once, it runs no
 * more often than the PTX's loop, whose trips it makes several at a time. Without that, flow could go round in a loop that
 * nothing enters. */
struct loop {
    uint32_t head, last;
    double most; /* trips each time */
};

static uint32_t find_loops(const struct sass_graph *graph, const struct sass_groups *groups,
                           const struct sass_copy *copies, const struct sass_line *lines, uint32_t line_count,
                           struct loop *loops) {
    uint32_t count = 0;
    for (uint32_t e = 0; e < graph->edge_count; e++) {
        const struct sass_edge *edge = &graph->edges[e];
        const struct sass_block *block = &graph->blocks[edge->from];
        if (edge->kind != SASS_EDGE_TAKEN || edge->to > edge->from || !block->reached || block->subroutine)
            continue;
        uint32_t line = copies[block->end - 1].line;
        if (line >= line_count || lines[line].trips <= 0)
            continue;
        uint32_t unrolled = sass_groups_copies(groups, lines[line].piece, edge->to, edge->from);
        double trips = lines[line].trips, most = trips / (unrolled ? unrolled : 1);
        if (unrolled && trips == floor(trips))
            most = floor(most);
        loops[count++] = (struct loop){edge->to, edge->from, most};
    }
    return count;
}

/* Rows behind those of the groups; the columns behind theirs are how far a loop is above its trips. */
static void add_loops(struct programme *programme, const struct sass_graph *graph, uint32_t group_count,
                      const struct loop *loops, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        int row = 1 + (int)(3 * graph->block_count + group_count + i);
        int above = group_column(graph, group_count) + (int)i;
        add_term(programme, row, block_column(loops[i].last), 1);
        add_term(programme, row, above, -1);
        for (uint32_t e = 0; loops[i].most > 0 && e < graph->edge_count; e++) {
            const struct sass_edge *edge = &graph->edges[e];
            if (edge->to == loops[i].head && (edge->from < loops[i].head || edge->from > loops[i].last))
                add_term(programme, row, edge_column(graph, e), -loops[i].most);
        }
        double start = loops[i].head == 0 ? loops[i].most : 0;
        glp_set_row_bnds(programme->problem, row, GLP_UP, 0, start);
        glp_set_col_bnds(programme->problem, above, GLP_LO, 0, 0);
        glp_set_obj_coef(programme->problem, above, trip_cost);
    }
}

/* All that is known. */
struct known {
    const struct sass_graph *graph;
    struct sass_groups groups;
    struct loop *loops;
    uint32_t loop_count;
    bool splits; /* some warp went both ways somewhere */
};

static void state(struct programme *programme, const struct known *known) {
    const struct sass_graph *graph = known->graph;
    uint32_t group_count = known->groups.count;
    glp_prob *problem = programme->problem;
    glp_set_obj_dir(problem, GLP_MIN);
    glp_add_rows(problem, (int)(3 * graph->block_count + group_count + known->loop_count));
    glp_add_cols(problem,
                 (int)(2 * graph->block_count + graph->edge_count + 2 * group_count + known->loop_count));
    for (uint32_t i = 0; i < graph->block_count; i++) {
        const struct sass_block *block = &graph->blocks[i];
        glp_set_col_bnds(problem, block_column(i), block->reached ? GLP_LO : GLP_FX, 0, 0);
        glp_set_obj_coef(problem, block_column(i), instruction_cost * (block->end - block->first));
    }
    for (uint32_t e = 0; e < graph->edge_count; e++)
        glp_set_col_bnds(problem, edge_column(graph, e), GLP_LO, 0, 0);
    add_entering(programme, graph);
    add_leaving(programme, graph, known->splits);
    add_groups(programme, graph, &known->groups);
    add_loops(programme, graph, group_count, known->loops, known->loop_count);
    glp_load_matrix(problem, programme->terms, programme->row, programme->column, programme->value);
}

/* What GLPK does when it cannot go on: it would end the process. */
static void give_up(void *context) {
    longjmp(*(jmp_buf *)context, 1);
}

static bool solve(struct programme *programme, const struct known *known, double *runs) {
    jmp_buf out;
    glp_term_out(GLP_OFF);
    if (setjmp(out)) {
        glp_error_hook(NULL, NULL);
        glp_free_env(); /* and with it the problem */
        return false;
    }
    glp_error_hook(give_up, &out);
    programme->problem = glp_create_prob();
    state(programme, known);
    glp_smcp how;
    glp_init_smcp(&how);
    how.presolve = GLP_ON;
    how.it_lim = MAX_ITERATIONS; /* not a limit of time: the result must not depend on the machine */
    bool right = glp_simplex(programme->problem, &how) == 0 && glp_get_status(programme->problem) == GLP_OPT;
    for (uint32_t i = 0; right && i < known->graph->block_count; i++)
        runs[i] = glp_get_col_prim(programme->problem, block_column(i));
    glp_delete_prob(programme->problem);
    glp_error_hook(NULL, NULL);
    return right;
}

static bool solve_known(const struct known *known, double *runs, char *error, size_t error_size) {
    const struct sass_graph *graph = known->graph;
    const struct sass_groups *groups = &known->groups;
    uint64_t loop_terms = known->loop_count * (uint64_t)(graph->edge_count + 2);
    uint64_t terms = 6 * (uint64_t)graph->block_count + 3 * (uint64_t)graph->edge_count + groups->term_count +
                     2 * (uint64_t)groups->count + loop_terms + 1;
    if (3 * (uint64_t)graph->block_count + groups->count > MAX_ROWS || terms > MAX_TERMS) {
        snprintf(error, error_size, "machine code: its flow is too large (%u blocks)", graph->block_count);
        return false;
    }
    struct programme programme = {.row = calloc(terms, sizeof *programme.row),
                                  .column = calloc(terms, sizeof *programme.column),
                                  .value = calloc(terms, sizeof *programme.value)};
    bool memory = programme.row != NULL && programme.column != NULL && programme.value != NULL;
    bool right = memory && solve(&programme, known, runs);
    if (!right)
        snprintf(error, error_size, "machine code: %s",
                 memory ? "its executions are not found" : "out of memory");
    free(programme.row);
    free(programme.column);
    free(programme.value);
    return right;
}

bool sass_solve_executions(const struct sass_graph *graph, const struct sass_copy *copies,
                           const struct sass_line *lines, uint32_t line_count, uint64_t warps, double *runs,
                           char *error, size_t error_size) {
    struct known known = {.graph = graph, .loops = calloc(graph->edge_count + 1u, sizeof *known.loops)};
    bool memory =
        known.loops != NULL && sass_groups_build(&known.groups, graph, copies, lines, line_count, warps);
    bool right = memory && known.groups.count > 0;
    if (!right)
        snprintf(error, error_size, "machine code: %s",
                 memory ? "no line of its PTX is in its table of lines" : "out of memory");
    if (right) {
        for (uint32_t i = 0; i < line_count; i++)
            known.splits |= lines[i].splits > 0;
        known.loop_count = find_loops(graph, &known.groups, copies, lines, line_count, known.loops);
        right = solve_known(&known, runs, error, error_size);
    }
    for (uint32_t i = 0; right && i < graph->block_count; i++)
        runs[i] = runs[i] > 0 ? runs[i] * (double)warps : 0;
    sass_groups_free(&known.groups);
    free(known.loops);
    return right;
}

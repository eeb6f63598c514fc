/* graph.c: basic blocks and edges. */
#include "gpu/sass/graph.h"

#include <stdlib.h>
#include <string.h>

static bool ends_block(const struct sass_step *step) {
    return step->kind != SASS_STEP_NEXT && step->kind != SASS_STEP_MARK && step->kind != SASS_STEP_CALL_FAR;
}

static bool goes_on(const struct sass_step *step) {
    switch ((enum sass_step_kind)step->kind) {
    case SASS_STEP_NEXT:
    case SASS_STEP_MARK:
    case SASS_STEP_RECONVERGE:
    case SASS_STEP_CALL:
    case SASS_STEP_CALL_FAR: return true;
    default: return step->guarded;
    }
}

/* Where blocks begin: at the start, at targets, after what ends one. */
static void mark_leaders(const struct sass_step *steps, uint32_t count, const struct sass_jump *jumps,
                         uint32_t jump_count, bool *leads) {
    leads[0] = true;
    for (uint32_t i = 0; i < count; i++) {
        if (steps[i].target < count && steps[i].kind != SASS_STEP_NEXT)
            leads[steps[i].target] = true;
        if (ends_block(&steps[i]) && i + 1 < count)
            leads[i + 1] = true;
    }
    for (uint32_t i = 0; i < jump_count; i++)
        if (jumps[i].to < count)
            leads[jumps[i].to] = true;
}

static void add_edge(struct sass_graph *graph, uint32_t from, uint32_t to, enum sass_edge_kind kind) {
    graph->edges[graph->edge_count++] = (struct sass_edge){from, to, (uint8_t)kind};
    graph->blocks[from].edge_count++;
}

static uint32_t block_at(const struct sass_graph *graph, uint32_t instruction, uint32_t count) {
    return instruction < count ? graph->block_of[instruction] : SASS_NOWHERE;
}

static void add_edges(struct sass_graph *graph, uint32_t index, const struct sass_step *steps, uint32_t count,
                      const struct sass_jump *jumps, uint32_t jump_count) {
    struct sass_block *block = &graph->blocks[index];
    const struct sass_step *last = &steps[block->end - 1];
    block->first_edge = graph->edge_count;
    switch ((enum sass_step_kind)last->kind) {
    case SASS_STEP_BRANCH:
        add_edge(graph, index, block_at(graph, last->target, count), SASS_EDGE_TAKEN);
        block->splits = last->guarded;
        break;
    case SASS_STEP_INDIRECT:
        for (uint32_t i = 0; i < jump_count; i++)
            if (jumps[i].from == block->end - 1)
                add_edge(graph, index, block_at(graph, jumps[i].to, count), SASS_EDGE_TAKEN);
        if (block->edge_count == 0) /* nobody says where to */
            add_edge(graph, index, SASS_NOWHERE, SASS_EDGE_LEAVE);
        block->splits = true;
        break;
    case SASS_STEP_CALL:
        if (last->target != SASS_NOWHERE)
            add_edge(graph, index, block_at(graph, last->target, count), SASS_EDGE_CALL);
        for (uint32_t i = 0; last->target == SASS_NOWHERE && i < jump_count; i++)
            if (jumps[i].from == block->end - 1 && jumps[i].to < count)
                add_edge(graph, index, graph->block_of[jumps[i].to], SASS_EDGE_CALL);
        break;
    case SASS_STEP_RETURN:
    case SASS_STEP_EXIT:
        add_edge(graph, index, SASS_NOWHERE, SASS_EDGE_LEAVE);
        block->splits = last->guarded;
        break;
    case SASS_STEP_RECONVERGE: block->reconverges = true; break;
    default: break;
    }
    if (goes_on(last))
        add_edge(graph, index, block_at(graph, block->end, count), SASS_EDGE_FALL);
}

/* Which blocks paths lead to: without the edges of calls, then with them. */
static bool follow(struct sass_graph *graph) {
    uint32_t *open = calloc(graph->block_count, sizeof *open), depth = 0;
    if (open == NULL)
        return false;
    for (int calls = 0; calls < 2; calls++) {
        for (uint32_t i = 0; i < graph->block_count; i++)
            if (calls ? graph->blocks[i].reached : i == 0) {
                graph->blocks[i].reached = true;
                open[depth++] = i;
            }
        while (depth > 0) {
            const struct sass_block *block = &graph->blocks[open[--depth]];
            for (uint32_t e = block->first_edge; e < block->first_edge + block->edge_count; e++) {
                const struct sass_edge *edge = &graph->edges[e];
                if (edge->to == SASS_NOWHERE || graph->blocks[edge->to].reached ||
                    (edge->kind == SASS_EDGE_CALL && !calls))
                    continue;
                graph->blocks[edge->to].reached = true;
                graph->blocks[edge->to].subroutine = calls;
                open[depth++] = edge->to;
            }
        }
    }
    free(open);
    return true;
}

static int by_meeting(const void *left, const void *right) {
    const struct sass_mark *a = left, *b = right;
    int order = (a->to > b->to) - (a->to < b->to);
    return order ? order : (a->from > b->from) - (a->from < b->from);
}

/* Which marks lead to which meeting. */
static bool find_marks(struct sass_graph *graph, const struct sass_step *steps, uint32_t count) {
    graph->marks = calloc(count, sizeof *graph->marks);
    if (graph->marks == NULL)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t to =
            steps[i].kind == SASS_STEP_MARK ? block_at(graph, steps[i].target, count) : SASS_NOWHERE;
        if (to != SASS_NOWHERE && graph->blocks[to].reconverges)
            graph->marks[graph->mark_count++] = (struct sass_mark){graph->block_of[i], to};
    }
    qsort(graph->marks, graph->mark_count, sizeof *graph->marks, by_meeting);
    return true;
}

bool sass_graph_build(struct sass_graph *graph, const struct sass_step *steps, uint32_t count,
                      const struct sass_jump *jumps, uint32_t jump_count) {
    bool *leads = calloc(count, sizeof *leads);
    *graph = (struct sass_graph){.block_of = calloc(count, sizeof *graph->block_of)};
    bool right = leads != NULL && graph->block_of != NULL;
    if (right) {
        mark_leaders(steps, count, jumps, jump_count, leads);
        for (uint32_t i = 0; i < count; i++)
            graph->block_count += leads[i];
        graph->blocks = calloc(graph->block_count, sizeof *graph->blocks);
        graph->edges = calloc(3 * (size_t)graph->block_count + jump_count, sizeof *graph->edges);
        right = graph->blocks != NULL && graph->edges != NULL;
    }
    if (right) {
        for (uint32_t i = 0, block = 0; i < count; i++) {
            block += leads[i] && i > 0;
            if (leads[i])
                graph->blocks[block].first = i;
            graph->blocks[block].end = i + 1;
            graph->block_of[i] = block;
        }
        for (uint32_t i = 0; i < graph->block_count; i++)
            add_edges(graph, i, steps, count, jumps, jump_count);
        right = find_marks(graph, steps, count) && follow(graph);
    }
    free(leads);
    if (!right)
        sass_graph_free(graph);
    return right;
}

bool sass_block_calls(const struct sass_graph *graph, uint32_t block) {
    const struct sass_block *at = &graph->blocks[block];
    for (uint32_t e = at->first_edge; e < at->first_edge + at->edge_count; e++)
        if (graph->edges[e].kind == SASS_EDGE_CALL)
            return true;
    return false;
}

void sass_graph_free(struct sass_graph *graph) {
    free(graph->blocks);
    free(graph->edges);
    free(graph->marks);
    free(graph->block_of);
    *graph = (struct sass_graph){0};
}

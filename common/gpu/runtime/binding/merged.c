/*
 * merged.c: lines of the PTX that ran and of which no machine instruction is said to be. ptxas makes one instruction of like
 * instructions on paths that exclude each other, such as the two sides of a branch, and its table of lines names one of
 * them: that line's instruction ran as often as all of them together.
 */
#include "gpu/runtime/binding/fill.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Basic blocks of the executed functions. Blocks and edges are numbered through all of them. */
struct flow {
    const struct simt_result *result;
    const struct ptx_module *program;
    uint32_t block_count, edge_count;
    uint32_t *block_of;   /* of each execution */
    uint32_t *first_edge; /* of each block, one more at the end */
    uint32_t *edges;      /* the block that each leads to */
    uint32_t *order; /* blocks that can be reached, each after those to which it leads but by going back */
    uint32_t *place; /* of each block in `order`; block_count: it cannot be reached */
    uint32_t reached;
};

static bool begins_function(const struct simt_result *result, uint32_t i) {
    return i == 0 || result->executions[i].instruction != result->executions[i - 1].instruction + 1;
}

static const struct ptx_function *function_of(const struct ptx_module *program,
                                              const struct ptx_instruction *instruction) {
    for (uint32_t f = 0; f < program->function_count; f++) {
        const struct ptx_function *function = &program->functions[f];
        if (function->instructions != NULL && instruction >= function->instructions &&
            instruction < function->instructions + function->instruction_count)
            return function;
    }
    return NULL;
}

/* The executions to which a branch may jump: targets[0 .. result), counted from its function's first. */
static uint32_t targets_of(const struct flow *flow, const struct ptx_instruction *in,
                           const int32_t **targets) {
    if (in->opcode == PTX_BRA) {
        *targets = &in->target;
        return 1;
    }
    const struct ptx_function *function =
        ptx_nature(in)->control == PTX_CONTROL_BRANCH_TABLE ? function_of(flow->program, in) : NULL;
    if (function == NULL || in->target < 0 || (uint32_t)in->target >= function->table_count)
        return 0;
    *targets = function->tables[in->target].targets;
    return function->tables[in->target].count;
}

static bool goes_on(const struct ptx_instruction *in) {
    return in->guard >= 0 || !(ptx_is_branch(in) || ptx_ends_thread(in));
}

/* Marks the executions with which blocks begin; counts the edges that there are at most. */
static uint32_t find_leaders(const struct flow *flow, bool *leaders) {
    const struct simt_result *result = flow->result;
    uint32_t edges = 0;
    for (uint32_t i = 0, first = 0; i < result->execution_count; i++) {
        const struct ptx_instruction *in = result->executions[i].instruction;
        const int32_t *targets;
        first = begins_function(result, i) ? i : first;
        leaders[i] |= i == first;
        uint32_t count = targets_of(flow, in, &targets);
        for (uint32_t t = 0; t < count; t++)
            if (first + (uint32_t)targets[t] < result->execution_count)
                leaders[first + (uint32_t)targets[t]] = true;
        if (ptx_is_branch(in) || ptx_ends_thread(in))
            leaders[i + 1] = true;
        edges += count;
    }
    return edges;
}

static void find_edges(struct flow *flow) {
    const struct simt_result *result = flow->result;
    for (uint32_t i = 0, first = 0; i < result->execution_count; i++) {
        const struct ptx_instruction *in = result->executions[i].instruction;
        uint32_t block = flow->block_of[i];
        bool last = i + 1 == result->execution_count || begins_function(result, i + 1);
        const int32_t *targets;
        first = begins_function(result, i) ? i : first;
        if (!last && flow->block_of[i + 1] == block)
            continue;
        if (!last && goes_on(in))
            flow->edges[flow->edge_count++] = block + 1;
        uint32_t count = targets_of(flow, in, &targets);
        for (uint32_t t = 0; t < count; t++)
            if (first + (uint32_t)targets[t] < result->execution_count)
                flow->edges[flow->edge_count++] = flow->block_of[first + (uint32_t)targets[t]];
        flow->first_edge[block + 1] = flow->edge_count;
    }
}

/* Depth first from a block; next[]: of each block the edge to take next. */
static void visit(struct flow *flow, uint32_t from, uint32_t *stack, uint32_t *next, bool *seen) {
    uint32_t depth = 0;
    seen[from] = true;
    stack[depth++] = from;
    while (depth > 0) {
        uint32_t block = stack[depth - 1];
        if (next[block] == flow->first_edge[block + 1]) {
            flow->place[block] = flow->reached;
            flow->order[flow->reached++] = block;
            depth--;
            continue;
        }
        uint32_t to = flow->edges[next[block]++];
        if (!seen[to]) {
            seen[to] = true;
            stack[depth++] = to;
        }
    }
}

static bool find_order(struct flow *flow) {
    uint32_t *stack = calloc(flow->block_count + 1u, sizeof *stack);
    uint32_t *next = calloc(flow->block_count + 1u, sizeof *next);
    bool *seen = calloc(flow->block_count + 1u, sizeof *seen);
    bool right = stack != NULL && next != NULL && seen != NULL;
    for (uint32_t b = 0; right && b < flow->block_count; b++) {
        next[b] = flow->first_edge[b];
        flow->place[b] = flow->block_count;
    }
    for (uint32_t i = 0; right && i < flow->result->execution_count; i++)
        if (begins_function(flow->result, i))
            visit(flow, flow->block_of[i], stack, next, seen);
    free(stack);
    free(next);
    free(seen);
    return right;
}

static void free_flow(struct flow *flow) {
    free(flow->block_of);
    free(flow->first_edge);
    free(flow->edges);
    free(flow->order);
    free(flow->place);
}

/* False: out of memory. Free with free_flow. */
static bool build_flow(struct flow *flow, const struct simt_result *result,
                       const struct ptx_module *program) {
    uint32_t count = result->execution_count;
    *flow = (struct flow){.result = result, .program = program};
    bool *leaders = calloc(count + 1u, sizeof *leaders);
    flow->block_of = calloc(count + 1u, sizeof *flow->block_of);
    if (leaders == NULL || flow->block_of == NULL) {
        free(leaders);
        return false;
    }
    uint32_t jumps = find_leaders(flow, leaders);
    for (uint32_t i = 0; i < count; i++) {
        flow->block_count += leaders[i];
        flow->block_of[i] = flow->block_count - 1;
    }
    free(leaders);
    flow->first_edge = calloc(flow->block_count + 2u, sizeof *flow->first_edge);
    flow->edges = calloc((size_t)flow->block_count + jumps + 1, sizeof *flow->edges);
    flow->order = calloc(flow->block_count + 1u, sizeof *flow->order);
    flow->place = calloc(flow->block_count + 1u, sizeof *flow->place);
    if (flow->first_edge == NULL || flow->edges == NULL || flow->order == NULL || flow->place == NULL)
        return false;
    find_edges(flow);
    return find_order(flow);
}

/* Marks the blocks from which `block` is reached, or which it reaches, without going back: no trip of a loop around
 * them executes the block and one that is not marked. */
static void mark_joined(const struct flow *flow, uint32_t block, bool *before, bool *after) {
    uint32_t at = flow->place[block];
    for (uint32_t b = 0; b < flow->block_count; b++)
        before[b] = after[b] = b == block;
    for (uint32_t k = at + 1; k-- > 0;) { /* those that it leads to come earlier */
        uint32_t from = flow->order[k];
        for (uint32_t e = flow->first_edge[from]; after[from] && e < flow->first_edge[from + 1]; e++)
            after[flow->edges[e]] |= flow->place[flow->edges[e]] < k;
    }
    for (uint32_t k = at + 1; k < flow->reached; k++) {
        uint32_t from = flow->order[k];
        for (uint32_t e = flow->first_edge[from]; e < flow->first_edge[from + 1]; e++)
            before[from] |= flow->place[flow->edges[e]] < k && before[flow->edges[e]];
    }
}

/* ---- like instructions */

/* Blocks, edges and lines that are looked at, of all lost lines together: seconds, for code that no compiler writes. */
static const uint64_t MOST_WORK = (uint64_t)1 << 30;

/* An instruction that ran, or of which a machine instruction is. */
struct candidate {
    uint64_t like; /* equal for instructions that may become one */
    uint32_t execution, block, line;
    bool lost; /* it ran, and no machine instruction is said to be of it */
};

static uint64_t like_of(const struct ptx_instruction *in, uint8_t work) {
    uint64_t key = work + 1u;
    switch (work) {
    case SASS_WORK_LOAD:
    case SASS_WORK_STORE:
        return key | (uint64_t)binding_ptx_kind(in) << 8 | (uint64_t)binding_ptx_bytes(in) << 16;
    case SASS_WORK_ATOMIC: return key | (uint64_t)in->form << 8 | (uint64_t)in->space << 16;
    case SASS_WORK_FLOAT:
    case SASS_WORK_DOUBLE:
    case SASS_WORK_BARRIER:
    case SASS_WORK_OTHER: return key; /* one sum may be written in several ways */
    case SASS_WORK_COMPLEX:
    case SASS_WORK_SHUFFLE:
        return key | (uint64_t)in->form << 8 | (uint64_t)in->opcode << 16 | (uint64_t)in->type << 32;
    default: return 0; /* moves, parameters, branches: they may be anywhere, or nowhere */
    }
}

static int by_likeness(const void *left, const void *right) {
    const struct candidate *a = left, *b = right;
    if (a->like != b->like)
        return a->like < b->like ? -1 : 1;
    if (a->lost != b->lost)
        return a->lost ? -1 : 1;
    return (a->execution > b->execution) - (a->execution < b->execution);
}

/* How many machine instructions that may be its own each line has. */
static uint32_t *claimed_lines(const struct sass_kernel *kernel, const struct sass_line *lines,
                               uint32_t line_count) {
    uint32_t *claimed = calloc(line_count + 1u, sizeof *claimed);
    for (uint32_t i = 0; claimed != NULL && i < kernel->count; i++) {
        const struct sass_copy *copy = &kernel->copies[i];
        if (copy->line < line_count && copy->work != SASS_WORK_NONE)
            claimed[copy->line] +=
                lines[copy->line].work < SASS_WORK_FLOAT || copy->work == lines[copy->line].work;
    }
    return claimed;
}

/* Instructions of a line of several: each becomes one or more. */
static uint32_t several_of(const struct sass_line *line) {
    uint32_t sum = 0;
    for (int work = 0; line->several && work < SASS_WORK_COUNT; work++)
        sum += line->count[work];
    return sum;
}

static uint32_t find_candidates(const struct flow *flow, const struct sass_line *lines,
                                const uint32_t *claimed, struct candidate *candidates) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < flow->result->execution_count; i++) {
        const struct simt_execution *execution = &flow->result->executions[i];
        const struct ptx_instruction *in = execution->instruction;
        bool found = false;
        for (uint32_t line = in->ptx_line; line <= in->ptx_end; line++)
            found |= claimed[line] > 0 && claimed[line] >= several_of(&lines[line]);
        struct candidate one = {like_of(in, binding_work_of(in)), i, flow->block_of[i], in->ptx_line, !found};
        if (one.like != 0 && (found || execution->runs > 0) && flow->place[one.block] < flow->block_count)
            candidates[count++] = one;
    }
    return count;
}

/* All lines that an instruction goes over. */
static void mark(const struct flow *flow, const struct candidate *one, uint32_t number,
                 struct sass_line *lines) {
    const struct ptx_instruction *in = flow->result->executions[one->execution].instruction;
    for (uint32_t line = in->ptx_line; line <= in->ptx_end; line++)
        lines[line].merged = number;
}

/* Candidates that are alike, those that are lost first: numbers them if any of these excludes another that is not. *work:
 * what may still be compared. */
static bool mark_class(const struct flow *flow, const struct candidate *alike, uint32_t count,
                       uint32_t number, struct sass_line *lines, bool *before, bool *after, uint64_t *work) {
    uint32_t lost = 0;
    bool any = false;
    /* A line of several instructions is of several classes, which are one then. */
    for (; lost < count && alike[lost].lost; lost++)
        number = lines[alike[lost].line].merged > 0 ? lines[alike[lost].line].merged : number;
    uint64_t cost = (uint64_t)(count - lost) + flow->block_count + flow->edge_count;
    for (uint32_t i = 0, end; i < lost && lost < count && *work >= cost; i = end) {
        bool excludes = false;
        *work -= cost;
        mark_joined(flow, alike[i].block, before, after);
        for (uint32_t k = lost; k < count; k++) {
            bool apart = !before[alike[k].block] && !after[alike[k].block];
            if (apart)
                mark(flow, &alike[k], number, lines);
            excludes |= apart;
        }
        for (end = i; end < lost && alike[end].block == alike[i].block; end++)
            if (excludes) {
                mark(flow, &alike[end], number, lines);
                lines[alike[end].line].lost = true;
            }
        any |= excludes;
    }
    return any;
}

/* Moves and selects beside lines that others were merged into say nothing: like these they may be of the other side.
 * beside[]: room for all blocks. */
static void forget_moves(const struct flow *flow, struct sass_line *lines, bool *beside) {
    const struct simt_result *result = flow->result;
    for (uint32_t b = 0; b < flow->block_count; b++)
        beside[b] = false;
    for (uint32_t i = 0; i < result->execution_count; i++) {
        const struct sass_line *line = &lines[result->executions[i].instruction->ptx_line];
        beside[flow->block_of[i]] |= line->merged != 0 && !line->lost;
    }
    for (uint32_t i = 0; i < result->execution_count; i++) {
        struct sass_line *line = &lines[result->executions[i].instruction->ptx_line];
        line->known &= line->work != SASS_WORK_MOVE || !beside[flow->block_of[i]];
    }
}

/* The share of the executed work in blocks of which there is no machine instruction. Moves, parameters and branches are no work;
 * a line merged into another is there. there[]: room for all blocks. */
static double share_absent(const struct flow *flow, const struct sass_line *lines, const uint32_t *claimed,
                           bool *there) {
    const struct simt_result *result = flow->result;
    double all = 0, absent = 0;
    for (uint32_t b = 0; b < flow->block_count; b++)
        there[b] = false;
    for (uint32_t i = 0; i < result->execution_count; i++) {
        const struct ptx_instruction *in = result->executions[i].instruction;
        for (uint32_t line = in->ptx_line; line <= in->ptx_end; line++)
            there[flow->block_of[i]] |= claimed[line] > 0 || lines[line].merged != 0;
    }
    for (uint32_t i = 0; i < result->execution_count; i++) {
        const struct simt_execution *execution = &result->executions[i];
        bool work = like_of(execution->instruction, lines[execution->instruction->ptx_line].work) != 0;
        all += work ? (double)execution->runs : 0;
        bool repeated = execution->instruction->flags & PTX_REPEATED; /* ptxas computes it once, elsewhere */
        absent += work && !repeated && !there[flow->block_of[i]] ? (double)execution->runs : 0;
    }
    return all > 0 ? absent / all : 0;
}

bool binding_mark_merged(const struct sass_kernel *kernel, const struct simt_result *result,
                         const struct ptx_module *program, struct sass_line *lines, uint32_t line_count,
                         double *absent) {
    struct flow flow;
    uint64_t work = MOST_WORK;
    uint32_t *claimed = claimed_lines(kernel, lines, line_count);
    bool right = build_flow(&flow, result, program) && claimed != NULL;
    struct candidate *candidates = calloc(result->execution_count + 1u, sizeof *candidates);
    bool *before = calloc(flow.block_count + 1u, sizeof *before);
    bool *after = calloc(flow.block_count + 1u, sizeof *after);
    right = right && candidates != NULL && before != NULL && after != NULL;
    uint32_t count = right ? find_candidates(&flow, lines, claimed, candidates) : 0, number = 0;
    if (right)
        qsort(candidates, count, sizeof *candidates, by_likeness);
    for (uint32_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && candidates[end].like == candidates[i].like; end++)
            ;
        number += mark_class(&flow, candidates + i, end - i, number + 1, lines, before, after, &work);
    }
    if (right)
        forget_moves(&flow, lines, before);
    *absent = right ? share_absent(&flow, lines, claimed, before) : 0;
    free(claimed);
    free(candidates);
    free(before);
    free(after);
    free_flow(&flow);
    return right;
}

bool binding_matches(const struct sass_kernel *kernel, const struct sass_line *lines, uint32_t line_count,
                     const double *runs, char *error, size_t error_size) {
    const double least = 0.75;
    double *executed = calloc(line_count + 1u, sizeof *executed), ran = 0, reached = 0;
    uint32_t *claimed = claimed_lines(kernel, lines, line_count);
    bool memory = executed != NULL && claimed != NULL;
    for (uint32_t b = 0; memory && b < kernel->graph.block_count; b++)
        for (uint32_t i = kernel->graph.blocks[b].first; i < kernel->graph.blocks[b].end; i++) {
            const struct sass_copy *copy = &kernel->copies[i];
            if (copy->line < line_count && copy->work == lines[copy->line].work)
                executed[copy->line] += runs[b];
        }
    for (uint32_t l = 0; memory && l < line_count; l++) {
        /* Loads and stores side by side may be one: accesses.c looks for their bytes. */
        bool access = lines[l].work == SASS_WORK_LOAD || lines[l].work == SASS_WORK_STORE;
        if (lines[l].work >= SASS_WORK_FLOAT && (claimed[l] > 0 || !(access || lines[l].lost))) {
            ran += (double)lines[l].runs;
            reached += fmin(executed[l], (double)lines[l].runs);
        }
    }
    free(executed);
    free(claimed);
    bool right = memory && reached >= least * ran;
    if (!right)
        snprintf(error, error_size, "machine code: %s",
                 memory ? "its executions do not reach those of its PTX" : "out of memory");
    return right;
}

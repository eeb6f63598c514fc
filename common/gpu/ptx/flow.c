/* flow.c: basic blocks, and each branch's reconvergence point: its immediate post-dominator, the
 * first block that every path passes.
 *
 * Threads that leave the program early (a return, a trap) are not waited for, as on hardware. So
 * post-dominators are taken on the paths to the main end, which most blocks can reach. Blocks that
 * cannot reach it are then taken with the next end. In a loop that nothing leaves, they are taken
 * on the paths back to its head: threads that diverge in a trip reconverge in it.
 *
 * Post-dominators by Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm" (2001), on
 * the reversed graph. */
#include "gpu/ptx/internal.h"
#include <string.h>

enum { MAX_EDGES = 1 << 22, ENDS_WEIGHED = 16 };
static const uint32_t NONE = UINT32_MAX;
static const uint64_t MAX_MEET_WORK = (uint64_t)1 << 28;

static bool ends_thread(const struct ptx_instruction *instruction) {
    return instruction->guard < 0 && ptx_ends_thread(instruction);
}

static bool ends_block(const struct ptx_instruction *instruction) {
    return ptx_is_branch(instruction) || ends_thread(instruction);
}

static bool is_trap(const struct ptx_instruction *instruction) {
    return ptx_nature(instruction)->control == PTX_CONTROL_TRAP;
}

static uint32_t successor_limit(const struct ptx_body *body, const struct ptx_instruction *last) {
    return last->opcode == PTX_BRX ? body->tables.items[last->target].count + 1 : 2;
}

/* Cuts the function into blocks. Returns the most edges that there may be. */
static uint64_t find_blocks(struct ptx_parser *parser, const struct ptx_body *body, struct ptx_flow *flow) {
    uint32_t count = body->instructions.count;
    const struct ptx_instruction *instructions = body->instructions.items;
    uint8_t *leader = ptx_work(parser, count + 1);
    leader[0] = 1;
    for (uint32_t i = 0; i < count; i++) {
        if (ends_block(&instructions[i]))
            leader[i + 1] = 1;
        if (instructions[i].opcode == PTX_BRA)
            leader[instructions[i].target] = 1;
    }
    for (uint32_t t = 0; t < body->tables.count; t++)
        for (uint32_t i = 0; i < body->tables.items[t].count; i++)
            leader[body->tables.items[t].targets[i]] = 1;

    flow->block_of = ptx_work(parser, count * sizeof *flow->block_of);
    flow->block_count = 0;
    for (uint32_t i = 0; i < count; i++) {
        flow->block_count += leader[i];
        flow->block_of[i] = flow->block_count - 1;
    }
    flow->blocks = ptx_work(parser, flow->block_count * sizeof *flow->blocks);
    uint64_t edge_limit = 0;
    for (uint32_t i = 0; i < count; i++) {
        struct ptx_block *block = &flow->blocks[flow->block_of[i]];
        if (leader[i])
            block->first = i;
        block->end = i + 1;
        if (i + 1 == count || leader[i + 1])
            edge_limit += successor_limit(body, &instructions[i]);
    }
    return edge_limit;
}

/* Lists each block's successors, and counts its predecessors. */
static void find_successors(const struct ptx_body *body, struct ptx_flow *flow) {
    uint32_t edges = 0;
    for (uint32_t b = 0; b < flow->block_count; b++) {
        struct ptx_block *block = &flow->blocks[b];
        const struct ptx_instruction *last = &body->instructions.items[block->end - 1];
        block->successor = edges;
        if (last->opcode == PTX_BRA)
            flow->successors[edges++] = flow->block_of[last->target];
        if (last->opcode == PTX_BRX)
            for (uint32_t i = 0; i < body->tables.items[last->target].count; i++)
                flow->successors[edges++] = flow->block_of[body->tables.items[last->target].targets[i]];
        bool falls = !ends_thread(last) && !(last->guard < 0 && ptx_is_branch(last));
        if (falls && b + 1 < flow->block_count)
            flow->successors[edges++] = b + 1;
        block->successor_count = edges - block->successor;
        for (uint32_t i = block->successor; i < edges; i++)
            flow->blocks[flow->successors[i]].predecessor_count++;
    }
}

static void find_predecessors(struct ptx_flow *flow) {
    uint32_t next = 0;
    for (uint32_t b = 0; b < flow->block_count; b++) {
        flow->blocks[b].predecessor = next;
        next += flow->blocks[b].predecessor_count;
        flow->blocks[b].predecessor_count = 0;
    }
    for (uint32_t b = 0; b < flow->block_count; b++)
        for (uint32_t i = 0; i < flow->blocks[b].successor_count; i++) {
            struct ptx_block *to = &flow->blocks[flow->successors[flow->blocks[b].successor + i]];
            flow->predecessors[to->predecessor + to->predecessor_count++] = b;
        }
}

void ptx_flow_build(struct ptx_parser *parser, const struct ptx_body *body, struct ptx_flow *flow) {
    uint64_t edge_limit = find_blocks(parser, body, flow);
    if (edge_limit > MAX_EDGES)
        ptx_fail(parser, "a function with more than %d branch targets is not run by this simulator",
                 MAX_EDGES);
    flow->successors = ptx_work(parser, edge_limit * sizeof *flow->successors);
    flow->predecessors = ptx_work(parser, edge_limit * sizeof *flow->predecessors);
    find_successors(body, flow);
    find_predecessors(flow);
}

struct search {
    struct ptx_parser *parser;
    uint64_t work;
    const struct ptx_flow *flow;
    uint32_t *order;  /* blocks in post-order of the backward search */
    uint32_t *number; /* of a block in `order`; NONE: not reached */
    uint32_t *stack, *next_edge;
};

/* Searches backwards from `end` for blocks that reach it, without blocks that `taken` excludes.
 * Fills order and number; returns the number of blocks. */
static uint32_t search_back(struct search *search, uint32_t end, const uint8_t *taken, uint8_t *seen) {
    uint32_t depth = 0, count = 0;
    search->stack[depth] = end;
    search->next_edge[depth++] = 0;
    seen[end] = 1;
    while (depth) {
        uint32_t block = search->stack[depth - 1];
        const struct ptx_block *here = &search->flow->blocks[block];
        if (search->next_edge[depth - 1] < here->predecessor_count) {
            uint32_t before = search->flow->predecessors[here->predecessor + search->next_edge[depth - 1]++];
            if (!seen[before] && !taken[before]) {
                seen[before] = 1;
                search->stack[depth] = before;
                search->next_edge[depth++] = 0;
            }
        } else {
            depth--;
            search->number[block] = count;
            search->order[count++] = block;
        }
    }
    return count;
}

static uint32_t meet(struct search *search, const uint32_t *meeting, uint32_t a, uint32_t b) {
    const uint32_t *number = search->number;
    uint64_t steps = 0;
    while (a != b) {
        for (; number[a] < number[b]; steps++)
            a = meeting[a];
        for (; number[b] < number[a]; steps++)
            b = meeting[b];
    }
    search->work += steps;
    if (search->work > MAX_MEET_WORK)
        ptx_fail(search->parser, "the control flow of this function is too large to follow");
    return a;
}

/* Finds the post-dominators of the `count` blocks in search->order, whose last is the end. in_set
 * marks these blocks. */
static void dominate(struct search *search, uint32_t count, const uint32_t *set, uint32_t mark,
                     uint32_t *meeting) {
    uint32_t end = search->order[count - 1];
    meeting[end] = end;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = count - 1; i-- > 0;) {
            uint32_t block = search->order[i], found = NONE;
            const struct ptx_block *here = &search->flow->blocks[block];
            for (uint32_t e = 0; e < here->successor_count; e++) {
                uint32_t to = search->flow->successors[here->successor + e];
                if (set[to] != mark || meeting[to] == NONE)
                    continue;
                found = found == NONE ? to : meet(search, meeting, found, to);
            }
            if (found != meeting[block]) {
                meeting[block] = found;
                changed = true;
            }
        }
    }
}

/* Lists the ends: returns and exits, last first, then traps. The end of most blocks is first. */
static uint32_t find_ends(struct search *search, const struct ptx_body *body, const uint8_t *taken,
                          uint8_t *seen, uint32_t *ends) {
    const struct ptx_flow *flow = search->flow;
    uint32_t count = flow->block_count, end_count = 0, best = 0, best_count = 0;
    for (int traps = 0; traps < 2; traps++)
        for (uint32_t b = count; b-- > 0;) {
            const struct ptx_instruction *last = &body->instructions.items[flow->blocks[b].end - 1];
            if (ends_thread(last) && is_trap(last) == (traps == 1))
                ends[end_count++] = b;
        }
    for (uint32_t i = 0; i < end_count && i < ENDS_WEIGHED && end_count > 1; i++) {
        if (i && is_trap(&body->instructions.items[flow->blocks[ends[i]].end - 1]))
            break;
        memset(seen, 0, count);
        uint32_t reach = search_back(search, ends[i], taken, seen);
        if (reach > best_count) {
            best = i;
            best_count = reach;
        }
    }
    if (end_count) {
        uint32_t first = ends[0];
        ends[0] = ends[best];
        ends[best] = first;
    }
    return end_count;
}

/* Reconvergence point at the head of a loop that nothing leaves: in the trip, or the head again. */
static uint32_t meeting_of_head(struct search *search, uint32_t head, const uint32_t *meeting) {
    const struct ptx_block *here = &search->flow->blocks[head];
    if (here->successor_count == 0) /* the function's last block, without a return */
        return search->flow->block_count;
    uint32_t found = search->flow->successors[here->successor];
    for (uint32_t e = 1; e < here->successor_count; e++)
        found = meet(search, meeting, found, search->flow->successors[here->successor + e]);
    return found;
}

/* Head of a loop that nothing leaves and that holds `block`: its first block entered from outside.
 * in_loop is 0 for all its blocks. */
static uint32_t head_of_loop(const struct search *search, uint32_t block, uint8_t *in_loop) {
    const struct ptx_flow *flow = search->flow;
    uint32_t *found = search->stack, count = 0, lowest = block, head = NONE;
    found[count++] = block;
    in_loop[block] = 1;
    for (uint32_t i = 0; i < count; i++) {
        const struct ptx_block *here = &flow->blocks[found[i]];
        for (uint32_t e = 0; e < here->successor_count; e++) {
            uint32_t to = flow->successors[here->successor + e];
            if (!in_loop[to])
                found[count++] = to;
            in_loop[to] = 1;
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        const struct ptx_block *here = &flow->blocks[found[i]];
        bool entered = found[i] == 0;
        for (uint32_t e = 0; e < here->predecessor_count; e++)
            entered = entered || !in_loop[flow->predecessors[here->predecessor + e]];
        lowest = found[i] < lowest ? found[i] : lowest;
        head = entered && found[i] < head ? found[i] : head;
    }
    return head == NONE ? lowest : head;
}

/* Finds the heads of loops that nothing leaves, among the blocks not taken, and marks them in
 * is_head. A backward search finishes a block after all that it finds from there. So the block
 * finished last lies in such a loop, and so does the last one that does not reach those found. */
static void find_endless(struct search *search, const uint8_t *taken, uint8_t *is_head) {
    uint32_t count = search->flow->block_count, finished = 0;
    uint32_t *order = search->order, *finish = ptx_work(search->parser, count * sizeof *finish);
    uint8_t *seen = ptx_work(search->parser, count), *left = ptx_work(search->parser, count);
    uint8_t *in_loop = ptx_work(search->parser, count);
    memcpy(seen, taken, count);
    for (uint32_t b = count; b-- > 0;)
        if (!seen[b]) {
            uint32_t reached = search_back(search, b, taken, seen);
            memcpy(finish + finished, order, reached * sizeof *order);
            finished += reached;
        }
    memcpy(left, taken, count);
    while (finished-- > 0)
        if (!left[finish[finished]]) {
            is_head[head_of_loop(search, finish[finished], in_loop)] = 1;
            search_back(search, finish[finished], taken, left);
        }
}

void ptx_flow_post_dominators(struct ptx_parser *parser, const struct ptx_body *body,
                              const struct ptx_flow *flow, uint32_t *meeting) {
    uint32_t count = flow->block_count;
    size_t bytes = count * sizeof(uint32_t);
    struct search search = {.parser = parser,
                            .flow = flow,
                            .order = ptx_work(parser, bytes),
                            .number = ptx_work(parser, bytes),
                            .stack = ptx_work(parser, bytes),
                            .next_edge = ptx_work(parser, bytes)};
    uint8_t *taken = ptx_work(parser, count), *seen = ptx_work(parser, count);
    uint32_t *set = ptx_work(parser, bytes), mark = 0, *ends = ptx_work(parser, bytes);
    for (uint32_t b = 0; b < count; b++)
        meeting[b] = NONE;
    uint32_t end_count = find_ends(&search, body, taken, seen, ends);
    uint32_t next_end = 0, endless = count;
    uint8_t *is_head = ptx_work(parser, count);
    memset(seen, 0, count);
    for (;;) {
        uint32_t end;
        if (next_end < end_count) {
            end = ends[next_end++];
        } else { /* the rest runs in loops that nothing leaves */
            if (endless == count)
                find_endless(&search, taken, is_head);
            while (endless > 0 && !is_head[endless - 1])
                endless--;
            if (endless == 0)
                break;
            end = --endless;
        }
        if (taken[end])
            continue;
        uint32_t reached = search_back(&search, end, taken, seen);
        mark++;
        for (uint32_t i = 0; i < reached; i++) {
            taken[search.order[i]] = 1;
            set[search.order[i]] = mark;
        }
        dominate(&search, reached, set, mark, meeting);
        meeting[end] = is_head[end] ? meeting_of_head(&search, end, meeting) : count;
    }
}

void ptx_flow_reconvergence(struct ptx_parser *parser, struct ptx_body *body, const struct ptx_flow *flow) {
    uint32_t *meeting = ptx_work(parser, flow->block_count * sizeof *meeting);
    ptx_flow_post_dominators(parser, body, flow, meeting);
    for (uint32_t b = 0; b < flow->block_count; b++) {
        struct ptx_instruction *last = &body->instructions.items[flow->blocks[b].end - 1];
        if (ptx_is_branch(last))
            last->reconverge = (int32_t)(meeting[b] == flow->block_count ? body->instructions.count
                                                                         : flow->blocks[meeting[b]].first);
    }
}

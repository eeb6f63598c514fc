/* stretches.c: the pieces of a function within which ptxas contracts products and sums. */
#include "gpu/ptx/internal.h"

/* Whether ptxas makes code with branches of its own. */
static bool has_slow_path(const struct ptx_instruction *instruction) {
    enum ptx_type type = (enum ptx_type)instruction->type;
    switch (instruction->opcode) {
    case PTX_DIV:
    case PTX_REM:
        return ptx_type_is_float(type) ? !(instruction->flags & (PTX_APPROX | PTX_FULL)) : type != PTX_U32;
    case PTX_RCP:
    case PTX_SQRT: return !(instruction->flags & PTX_APPROX);
    case PTX_RSQRT: return type == PTX_F64 && !(instruction->flags & PTX_FTZ);
    case PTX_BFIND: return ptx_type_bytes(type) == 8;
    default: return false;
    }
}

/* Whether a guard jumps over the instruction. (Guarded arithmetic runs without effect.) */
static bool jumped_over(const struct ptx_instruction *instruction) {
    switch (ptx_nature(instruction)->class) {
    case PTX_CLASS_MEMORY:
    case PTX_CLASS_SHUFFLE:
    case PTX_CLASS_CONTROL:
    case PTX_CLASS_SYNCHRONISATION: return true;
    default: return (instruction->flags & PTX_CARRY_OUT) != 0;
    }
}

/* Whether nothing before the instruction is fused with anything behind it. */
static bool cuts(const struct ptx_instruction *instruction) {
    return (instruction->guard >= 0 && jumped_over(instruction)) || has_slow_path(instruction) ||
           instruction->opcode == PTX_MEMBAR || instruction->opcode == PTX_GRID_WAIT ||
           ptx_nature(instruction)->control == PTX_CONTROL_CALL;
}

/* The only successor of the block, if the block is its only predecessor. */
static bool follows_alone(const struct ptx_flow *flow, uint32_t block, uint32_t *next) {
    const struct ptx_block *here = &flow->blocks[block];
    if (here->successor_count != 1)
        return false;
    *next = flow->successors[here->successor];
    return *next != 0 && flow->blocks[*next].predecessor_count == 1;
}

static void add_block(const struct ptx_body *body, const struct ptx_block *block,
                      struct ptx_stretches *stretches, uint32_t *count) {
    for (uint32_t i = block->first; i < block->end; i++) {
        stretches->order[(*count)++] = i;
        if (cuts(&body->instructions.items[i]))
            stretches->starts[stretches->count++] = *count;
    }
}

void ptx_find_stretches(struct ptx_parser *parser, const struct ptx_body *body, const struct ptx_flow *flow,
                        struct ptx_stretches *stretches) {
    uint32_t blocks = flow->block_count, instructions = body->instructions.count, count = 0, next = 0;
    bool *joined = ptx_work(parser, blocks), *done = ptx_work(parser, blocks);
    stretches->count = 0;
    stretches->order = ptx_work(parser, instructions * sizeof *stretches->order);
    stretches->starts = ptx_work(parser, ((size_t)instructions + blocks + 1) * sizeof *stretches->starts);
    for (uint32_t block = 0; block < blocks; block++)
        if (follows_alone(flow, block, &next))
            joined[next] = true;
    /* Chains with a head first, then rings. */
    for (uint32_t turn = 0; turn < 2; turn++)
        for (uint32_t block = 0; block < blocks; block++) {
            if (done[block] || (turn == 0 && joined[block]))
                continue;
            stretches->starts[stretches->count++] = count;
            bool more = true;
            for (next = block; more && !done[next];) {
                uint32_t here = next;
                done[here] = true;
                add_block(body, &flow->blocks[here], stretches, &count);
                more = follows_alone(flow, here, &next);
            }
        }
    stretches->starts[stretches->count] = count;
}

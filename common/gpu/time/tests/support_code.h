/* support_code.h: machine code that suites put together piece by piece. */
#ifndef TIME_TESTS_SUPPORT_CODE_H
#define TIME_TESTS_SUPPORT_CODE_H

#include "gpu/time/code.h"

/* A kernel that is put together piece by piece. */
struct kernel {
    struct gpu_instruction instructions[64];
    struct gpu_block blocks[64];
    struct gpu_edge edges[64];
    struct gpu_code code;
};

static const struct gpu_instruction plain = {.active_share = 1,
                                             .pipe = GPU_PIPE_ALU,
                                             .stall = 4,
                                             .write_scoreboard = GPU_NO_SCOREBOARD,
                                             .read_scoreboard = GPU_NO_SCOREBOARD,
                                             .issue_passes = 1};

/* A block of `count` instructions that runs so often for each warp. */
static inline void add_block(struct kernel *kernel, uint32_t count, const struct gpu_instruction *instruction,
                             double runs) {
    struct gpu_code *code = &kernel->code;
    code->instructions = kernel->instructions;
    code->blocks = kernel->blocks;
    code->edges = kernel->edges;
    code->warps = 1;
    struct gpu_block *block = &kernel->blocks[code->block_count++];
    *block =
        (struct gpu_block){.first = code->instruction_count, .first_edge = code->edge_count, .runs = runs};
    for (uint32_t i = 0; i < count; i++)
        kernel->instructions[code->instruction_count++] = *instruction;
    block->end = code->instruction_count;
}

static inline void add_edge(struct kernel *kernel, uint32_t to, double traversals) {
    struct gpu_code *code = &kernel->code;
    kernel->edges[code->edge_count++] =
        (struct gpu_edge){.to = to, .taken = to != code->block_count, .traversals = traversals};
    kernel->blocks[code->block_count - 1].edge_count++;
}

#endif

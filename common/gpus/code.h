/*
 * code.h: a kernel's machine code as its time needs it: instructions with the pipe they go to, what the compiler tells the
 * scheduler, what their accesses take; blocks and edges with how often a launch went there. Filled by who reads machine
 * code; this room knows no encoding.
 */
#ifndef GPUS_CODE_H
#define GPUS_CODE_H

#include <stdbool.h>
#include <stdint.h>

enum gpu_pipe {
    GPU_PIPE_NONE,
    GPU_PIPE_FMA,
    GPU_PIPE_HEAVY, /* the half of FMA that multiplies integers too */
    GPU_PIPE_ALU,
    GPU_PIPE_FP64,
    GPU_PIPE_XU,
    GPU_PIPE_UNIFORM,
    GPU_PIPE_ADU, /* constants by address */
    GPU_PIPE_CBU, /* branches */
    GPU_PIPE_LSU, /* memory, shuffles: one for the whole SM */
    GPU_PIPE_COUNT
};

enum gpu_access {
    GPU_ACCESS_NONE,
    GPU_ACCESS_GLOBAL,
    GPU_ACCESS_LOCAL,
    GPU_ACCESS_SHARED,
    GPU_ACCESS_CONSTANT,
    GPU_ACCESS_ATOMIC,        /* on global memory */
    GPU_ACCESS_SHARED_ATOMIC, /* on shared memory */
    GPU_ACCESS_SHUFFLE,
    GPU_ACCESS_BARRIER, /* all warps of the block meet */
    GPU_ACCESS_EXIT,
    GPU_ACCESS_FENCE, /* waits until what was stored is seen by others */
    GPU_ACCESS_COUNT
};

enum { GPU_NO_SCOREBOARD = 7, GPU_SCOREBOARDS = 6 };

struct gpu_instruction {
    uint8_t pipe;                              /* enum gpu_pipe */
    uint8_t access;                            /* enum gpu_access */
    bool store;                                /* an access that brings nothing back */
    uint8_t stall;                             /* cycles until the warp's next instruction may issue */
    uint8_t write_scoreboard, read_scoreboard; /* released when the result is there, when sources are read */
    uint8_t wait_mask;                         /* scoreboards that it waits for */
    uint8_t bytes;                             /* a thread accesses */
    uint8_t turns;                             /* of its pipe that it takes: 2 for products twice as wide */
    uint8_t reads;                             /* different registers that one for FMA's pipes reads */
    float active; /* share of the executions of an access that some thread takes part in: predicates */
    /* What one such execution takes, on average. */
    float wavefronts; /* passes of L1's or the shared memory's data stage, words of the constant cache */
    float lines, sectors;
    bool spill;    /* local memory that the PTX does not have: nothing was counted */
    float missed;  /* sectors that L1 does not have */
    float far;     /* of a sector of those: whether DRAM gives it; negative: not known, as of all loads */
    float late;    /* share of requests that miss any sector, or wait for one that another warp asked for */
    float partial; /* share of the sectors stored that are not written whole */
    float fresh;   /* share of them that L2 has nothing of yet, among these */
};

struct gpu_block {
    uint32_t first, end; /* instructions */
    uint32_t first_edge, edge_count;
    bool meets;  /* paths of a warp become one at its end */
    double runs; /* by warps of the launch */
};

struct gpu_edge {
    uint32_t to; /* block; GPU_LEAVES: the warp ends */
    bool taken;  /* not the next instruction */
    bool call;   /* into a subroutine, which comes back to the block's other edge */
    double gone;
};
#define GPU_LEAVES UINT32_MAX

struct gpu_code {
    uint32_t instruction_count, block_count, edge_count;
    struct gpu_instruction *instructions;
    struct gpu_block *blocks; /* a launch starts at the first */
    struct gpu_edge *edges;   /* by block */
    uint32_t local_bytes;     /* of local memory, each thread */
    double warps;             /* that started */
    double *
        waits; /* filled by the time model: of each instruction, GPU_STALL_COUNT each, what warps waited for before it, in
                      cycles of the part that was walked through; NULL: not wanted */
};

void gpu_code_free(struct gpu_code *code);

#endif

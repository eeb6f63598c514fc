/*
 * code.h: a kernel's machine code as the time model reads it: instructions with their pipe, the
 * compiler's scheduling fields and the cost of their accesses; blocks and edges with how often the
 * launch executed them. The caller decodes machine code and fills this in; this room knows no
 * encoding.
 */
#ifndef TIME_CODE_H
#define TIME_CODE_H

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
    GPU_PIPE_TENSOR,
    GPU_PIPE_LSU, /* memory, shuffles: one for the whole SM */
    GPU_PIPE_COUNT
};

enum gpu_access {
    GPU_ACCESS_NONE,
    GPU_ACCESS_GLOBAL,
    GPU_ACCESS_PREFETCH, /* into L2: the warp gets nothing */
    GPU_ACCESS_LOCAL,
    GPU_ACCESS_SHARED,
    GPU_ACCESS_CONSTANT,
    GPU_ACCESS_ATOMIC,        /* on global memory */
    GPU_ACCESS_SHARED_ATOMIC, /* on shared memory */
    GPU_ACCESS_SHUFFLE,
    GPU_ACCESS_BARRIER, /* of all warps of the block */
    GPU_ACCESS_EXIT,
    GPU_ACCESS_FENCE, /* the warp waits until others see its stores */
    GPU_ACCESS_COUNT
};

enum { GPU_NO_SCOREBOARD = 7, GPU_SCOREBOARDS = 6 };

/* What an instruction has to do with asynchronous copies to shared memory, whose results a warp
 * awaits by groups. */
enum gpu_copy {
    GPU_COPY_NONE,
    GPU_COPY_STARTS,  /* a copy */
    GPU_COPY_COMMITS, /* makes a group of the copies since the last one */
    GPU_COPY_AWAITS   /* waits until at most `copy_groups` groups are pending */
};

struct gpu_instruction {
    uint8_t pipe; /* enum gpu_pipe */
    uint8_t copy; /* enum gpu_copy */
    uint8_t copy_groups;
    uint8_t scope;  /* of a fence, as in sass_instruction */
    uint8_t access; /* enum gpu_access */
    bool store;     /* an access that returns nothing */
    bool open;      /* a barrier at which no warp waits */
    uint8_t stall;  /* cycles until the warp's next instruction may issue */
    uint8_t write_scoreboard,
        read_scoreboard;   /* scoreboards: released with the result; when sources are read */
    uint8_t wait_mask;     /* bits: scoreboards that the instruction waits for */
    uint8_t bytes;         /* bytes of one thread's access */
    uint8_t issue_passes;  /* passes through the pipe: 2 for products twice as wide */
    float result_passes;   /* of a product of doubles: passes until its results are there */
    bool matrix;           /* of shared memory: rows of matrices */
    uint8_t operand_reads; /* registers that a float or integer instruction reads from its busier bank */
    float active_share;    /* fraction of executions with at least one active thread */
    /* Per execution with an active thread, on average: */
    float wavefronts;     /* passes of the data stage of L1 or shared memory; words of the constant cache */
    float lines, sectors; /* lines of 128 bytes and sectors of 32 that are touched */
    float fewest; /* wavefronts of shared memory, or sectors, that could carry the same bytes; 0: unknown */
    bool spill;   /* local memory that the PTX does not have: nothing was counted */
    float missed_sectors; /* sectors that L1 does not hold */
    /* fraction of missed sectors that DRAM gives; negative: unknown, that of all loads stands
     * for it */
    float dram_share;
    float miss_share; /* fraction of executions that miss a sector, or wait for one already requested */
    /* sums in shared memory by a loop of compare and swap: fraction of its trips that go to the block's
     * busiest word */
    float contended;
    float partial_share; /* fraction of the stored sectors that are not written whole */
    float new_share; /* fraction of the stored sectors that are partial and of which L2 holds nothing yet */
    /* stores of parts of the same sectors, one after the other, this one included; 0, 1: alone.
     * `partial_share` and `new_share` are those of all together */
    uint8_t together;
    bool follows; /* not the first of those */
};

/* A store's share of those that are sent together. */
static inline double share_of_together(const struct gpu_instruction *in) {
    return in->together > 1 ? 1.0 / in->together : 1;
}

struct gpu_block {
    uint32_t first, end; /* instructions */
    uint32_t first_edge, edge_count;
    bool reconverges; /* diverged threads of a warp reconverge at the block's end */
    double runs;      /* executions by warps of the launch */
};

struct gpu_edge {
    uint32_t to;       /* block; GPU_LEAVES: the warp ends */
    bool taken;        /* a jump, not to the next instruction */
    bool call;         /* into a subroutine, which returns to the block's other edge */
    double traversals; /* by warps of the launch */
};
#define GPU_LEAVES UINT32_MAX

struct gpu_code {
    uint32_t instruction_count, block_count, edge_count;
    struct gpu_instruction *instructions;
    struct gpu_block *blocks; /* a launch starts at the first */
    struct gpu_edge *edges;   /* ordered by block */
    uint32_t local_bytes;     /* bytes of local memory of a thread */
    double warps;             /* warps that started */
    double absent; /* share of the executed work that the machine code lacks: the time is so much longer */
    /* cycles, per instruction GPU_STALL_COUNT: what warps waited for before it. The time model
     * fills them for the part that it walked; NULL: not wanted */
    double *waits;
};

void gpu_code_free(struct gpu_code *code);

#endif

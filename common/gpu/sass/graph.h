/*
 * graph.h: the control-flow graph of a kernel's machine code: basic blocks and the edges between them, for a warp. A
 * subroutine in the kernel's section (the slow path of a division, a function that was not inlined) is part of the
 * graph; a call goes into it and, with the same warps, on to what follows the call.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum sass_step_kind {
    SASS_STEP_NEXT,     /* goes on to the next instruction */
    SASS_STEP_BRANCH,   /* BRA */
    SASS_STEP_INDIRECT, /* BRX, JMX: to one of the targets that the cubin lists */
    SASS_STEP_CALL, /* CALL to a place in this section, or through a register to one of the listed jumps */
    SASS_STEP_CALL_FAR,   /* CALL to another section */
    SASS_STEP_RETURN,     /* RET */
    SASS_STEP_EXIT,       /* EXIT, KILL */
    SASS_STEP_RECONVERGE, /* BSYNC: waits for reconvergence with threads that went another way */
    SASS_STEP_MARK        /* BSSY: names the reconvergence point */
};

/* What one machine instruction does to control. */
struct sass_step {
    uint8_t kind;    /* enum sass_step_kind */
    bool guarded;    /* predicated, by another predicate than PT */
    uint32_t target; /* index of an instruction: branches, calls, marks; SASS_NOWHERE otherwise */
};
#define SASS_NOWHERE UINT32_MAX

enum sass_edge_kind { SASS_EDGE_FALL, SASS_EDGE_TAKEN, SASS_EDGE_CALL, SASS_EDGE_LEAVE };

struct sass_edge {
    uint32_t from, to; /* blocks; to: SASS_NOWHERE where the warp leaves (exit, return) */
    uint8_t kind;      /* enum sass_edge_kind */
};

struct sass_block {
    uint32_t first, end;             /* instructions [first, end) */
    uint32_t first_edge, edge_count; /* edges that leave it */
    bool reconverges;                /* ends with SASS_STEP_RECONVERGE: paths of a warp reconverge */
    bool splits;                     /* ends with a conditional branch or exit: one path may become two */
    bool subroutine;                 /* reached by calls alone */
    bool reached;                    /* a path leads here from the kernel's start */
};

/* A reconvergence point (`to`, a block that ends with SASS_STEP_RECONVERGE), and the block that names it. */
struct sass_mark {
    uint32_t from, to;
};

struct sass_graph {
    uint32_t block_count, edge_count, mark_count;
    struct sass_block *blocks; /* in order of the code; the kernel starts at the first */
    struct sass_edge *edges;   /* by block */
    struct sass_mark *marks;   /* by `to`, then `from` */
    uint32_t *block_of;        /* of each instruction */
};

/* One possible target of an indirect branch or call. */
struct sass_jump {
    uint32_t from, to; /* instructions */
};

/* Builds the graph of count instructions, at least 1. Targets outside the code end the path. False: out of memory. Free
 * with sass_graph_free. */
bool sass_graph_build(struct sass_graph *graph, const struct sass_step *steps, uint32_t count,
                      const struct sass_jump *jumps, uint32_t jump_count);
void sass_graph_free(struct sass_graph *graph);
/* Whether the block ends with a call of code in the same kernel. */
bool sass_block_calls(const struct sass_graph *graph, uint32_t block);

/*
 * executions.h: how often a kernel's machine code was executed, from how often each line of its PTX was. What is known:
 * the warps that enter; that every warp which enters a block leaves it (graph.h); and of each PTX line, how often it ran:
 * its copies in the machine code, wherever the compiler put them, ran so often together. Compilers also move, merge and
 * drop what a line says, so not all of this can hold at once: the executions are those that deviate least, the sum of
 * the deviations' absolute values being the measure (a linear programme, solved by GLPK's simplex method).
 */
#ifndef SASS_EXECUTIONS_H
#define SASS_EXECUTIONS_H

#include "base/loop_trips.h"
#include "gpu/sass/graph.h"

/* What work an instruction does, as far as it can be told that a machine instruction is a PTX instruction's own, and not
 * one of several that it became. */
enum sass_work {
    SASS_WORK_OTHER,     /* one instruction, or several of different kinds */
    SASS_WORK_COMPLEX,   /* many: a division, a square root */
    SASS_WORK_MOVE,      /* may be anywhere, or nowhere */
    SASS_WORK_PARAMETER, /* read where it is first needed, not where PTX has it */
    SASS_WORK_CONTROL,
    SASS_WORK_FLOAT, /* float add, multiply, multiply-add */
    SASS_WORK_DOUBLE,
    SASS_WORK_SHUFFLE,
    SASS_WORK_BARRIER,
    SASS_WORK_ATOMIC,
    SASS_WORK_LOAD, /* from any space but parameters and constants */
    SASS_WORK_STORE,
    SASS_WORK_NONE, /* of the machine code alone: marks where threads will meet, and such */
    SASS_WORK_COUNT
};

/* A machine instruction. */
struct sass_copy {
    uint32_t line;      /* of the PTX, 0 unknown */
    uint32_t signature; /* equal of instructions that do the same: opcode and modifiers */
    uint8_t work;       /* enum sass_work */
    bool guarded;       /* done under a predicate: executed whenever its block is */
};

/* A line of the PTX. */
struct sass_line {
    bool known;      /* an instruction that was counted stands there */
    bool guarded;    /* under a predicate in the PTX too */
    uint8_t work;    /* enum sass_work */
    uint32_t piece;  /* the straight piece of code that it is in: lines of one ran equally often */
    uint64_t runs;   /* executions by warps */
    double trips;    /* of a branch back: how often its loop runs when it is entered, on average; 0 unknown */
    uint64_t splits; /* of a conditional branch: with threads going both ways */
    bool may_be_slow; /* a division or root: operands that are unusual take a routine, which is called */
    uint64_t slow;    /* by warps with such operands */
    const struct loop_trips *loop; /* of a branch back: all entries of its loop; NULL: not known */
    uint32_t head;                 /* and the line that it goes to */
    uint32_t parts; /* like instructions that one of these may become (the halves of a 64-bit one); 0: one */
    bool several;   /* instructions stand there, and `work` is OTHER */
    bool uneven;    /* and did not run equally often: `runs` is the most, and the piece is the line's alone */
    uint32_t count[SASS_WORK_COUNT]; /* of several, by their work; what may become one another is OTHER */
};

enum { SASS_MAX_INSTRUCTIONS = 250000 };

/* The executions of each block into runs[graph->block_count], of each edge into gone[graph->edge_count]. warps: that start the kernel, at least 1. False and a
 * one-line message when the kernel is too big, nothing ties the code to lines, or memory is short. The same input gives the
 * same output to the bit. */
bool sass_solve_executions(const struct sass_graph *graph, const struct sass_copy *copies,
                           const struct sass_line *lines, uint32_t line_count, uint64_t warps, double *runs,
                           double *gone, char *error, size_t error_size);

#endif

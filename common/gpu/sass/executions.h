/*
 * executions.h: executions of a kernel's machine code, from the executions of each line of its PTX. Three things are
 * known: the warps that start; that every warp which enters a block leaves it (graph.h); and that all copies of a PTX
 * line together ran as often as the line. Compilers also move, merge and drop instructions, so these cannot all hold.
 * The result minimises the sum of the absolute deviations: a linear programme, solved by GLPK's simplex method.
 */
#pragma once

#include "base/loop_trips.h"
#include "base/memo.h"
#include "gpu/sass/graph.h"

/* The work that an instruction does, which ties a machine instruction to the PTX instruction that it was made of. */
enum sass_work {
    SASS_WORK_OTHER,     /* one instruction, or several of different kinds */
    SASS_WORK_COMPLEX,   /* many instructions: a division, a square root */
    SASS_WORK_MOVE,      /* the compiler puts it anywhere, or nowhere */
    SASS_WORK_PARAMETER, /* loaded at its first use, not where the PTX loads it */
    SASS_WORK_CONTROL,
    SASS_WORK_FLOAT, /* float add, multiply, multiply-add */
    SASS_WORK_DOUBLE,
    SASS_WORK_SHUFFLE,
    SASS_WORK_BARRIER,
    SASS_WORK_ATOMIC,
    SASS_WORK_LOAD, /* from any space but parameters and constants */
    SASS_WORK_STORE,
    SASS_WORK_NONE, /* of the machine code alone, such as marks of reconvergence points */
    SASS_WORK_COUNT
};

/* A machine instruction. */
struct sass_copy {
    uint32_t line;      /* of the PTX, 0 unknown */
    uint32_t signature; /* opcode and modifiers: equal for instructions that do the same */
    uint8_t work;       /* enum sass_work */
    bool guarded;       /* predicated; it is executed whenever its block is */
};

/* A line of the PTX. */
struct sass_line {
    bool known;       /* the line has an instruction that was counted */
    bool guarded;     /* predicated in the PTX too */
    uint8_t work;     /* enum sass_work */
    uint32_t piece;   /* its straight piece of code, all of whose lines ran equally often */
    uint64_t runs;    /* executions by warps */
    double trips;     /* of a backward branch: trips of its loop per entry, on average; 0: unknown */
    uint64_t splits;  /* of a conditional branch: executions with threads going both ways */
    bool may_be_slow; /* a division or root that calls a routine for unusual operands */
    uint64_t slow;    /* executions by warps with such operands */
    const struct loop_trips *loop; /* of a backward branch: trips of its loop; NULL: not known */
    uint32_t head;                 /* of a backward branch: the line that it goes to */
    uint32_t parts; /* like instructions that it may become, such as the halves of a 64-bit one; 0: one */
    bool several;   /* the line has several instructions, and `work` is OTHER */
    bool uneven; /* these did not run equally often: `runs` is the most, and the piece is the line's alone */
    uint32_t count[SASS_WORK_COUNT]; /* of several: instructions by their work */
    uint32_t merged; /* like lines of which the compiler merged some into others, numbered from 1; 0: none */
    bool lost;       /* of those: merged into another, whose instructions ran as often as both */
};

enum { SASS_MAX_INSTRUCTIONS = 250000 };

/* Finds the executions of each block, runs[graph->block_count], and the traversals of each edge,
 * traversals[graph->edge_count]. warps: warps that start the kernel, at least 1. False and a one-line message: the kernel is
 * too big, nothing ties the code to lines, or memory is short. The same input gives the same output to the bit. solved: keeps
 * linear programmes with their solutions; all are per warp, so launches of more warps that do the same have one; may be NULL. */
bool sass_solve_executions(const struct sass_graph *graph, const struct sass_copy *copies,
                           const struct sass_line *lines, uint32_t line_count, uint64_t warps,
                           struct memo *solved, double *runs, double *traversals, char *error,
                           size_t error_size);

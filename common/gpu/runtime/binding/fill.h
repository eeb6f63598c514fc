/*
 * fill.h: what the files of binding/ share. fill.c makes machine code for the time model: each instruction has its pipe
 * and scheduling, and the accesses of the PTX line that it was made of. Private to gpu/runtime/.
 */
#ifndef RUNTIME_MACHINE_FILL_H
#define RUNTIME_MACHINE_FILL_H

#include "gpu/runtime/binding/binding.h"

/* Whether an atomic on shared memory is a loop of compare and swap in the machine code, for the banks have no adder for
 * it. Lanes at one bank take turns, and so do other warps. */
bool binding_loops_inside(const struct ptx_instruction *instruction);

/* Fills in the kernel's code; runs[]: executions of each block, traversals[]: traversals of each edge. False: out of memory;
 * code is then empty. */
struct binding_accesses;
bool binding_fill(const struct gpu_model *model, const struct sass_kernel *kernel,
                  const struct binding_accesses *accesses, const double *runs, const double *traversals,
                  struct gpu_code *code);
/* What share of the trips of sums in shared memory goes to a block's busiest word. */
void binding_share_sums(const struct simt_result *result, struct gpu_code *code);
/* bytes: of the module's constants. */
void binding_spread_constants(const struct gpu_model *model, struct gpu_code *code, uint32_t bytes);

/* What a machine instruction is for the time model: enum gpu_access. */
uint8_t binding_access_of(const struct sass_instruction *in);

/* ---- accesses.c: what the accesses of each machine instruction took. */

enum binding_kind {
    NO_ACCESS,
    LOADS,
    STORES,
    SHARED_LOADS,
    SHARED_STORES,
    LOCAL_LOADS,
    LOCAL_STORES,
    CONSTANTS,
    ATOMICS,
    BINDING_KINDS
};
enum binding_kind binding_ptx_kind(const struct ptx_instruction *in);
/* Bytes that a thread accesses; 0: no element says. */
uint32_t binding_ptx_bytes(const struct ptx_instruction *in);

/* lines: of the PTX; runs[]: executions of each block. All of them outlive the result. NULL: out of memory. */
struct binding_accesses *binding_accesses_find(const struct sass_kernel *kernel,
                                               const struct simt_result *result,
                                               const struct sass_line *lines, const double *runs);
void binding_accesses_free(struct binding_accesses *accesses);
/* Share of the requests of a kind that no machine instruction does, the largest of all kinds. */
double binding_missing(const struct binding_accesses *accesses);
/* What the requests took that a machine instruction shares with *executed executions of its like. False: none. */
bool binding_access(const struct binding_accesses *accesses, uint32_t instruction, struct simt_execution *sum,
                    double *executed);

/* What kind of work an instruction is: enum sass_work. */
uint8_t binding_work_of(const struct ptx_instruction *instruction);

/* ---- merged.c: finds lines that the compiler merged into others, and numbers both (gpu/sass/executions.h). *absent: the
 * share of the executed work in blocks of which there is no machine instruction. False: out of memory. */
bool binding_mark_merged(const struct sass_kernel *kernel, const struct simt_result *result,
                         const struct ptx_module *program, struct sass_line *lines, uint32_t line_count,
                         double *absent);

/* Whether the executions of the machine code's blocks reach what the PTX did, by lines that stay what they are. False and a
 * one-line message. */
bool binding_matches(const struct sass_kernel *kernel, const struct sass_line *lines, uint32_t line_count,
                     const double *runs, char *error, size_t error_size);

/* ---- places.c: the source line of each machine instruction. */

struct binding_place {
    const char *file; /* ""; and line 0: not known */
    uint32_t line;
    uint32_t instruction;
};

/* The places of all kernel->count instructions, by file, line and place in the code. An instruction of a header's
 * function has the line that calls it, as in a report. NULL: out of memory; free it. */
struct binding_place *binding_places(const struct sass_kernel *kernel, const struct ptx_module *program,
                                     const struct simt_result *result);
/* How many of places[0 .. count), from the first on, have its line; count is at least 1. */
uint32_t binding_places_alike(const struct binding_place *places, uint32_t count);

#endif

/*
 * fill.h: machine code as the time model takes it: of each instruction its pipe and scheduling, and what its accesses took
 * in the PTX line that it was made of. Private to gpu/runtime/.
 */
#ifndef RUNTIME_MACHINE_FILL_H
#define RUNTIME_MACHINE_FILL_H

#include "gpu/runtime/binding/binding.h"

/* What the banks of shared memory have no adder for is a loop of the machine code, which compares and swaps: lanes that meet at a
 * bank take turns, and so do other warps, which take some of them. */
bool binding_loops_inside(const struct ptx_instruction *instruction);

/* The kernel's code, of whose blocks and edges runs[] and gone[] say how often each was executed. False: out of memory; code is
 * empty then. */
bool binding_fill(const struct gpu_model *model, const struct sass_kernel *kernel,
                  const struct simt_result *result, const double *runs, const double *gone,
                  struct gpu_code *code);
/* bytes: of the module's constants. */
void binding_spread_constants(const struct gpu_model *model, struct gpu_code *code, uint32_t bytes);

/* ---- places.c: the source line of each machine instruction. */

struct binding_place {
    const char *file; /* ""; and line 0: not known */
    uint32_t line;
    uint32_t instruction;
};

/* Of all of a kernel's instructions, by file, line and place in the code; kernel->count of them. As the lines of a report:
 * what stands in a header is told of the line that calls it. NULL: out of memory; free it. */
struct binding_place *binding_places(const struct sass_kernel *kernel, const struct ptx_module *program,
                                     const struct simt_result *result);
/* How many of places[0 .. count), one at least, are of the first's line. */
uint32_t binding_places_alike(const struct binding_place *places, uint32_t count);

#endif

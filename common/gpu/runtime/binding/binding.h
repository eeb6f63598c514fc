/*
 * binding.h: ties a module's machine code to the PTX that is executed, and finds what a launch executed of the machine
 * code. The simulator knows no machine code, and sass/ knows no PTX.
 */
#ifndef RUNTIME_MACHINE_H
#define RUNTIME_MACHINE_H

#include "gpu/runtime/binding/ptxas.h"
#include "gpu/sass/kernel.h"
#include "gpu/simt/simt.h"
#include "gpu/time/code.h"
#include "gpu/time/gpus.h"
#include "report/document/kernel_report.h"

/* One kernel, read when it is first launched. */
struct binding_kernel {
    const char *name; /* mangled; the cubin's */
    bool tried, usable;
    struct sass_kernel code;
    char why[128]; /* why it is not usable, as a line */
};

/* One cubin. */
struct binding_binary {
    void *bytes;
    struct cubin cubin;
    struct binding_kernel *kernels; /* as in cubin */
};

struct binding {
    struct binding_binary own;  /* the program's */
    struct binding_binary made; /* what ptxas made of the PTX; empty: it was not asked, or failed */
    char *text;                 /* the PTX that is executed, one file; NULL: several, or none */
    size_t text_bytes;
    struct ptxas_options options; /* of that PTX */
    bool foreign;                 /* the program's own machine code is of another generation */
    bool asked;                   /* ptxas was asked */
    char why[192];                /* why ptxas failed, as a line; "": it did not */
};

/* Takes over a cubin's bytes and the PTX text; both are from malloc and may be NULL. `cubin` was read from the bytes. Code
 * of another generation than `compute_major`, the GPU's, is not used. */
void binding_take(struct binding *binding, void *bytes, const struct cubin *cubin, char *text,
                  size_t text_bytes, const struct ptxas_options *options, uint32_t compute_major);
void binding_free(struct binding *binding);

/* If no machine code of the program's own is usable for this kernel, has ptxas compile the whole PTX, once. True: ptxas
 * was asked now and failed; binding->why says why. */
bool binding_make(struct binding *binding, const char *name, const struct ptxas *ptxas,
                  uint32_t architecture);
/* The machine code that ptxas made of this kernel; NULL: none, or the program's own is of the chip's generation. */
const struct cubin_kernel *binding_made(const struct binding *binding, const char *name);

/* The machine code with what the launch executed of it, for the time model; free with gpu_code_free. *made: ptxas made
 * the code. solved: as sass_solve_executions takes it. False and a one-line message: there is no machine code of this
 * kernel, or none that fits its PTX. */
bool binding_code(struct binding *binding, const struct ptx_module *program, const struct gpu_model *model,
                  const struct simt_launch *launch, const struct simt_result *result, struct memo *solved,
                  struct gpu_code *code, bool *made, char *error, size_t error_size);
/* One more than the last line of the PTX with a part of an executed instruction. */
uint32_t binding_ptx_lines(const struct simt_result *result);
/* The machine code of a kernel that binding_code was asked for; NULL: it is not usable. */
const struct sass_kernel *binding_find(struct binding *binding, const char *name);
/* Why warps waited, in the launch and at each source line, as the time model found. *waits stays empty if the time is
 * not by the code. False: out of memory. */
bool binding_waits(struct binding *binding, const struct ptx_module *program, const char *name,
                   const struct simt_result *result, const struct gpu_code *code, const struct gpu_time *time,
                   struct kernel_waits *waits);
/* What-ifs of a launch that `time` was modelled from. False: out of memory. */
bool binding_what_ifs(struct binding *binding, const struct ptx_module *program, const char *name,
                      const struct simt_result *result, const struct gpu_model *model,
                      const struct gpu_launch *how, const struct gpu_time *time,
                      struct kernel_what_ifs *what_ifs);
enum binding_spin { SPIN_NONE, SPIN_GRID, SPIN_WARPS, SPIN_BLOCKS };
/* Whether warps entered a loop in which they wait for what others write: all blocks of a grid that synchronises,
 * another warp of their block to shared memory, another block to global memory. Counts of the trips that
 * wait for the grid become those of one each; *grid_syncs: how many, of all blocks. */
enum binding_spin binding_spins(const struct ptx_module *program, struct simt_result *result,
                                uint64_t *grid_syncs);
/* What the modelled time of a launch leaves out, as a line, or "". */
const char *binding_left_out(const struct simt_result *result);
/* What the launch executed of its code at each source line. counters: those of binding_count. False: out of memory. */
bool binding_executed(struct binding *binding, const struct ptx_module *program, const char *name,
                      const struct simt_result *result, const struct gpu_code *code,
                      const struct counters *counters, struct kernel_executed *executed);
/* Bytes of the code; bytes of the busiest blocks, which hold 95 % of the executed instructions. */
void binding_bytes(const struct gpu_code *code, uint32_t *all, uint32_t *hot);
/* Fills in the counters of the machine code. */
void binding_count(const struct gpu_code *code, struct counters *counters);

#endif

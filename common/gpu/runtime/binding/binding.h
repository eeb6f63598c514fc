/*
 * binding.h: a module's machine code beside the PTX that is run: what a launch executed of it, from the simulator's
 * executions of the PTX. The simulator knows no machine code, and sass/ no PTX: here they meet.
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
    char why[128]; /* not usable: a line that says why */
};

/* One cubin. */
struct binding_binary {
    void *bytes;
    struct cubin cubin;
    struct binding_kernel *kernels; /* as in cubin */
};

struct binding {
    struct binding_binary own;  /* the program's */
    struct binding_binary made; /* of the PTX, by ptxas; empty where that was not asked or could not */
    char *text;                 /* the PTX that is run, one file; NULL: several, or none */
    size_t text_bytes;
    struct ptxas_options options; /* of that PTX */
    bool foreign;                 /* its own machine code is of another generation */
    bool asked;                   /* ptxas was; */
    char why[192];                /* and could not: a line that says why */
};

/* Take over a cubin's bytes and the PTX text (both from malloc, both may be NULL). `cubin` was read from the bytes. Code of
 * another generation than the GPU's, `compute_major`, says nothing of it. */
void binding_take(struct binding *binding, void *bytes, const struct cubin *cubin, char *text,
                  size_t text_bytes, const struct ptxas_options *options, uint32_t compute_major);
void binding_free(struct binding *binding);

/* Where none of the program's own machine code of this kernel can be used, have ptxas make that of the whole PTX, once. True:
 * it was asked now and could not; binding->why says why. */
bool binding_make(struct binding *binding, const char *name, const struct ptxas *ptxas,
                  uint32_t architecture);
/* What ptxas made of this kernel, in place of code of another generation or of none; NULL: the program's own is the
 * chip's, or nothing was made. */
const struct cubin_kernel *binding_made(const struct binding *binding, const char *name);

/* What the launch executed of its machine code, as the time model takes it; free with gpu_code_free. *made: it is what ptxas
 * made. False and a one-line message when there is no machine code of this kernel, or none that can be tied to its PTX. */
bool binding_code(struct binding *binding, const struct gpu_model *model, const struct simt_launch *launch,
                  const struct simt_result *result, struct gpu_code *code, bool *made, char *error,
                  size_t error_size);
/* One more than the last line of the PTX that has a part of an instruction among those that ran. */
uint32_t binding_ptx_lines(const struct simt_result *result);
/* The machine code of a kernel that binding_code was asked for; NULL: it is not usable. */
const struct sass_kernel *binding_find(struct binding *binding, const char *name);
/* Why warps waited, in the launch and at each source line: what the time model found of code. *waits is empty and stays so where
 * it did not go by the code. False: out of memory. */
bool binding_waits(struct binding *binding, const struct ptx_module *program, const char *name,
                   const struct simt_result *result, const struct gpu_code *code, const struct gpu_time *time,
                   struct kernel_waits *waits);
/* What of a launch its time leaves out, as far as that is known: a line, or "". */
const char *binding_left_out(const struct simt_result *result);
/* What the launch executed of its code at each source line; counters: those of binding_count. False: out of memory. */
bool binding_executed(struct binding *binding, const struct ptx_module *program, const char *name,
                      const struct simt_result *result, const struct gpu_code *code,
                      const struct counters *counters, struct kernel_executed *executed);
/* Bytes of all of it; of the blocks in which 95 of 100 executed instructions lie, the busiest ones. */
void binding_bytes(const struct gpu_code *code, uint32_t *all, uint32_t *hot);
/* The machine code's counters of *counters, of such code. */
void binding_count(const struct gpu_code *code, struct counters *counters);

#endif

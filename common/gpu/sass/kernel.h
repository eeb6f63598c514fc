/*
 * kernel.h: a kernel's machine code, read once and used by each launch: its instructions, the PTX line of each, and the
 * control-flow graph.
 */
#pragma once

#include "gpu/sass/cubin.h"
#include "gpu/sass/executions.h"
#include "gpu/sass/instruction.h"

struct sass_kernel {
    uint32_t count;
    struct sass_instruction *instructions;
    struct sass_copy *copies; /* per instruction: its PTX line and the work that it does */
    struct sass_graph graph;
};

/* Reads a kernel of a cubin that was compiled with -lineinfo from this PTX text. False and a one-line message: another
 * text, no lines, an unknown architecture, malformed or too large code. Free with sass_kernel_free. */
bool sass_kernel_read(struct sass_kernel *kernel, const struct cubin *cubin, const struct cubin_kernel *from,
                      const char *text, size_t length, char *error, size_t error_size);
void sass_kernel_free(struct sass_kernel *kernel);

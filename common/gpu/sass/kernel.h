/*
 * kernel.h: a kernel's machine code, read: what each instruction is, of which PTX line it was made, the graph. What a launch
 * is counted with.
 */
#ifndef SASS_KERNEL_H
#define SASS_KERNEL_H

#include "gpu/sass/cubin.h"
#include "gpu/sass/executions.h"
#include "gpu/sass/instruction.h"

struct sass_kernel {
    uint32_t count;
    struct sass_instruction *instructions;
    struct sass_copy *copies; /* of each */
    struct sass_graph graph;
};

/* Read a kernel of a cubin that was compiled with -lineinfo from this PTX text. False and a one-line message when that
 * cannot be: another text, no lines, an architecture that is not known, code that is malformed or too large. Free with
 * sass_kernel_free. */
bool sass_kernel_read(struct sass_kernel *kernel, const struct cubin *cubin, const struct cubin_kernel *from,
                      const char *text, size_t length, char *error, size_t error_size);
void sass_kernel_free(struct sass_kernel *kernel);

#endif

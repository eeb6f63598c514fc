/* print.h: a checked program as text, for people. */
#ifndef PTX_PRINT_H
#define PTX_PRINT_H

#include "gpu/ptx/program.h"
#include <stdio.h>

/* One line per function: kind, instructions, register file, shared and local bytes, what it uses. */
void ptx_print_summary(FILE *out, const struct ptx_module *module);
/* Every instruction of a function with its slots (r4, r6:7 for 64 bits, p0), targets and reconvergence points. */
void ptx_print_function(FILE *out, const struct ptx_module *module, const struct ptx_function *function);

#endif

/* places.h: the source line of each machine instruction. Private to gpu/runtime/. */
#ifndef RUNTIME_MACHINE_PLACES_H
#define RUNTIME_MACHINE_PLACES_H

#include "gpu/runtime/binding/binding.h"

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

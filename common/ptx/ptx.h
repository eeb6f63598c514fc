/* ptx.h: PTX text in, checked program out. The face of this room. */
#ifndef PTX_PTX_H
#define PTX_PTX_H

#include "ptx/program.h"

/* Where and why a program was refused. message is one line that names the instruction and what to do. */
struct ptx_error {
    uint32_t ptx_line;
    char source_file[256];
    uint32_t source_line;
    char message[512];
};

/*
 * Parse `length` bytes of PTX text (a trailing NUL is allowed) into a checked program. Returns NULL and fills *error
 * when the text is malformed or uses what the simulator does not run (textures, tensor cores, dynamic parallelism,
 * clusters, ...): refused whole, never skipped. Any byte string is safe to pass. Free with ptx_module_free.
 */
struct ptx_module *ptx_parse(const char *text, size_t length, struct ptx_error *error);
void ptx_module_free(struct ptx_module *module);

/* Index of an entry or function by its (mangled) name, -1 if absent. */
int ptx_find_function(const struct ptx_module *module, const char *name);
int ptx_find_symbol(const struct ptx_module *module, const char *name);

#endif

/* ptx.h: PTX text in, checked program out. The face of this room. */
#ifndef PTX_PTX_H
#define PTX_PTX_H

#include "gpu/ptx/program.h"

#include <stdio.h>

/* Where and why a whole text was refused. message is one line that names the instruction and what to do. */
struct ptx_error {
    uint32_t ptx_line;
    char source_file[256];
    uint32_t source_line;
    char message[512];
};

/*
 * Parse `length` bytes of PTX text (a trailing NUL is allowed) into a checked program. Returns NULL and fills *error
 * when the text is malformed. A function that uses what the simulator does not run (textures, tensor cores, dynamic
 * parallelism, clusters, ...) is refused alone: it and whatever calls it have a `refusal`, the others run. Any byte
 * string is safe to pass. Free with ptx_module_free.
 */
struct ptx_module *ptx_parse(const char *text, size_t length, struct ptx_error *error);

/*
 * The same of several texts, the files of one program, linked: .extern names are resolved by what another text defines
 * .visible or .weak, other names belong to their text alone, of several weak definitions one counts. A function that names
 * what no text defines is refused.
 */
struct ptx_text {
    const char *text;
    size_t length;
};
struct ptx_module *ptx_link(const struct ptx_text *texts, uint32_t count, struct ptx_error *error);
void ptx_module_free(struct ptx_module *module);

/* Of a function with a refusal: "kernel blur uses textures (tex.2d.v4.f32.f32, blur.cu:12), which are not simulated; read
 * the data with ordinary loads". */
void ptx_refusal_text(const struct ptx_module *module, const struct ptx_function *function, char *text,
                      size_t size);

/* Index of an entry or function by its (mangled) name, -1 if absent. */
int ptx_find_function(const struct ptx_module *module, const char *name);
int ptx_find_symbol(const struct ptx_module *module, const char *name);

/* ---- print.c: a checked program as text, for people. */
/* One line per function: kind, instructions, register file, shared and local bytes, what it uses. */
void ptx_print_summary(FILE *out, const struct ptx_module *module);
/* Every instruction of a function with its slots (r4, r6:7 for 64 bits, p0), targets and reconvergence points. */
void ptx_print_function(FILE *out, const struct ptx_module *module, const struct ptx_function *function);

#endif

/* ptx.h: turns PTX text into a checked program. */
#pragma once

#include "gpu/ptx/program.h"

#include <stdio.h>

/* Where and why a text was refused. The message, a line, names the instruction and the cure. */
struct ptx_error {
    uint32_t ptx_line;
    char source_file[256];
    uint32_t source_line;
    char message[512];
};

/* Parses `length` bytes of PTX text (a trailing NUL is allowed) into a checked program. NULL and
 * *error: the text is malformed. A function that uses what is not simulated (textures, sparse products,
 * dynamic parallelism, ...) is refused alone: it and its callers have a `refusal`,
 * the others run. Any bytes are safe to pass. Free with ptx_module_free. */
struct ptx_module *ptx_parse(const char *text, size_t length, struct ptx_error *error);

/* Parses and links several texts, the files of one program. .extern names are resolved to another
 * text's .visible or .weak definition; other names belong to their text alone. Of several weak
 * definitions one counts. A function that names an undefined one is refused. */
struct ptx_text {
    const char *text;
    size_t length;
};
struct ptx_module *ptx_link(const struct ptx_text *texts, uint32_t count, struct ptx_error *error);
void ptx_module_free(struct ptx_module *module);

/* Prints a refusal: "kernel blur uses textures (tex.2d.v4.f32.f32, blur.cu:12), which are not
 * simulated; read the data with ordinary loads". */
void ptx_refusal_text(const struct ptx_module *module, const struct ptx_function *function, char *text,
                      size_t size);

/* Index of an entry or function by its (mangled) name; -1: there is none. */
int ptx_find_function(const struct ptx_module *module, const char *name);
int ptx_find_symbol(const struct ptx_module *module, const char *name);

/* ---- print.c: a checked program as text */
/* Prints a line for each function: kind, instructions, registers, shared and local bytes, uses. */
void ptx_print_summary(FILE *out, const struct ptx_module *module);
/* Prints every instruction of a function with its slots (r4, r6:7 for 64 bits, p0), targets and
 * reconvergence points. */
void ptx_print_function(FILE *out, const struct ptx_module *module, const struct ptx_function *function);

/* support_parse.h: small programs for the tests of this room. */
#pragma once

#include "gpu/ptx/ptx.h"

/* The head every module needs. */
#define HEAD ".version 8.0\n.target sm_80\n.address_size 64\n"
/* An entry "k" with a pointer parameter "p", registers and a body. */
#define ENTRY(body)                                                                                          \
    HEAD ".visible .entry k(.param .u64 p)\n{\n.reg .pred %p<9>;\n.reg .b16 %rs<9>;\n.reg .b32 %r<99>;\n"    \
         ".reg .f32 %f<9>;\n.reg .b64 %rd<99>;\n.reg .f64 %fd<9>;\n" body "\n}\n"

/* Parses text that must be right; else the test fails with the message. The result is checked for
 * consistency. */
struct ptx_module *parse(const char *text);
/* Parses text that must be refused; the message must contain all words (up to NULL). */
void refuse(const char *text, ...);
/* Parses text whose kernel "k", and no other, must be refused; the reason must contain all words
 * (up to NULL). */
void refuse_kernel(const char *text, ...);
/* The function "k" of a module. */
const struct ptx_function *kernel(const struct ptx_module *module);
/* The n-th instruction of "k" with this opcode; fails the test when there is none. */
const struct ptx_instruction *find(const struct ptx_module *module, enum ptx_opcode opcode, int n);
const struct ptx_operand *operand(const struct ptx_module *module, const struct ptx_instruction *instruction,
                                  int n);
/* A whole file; NULL when it cannot be read. Freed by the caller. */
char *read_text(const char *path, size_t *length);
/* Path of a compiled kernel, "half.sm_90.ptx"; "": their folder. Valid until the next call. */
const char *compiled_path(const char *name);

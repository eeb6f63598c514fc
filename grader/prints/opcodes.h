/* opcodes.h: compiled kernels, as their PTX has them, without what a person changes in the source and the compiler drops again:
 * names, macros, brackets, statements without effect, the order of functions. */
#pragma once

#include "prints/winnow.h"

#include <stdint.h>

/* A run of so many opcodes in a row has a hash. */
enum { OPCODES_RUN = 12 };

/* The opcodes of a PTX text with their types, in order; no operands, labels, directives, and no moves, which come and go with
 * the compiler's release. inline_too: also those of inline PTX, between nvcc's comments. Any bytes are safe to pass. Returns how many, in *tokens for the caller to free; *tokens is NULL
 * without memory. */
size_t opcodes_read(const char *ptx, size_t length, bool inline_too, struct token **tokens);

/* Those that arithmetic of integers, compares and branches strewn between them do not change:
 * accesses of memory, floating point, dot products, shuffles, barriers. Leaves them in *tokens;
 * returns how many. */
size_t opcodes_steady(const char *ptx, struct token *tokens, size_t count);

/* Of steady opcodes a run is so long. Their fingerprints have the highest bit, the others have not. */
enum { STEADY_RUN = 16 };
#define STEADY_BIT (UINT64_C(1) << 63)

/* Their fingerprints, tidied, so that steady ones come last: with inline PTX, and without, so that
 * neither a kernel pasted as PTX nor PTX strewn between a kernel's instructions hides it. False
 * without memory. */
bool opcodes_prints(const char *ptx, size_t length, struct fingerprint **prints, size_t *count);

/* The same as text, 16 hexadecimal digits each, at most `most` of them and of the steady ones: for
 * the caller to free; NULL without memory. */
char *opcodes_prints_text(const char *ptx, size_t length, size_t most);
/* From that text. False: it is none, or without memory. */
bool opcodes_prints_parse(const char *text, struct fingerprint **prints, size_t *count);

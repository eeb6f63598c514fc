/*
 * lines.h: which line of the PTX text each machine instruction was made of. ptxas -lineinfo leaves it in
 * .nv_debug_line_sass, a line-number program as DWARF 2 section 6.2 has it, of which only address and line mean
 * anything; .nv_debug_ptx_txt holds the text that was compiled, its lines ended by NULs, without .loc.
 */
#ifndef SASS_LINES_H
#define SASS_LINES_H

#include "gpu/sass/cubin.h"

/* Whether the cubin has a table of lines at all. */
bool sass_has_lines(const struct cubin *cubin);

/* The PTX line of each of the kernel's `count` instructions of 16 bytes, 0 where none is known. False and a one-line
 * message when the table is absent or malformed; lines[] is then all zeros. */
bool sass_read_lines(const struct cubin *cubin, const struct cubin_kernel *kernel, uint32_t count,
                     uint32_t *lines, char *error, size_t error_size);

/* Whether the machine code was made of this text: every line of it that has an instruction and is in lines[0 .. count) is
 * the same there, comments and blanks aside; lines[] are then the text's, which has lost those inside of comments. False also when the
 * cubin has no text, or memory is short. */
bool sass_lines_in(const struct cubin *cubin, const char *text, size_t length, uint32_t *lines,
                   uint32_t count);

#endif

/*
 * cubin.h: the kernels of a cubin: code, registers, shared, local and constant memory, the largest block. A cubin is an
 * ELF file; nothing in it is executed here.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cubin_kernel {
    const char *name;        /* mangled; points into the cubin's bytes */
    uint32_t registers;      /* per thread */
    uint32_t static_shared;  /* bytes per block */
    uint32_t local_bytes;    /* stack frame per thread, spills included */
    uint32_t constant_bytes; /* the module's own __constant__ memory */
    uint32_t max_threads;    /* __launch_bounds__ or required block, 0 none */
    uint32_t
        spill_bytes; /* per thread, of marked instructions: "bytes spill stores" of ptxas -v; "loads" where none */
    bool
        spills_marked; /* the compiler marks what spills (CUDA 13 on); else spill_bytes is 0 and says nothing */
    uint32_t section;    /* index of its section */
    const uint8_t *code; /* inside the cubin's bytes */
    uint64_t code_bytes;
    /* The compiler's list of targets of indirect branches, in words of 32 bits. Each branch has its offset in the code, 0,
     * the number of targets, and their offsets. NULL: there is no list. */
    const uint8_t *branches;
    uint32_t branches_bytes;
};

struct cubin {
    uint32_t count;
    struct cubin_kernel *kernels;
    const void *bytes; /* as given to cubin_parse */
    size_t size;
    uint32_t architecture;
};

/* Reads the kernels' resources from an ELF cubin for this architecture (90 for sm_90). False and a one-line message: it
 * is malformed, or memory is short. Any byte string is safe. Free with cubin_free; `bytes` must outlive the cubin. */
bool cubin_parse(const void *bytes, size_t size, uint32_t architecture, struct cubin *cubin, char *error,
                 size_t error_size);
void cubin_free(struct cubin *cubin);
/* NULL if the cubin has no such kernel. */
const struct cubin_kernel *cubin_find(const struct cubin *cubin, const char *name);

/* ---- lines.c: the PTX line of which each machine instruction was made. ptxas -lineinfo leaves it in
 * .nv_debug_line_sass, a line-number program (DWARF 2, section 6.2) of which only address and line mean
 * anything. .nv_debug_ptx_txt holds the compiled text, its lines ended by NULs, without .loc. */
/* The PTX line of each of the kernel's `count` instructions of 16 bytes, 0 where none is known. False and a one-line
 * message when the table is absent or malformed; lines[] is then all zeros. */
bool sass_read_lines(const struct cubin *cubin, const struct cubin_kernel *kernel, uint32_t count,
                     uint32_t *lines, char *error, size_t error_size);

/* Whether the machine code was made of this text: every line in lines[0 .. count) that has an instruction is the same in
 * both, comments and blanks aside. lines[] then become line numbers of the text, which has lost the lines inside of
 * comments. False also if the cubin has no text, or memory is short. */
bool sass_lines_in(const struct cubin *cubin, const char *text, size_t length, uint32_t *lines,
                   uint32_t count);

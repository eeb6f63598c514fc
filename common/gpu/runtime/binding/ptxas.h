/*
 * ptxas.h: the machine code that ptxas makes of PTX text for a chip, with its table of lines, kept from run to run. ptxas
 * is a program like any other: bounded in time, memory and output, it gets an empty environment, and all that passes
 * between it and us lies in memory. Its input may be any bytes; so is its output to whoever reads it.
 */
#ifndef RUNTIME_PTXAS_H
#define RUNTIME_PTXAS_H

#include "base/path.h"
#include <stddef.h>
#include <stdint.h>

struct ptxas {
    const char *program;   /* without a slash it is looked for in PATH; NULL: it is not to be asked */
    char cache[PATH_SIZE]; /* a folder, made when needed; "": nothing is kept */
    double seconds;        /* that it may take, */
    double quiet_seconds;  /* and after which standard error says what is waited for */
    uint64_t memory_bytes, output_bytes;
    uint64_t cache_bytes; /* of all that is kept */
};

/* What a program's own options say of how its PTX is to be compiled; all zero: nothing. */
struct ptxas_options {
    uint32_t registers; /* at most, 0: not bounded */
    char level;         /* of optimisation, '0' to '3'; 0: not said */
    bool apart;         /* products and sums are not made one */
    bool debug;         /* as nvcc -G has it: not optimised */
    bool specific;      /* for exactly that chip: sm_90a */
};

/* This program, within the usual bounds; its cache in XDG_CACHE_HOME, or .cache in HOME. */
void ptxas_init(struct ptxas *ptxas, const char *program);

/* Of a fat binary's options those that change the machine code; others mean nothing here. */
void ptxas_read_options(const char *text, size_t length, struct ptxas_options *options);

/* The cubin of a PTX text for sm_<architecture>, *size bytes for the caller to free. NULL and a line: there is none. */
void *ptxas_make(const struct ptxas *ptxas, const char *text, size_t length, uint32_t architecture,
                 const struct ptxas_options *options, size_t *size, char *error, size_t error_size);

/* ptxas_cache.c: what is kept under a key, a file's name; NULL: nothing, or it is damaged. Keep it: then what was used
 * longest ago goes until there are at most `most` bytes. A cache that cannot be written only costs time. */
void *ptxas_cache_find(const char *folder, const char *key, size_t most, size_t *size);
void ptxas_cache_keep(const char *folder, const char *key, const void *bytes, size_t size, uint64_t most);

#endif

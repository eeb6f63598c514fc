/*
 * ptxas.h: machine code that ptxas makes of PTX text for a chip, with its table of lines, cached from run to run. ptxas
 * runs with bounds on time, memory and output and with an empty environment; its files lie in memory. Its input may be
 * any bytes, and its output is read as untrusted bytes.
 */
#ifndef RUNTIME_PTXAS_H
#define RUNTIME_PTXAS_H

#include "base/path.h"
#include <stddef.h>
#include <stdint.h>

struct ptxas {
    const char *program;   /* without a slash it is looked for in PATH; NULL: ptxas is never run */
    char cache[PATH_SIZE]; /* a folder, made when needed; "": no cache */
    double seconds;        /* s that ptxas may take */
    double quiet_seconds;  /* s after which standard error says what is waited for */
    uint64_t memory_bytes, output_bytes;
    uint64_t cache_bytes; /* bytes that the cache may hold */
};

/* A program's own options for the compilation of its PTX; all zero: none. */
struct ptxas_options {
    uint32_t registers; /* most registers of a thread; 0: no bound */
    char level;         /* level of optimisation, '0' to '3'; 0: the default */
    bool apart;         /* -fmad=false: products and sums are not contracted */
    bool debug;         /* -G: no optimisation */
    bool specific;      /* for exactly this chip: sm_90a */
};

/* A ptxas with the usual bounds; its cache is in XDG_CACHE_HOME, or .cache in HOME. */
void ptxas_init(struct ptxas *ptxas, const char *program);

/* Reads from a fat binary's options those that change the machine code, and passes the others over. */
void ptxas_read_options(const char *text, size_t length, struct ptxas_options *options);

/* Compiles a PTX text for sm_<architecture>. Returns a cubin of *size bytes, which the caller frees. NULL and a line on failure. */
void *ptxas_make(const struct ptxas *ptxas, const char *text, size_t length, uint32_t architecture,
                 const struct ptxas_options *options, size_t *size, char *error, size_t error_size);

/* ptxas_cache.c: reads what is cached under a key, a file's name; NULL: nothing, or it is damaged. Or writes it: then the
 * least recently used files go until at most `most` bytes are left. A cache that cannot be written only costs time. */
void *ptxas_cache_find(const char *folder, const char *key, size_t most, size_t *size);
void ptxas_cache_keep(const char *folder, const char *key, const void *bytes, size_t size, uint64_t most);

#endif

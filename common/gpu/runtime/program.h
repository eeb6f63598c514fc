/* program.h: what a program's file says of itself: whether it can run here, and which CUDA runtime it asks for. */
#ifndef RUNTIME_PROGRAM_H
#define RUNTIME_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>

struct program_facts {
    bool elf;            /* a 64-bit ELF file of this byte order; else nothing below is known */
    unsigned machine;    /* its e_machine */
    bool dynamic;        /* it is loaded by the dynamic loader */
    bool kernels;        /* it holds kernels (a fat binary) */
    bool shared_runtime; /* it takes the CUDA runtime from libcudart.so */
};

/* Read what `bytes` of a file say. Any byte string is safe to pass. */
void program_examine(const void *bytes, size_t size, struct program_facts *facts);

/* The same of a file; false: it cannot be read. */
bool program_examine_file(const char *path, struct program_facts *facts);

/* Whether it holds kernels and a runtime of its own, as nvcc builds without -cudart shared: it finds no simulated GPU. */
bool program_has_static_runtime(const struct program_facts *facts);

/* ---- run_check.c: whether a command line's program can run on the simulated GPU, before it is started. */

/*
 * Look at the program that `command`, a line for the shell, starts. False, and one line that says why not and what to
 * do: it is not there, is no program, is for another machine, or holds a CUDA runtime of its own. True of whatever
 * cannot be told from here: a word of the shell's, an expansion, a script.
 */
bool run_check(const char *command, char *message, size_t size);

#endif

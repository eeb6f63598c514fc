/* program.h: whether a program can run on the simulated GPU, by its file. */
#ifndef RUNTIME_PROGRAM_H
#define RUNTIME_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>

struct program_facts {
    bool elf;            /* a 64-bit ELF file of this byte order; false: nothing below is known */
    unsigned machine;    /* its e_machine */
    bool dynamic;        /* it is loaded by the dynamic loader */
    bool kernels;        /* it holds a fat binary */
    bool shared_runtime; /* it takes the CUDA runtime from libcudart.so */
    bool own_runtime;    /* it holds a fat binary and a runtime, as nvcc builds without -cudart shared;
                          * such a program finds no simulated GPU */
};

/* Reads the facts from the bytes of a file. Any byte string is safe to pass. */
void program_examine(const void *bytes, size_t size, struct program_facts *facts);

/* Reads the facts from a file; false: it cannot be read. */
bool program_examine_file(const char *path, struct program_facts *facts);

/* ---- run_check.c: whether a command line's program can run on the simulated GPU, before it is started. */

/*
 * Looks at the program that `command`, a line for the shell, starts. False, and one line that says why and what to do: the
 * program is not there, is none, is for another machine, or holds a CUDA runtime of its own. True also of commands that
 * cannot be judged by their words: a word of the shell's, an expansion, a script.
 */
bool run_check(const char *command, char *message, size_t size);

#endif

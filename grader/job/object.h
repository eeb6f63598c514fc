/*
 * object.h: is an object file one that an honest kernel.cu compiles to? It defines the lab's function, and no function
 * that the runner or the CUDA runtime defines. Before main it runs nothing but the initialisation of C++ variables. It
 * references nothing that a kernel.cu does not need. Any bytes are safe to pass.
 */
#pragma once

#include "report/document/flags.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- object_names.c: the names by which the parts of a program find each other: what an object file or a shared
 * library defines for others, or needs of them */

struct object_names {
    char **list;
    size_t count, room;
};

/* Add the names of an ELF file (64 bits), weak references aside. False and errno: it cannot be read, or is no such file. */
bool object_names_read(struct object_names *names, const char *path);
/* Add the functions of a submission that the lab's adapter, an object file, calls: `function`, or if it does not call that,
 * those whose names begin with `function` and "_". */
bool object_names_asked(struct object_names *names, const char *path, const char *function);
bool object_names_add(struct object_names *names, const char *name);
/* Call it after the last name was added and before object_names_have. */
void object_names_sort(struct object_names *names);
bool object_names_have(const struct object_names *names, const char *name);
void object_names_free(struct object_names *names);

/* ---- object.c */

struct object_verdict {
    enum flag flag;        /* FLAG_NONE: nothing to hold against it */
    bool defines_function; /* all that it must; without it nothing can be linked, */
    bool defines_main;     /* nor with this */
    char message[256];     /* one line, "" when there is nothing to say */
    /* Of the variables outside of functions, the host's copies of the GPU's among them, together; and of the largest one. */
    uint64_t variable_bytes, largest_bytes;
    char largest[80]; /* its name as its author wrote it; "": none has one */
};

struct object_rules {
    const char *function;             /* what it must define, */
    const struct object_names *asked; /* or all of these; NULL: that one function */
    /* Functions that the program's other parts define or call: it may define none of them. */
    const struct object_names *taken;
    unsigned initialisers; /* entries that run before main, besides nvcc's own */
};

/* Look at an object file of `size` bytes. */
void object_check(const unsigned char *bytes, size_t size, const struct object_rules *rules,
                  struct object_verdict *verdict);

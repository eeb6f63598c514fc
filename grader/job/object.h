/*
 * object.h: is the object file that the compiler made of a kernel.cu what an honest one is? It defines the
 * lab's function, and none by which the harness and the CUDA runtime do their work, runs nothing before main but what
 * initialises C++ variables, and asks for nothing that a kernel.cu has no business with. Any bytes are safe to pass.
 */
#ifndef JOB_OBJECT_H
#define JOB_OBJECT_H

#include "report/document/flags.h"

#include <stdbool.h>
#include <stddef.h>

/* ---- object_names.c: the names by which the parts of a program find each other: what an object file or a shared
 * library defines for others, or needs of them */

struct object_names {
    char **list;
    size_t count, room;
};

/* Add those of a file (ELF, 64 bits); what it only would like to have (a weak reference) is not among them. False and
 * errno: it cannot be read, or is no such file. */
bool object_names_read(struct object_names *names, const char *path);
/* Add the functions that the lab's adapter, an object file, calls of a submission: `function` itself, or where it does not
 * call that, those whose names begin with it and "_". */
bool object_names_asked(struct object_names *names, const char *path, const char *function);
bool object_names_add(struct object_names *names, const char *name);
/* To be called between the last of these and the first object_names_have. */
void object_names_sort(struct object_names *names);
bool object_names_have(const struct object_names *names, const char *name);
void object_names_free(struct object_names *names);

/* ---- object.c */

struct object_verdict {
    enum flag flag;        /* FLAG_NONE: nothing to hold against it */
    bool defines_function; /* all that it must; without it nothing can be linked, */
    bool defines_main;     /* nor with this */
    char message[256];     /* one line, "" when there is nothing to say */
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

#endif

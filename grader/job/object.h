/*
 * object.h: is the object file that the compiler made of a kernel.cu what an honest one is? It defines the
 * lab's function, nothing of the harness, the CUDA runtime or the C library, runs nothing before main, and
 * asks for nothing that a kernel.cu has no business with. Any bytes are safe to pass.
 */
#ifndef JOB_OBJECT_H
#define JOB_OBJECT_H

#include "harness/flags.h"
#include <stdbool.h>
#include <stddef.h>

struct object_verdict {
    enum flag flag;        /* FLAG_NONE: nothing to hold against it */
    bool defines_function; /* without it nothing can be linked, */
    bool defines_main;     /* nor with this */
    char message[256];     /* one line, "" when there is nothing to say */
};

/* Look at an object file of `size` bytes; `function` is what it must define. */
void object_check(const unsigned char *bytes, size_t size, const char *function,
                  struct object_verdict *verdict);

#endif

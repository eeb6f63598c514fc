/* object_names.h: the names by which the parts of a program find each other: what an object file or a shared library
 * defines for others, or wants of them. */
#ifndef JOB_OBJECT_NAMES_H
#define JOB_OBJECT_NAMES_H

#include <stdbool.h>
#include <stddef.h>

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

#endif

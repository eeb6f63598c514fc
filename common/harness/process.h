/*
 * process.h: start a program that is not trusted, or that talks to one: it inherits what is named here and
 * nothing else: no descriptor, no variable.
 */
#ifndef HARNESS_PROCESS_H
#define HARNESS_PROCESS_H

#include <sys/types.h>

enum { PROCESS_FIRST_DESCRIPTOR = 3 };

struct process {
    const char *const *wrapper;     /* put before the arguments, e.g. bwrap and its options; NULL: none */
    const char *const *arguments;   /* [0] is the program's path; ends with NULL */
    const char *const *environment; /* "NAME=value"; ends with NULL */
    int output;                     /* becomes stdout and stderr; stdin is empty */
    const int *descriptors;         /* become 3, 4, ... in this order */
    unsigned descriptor_count;
};

/* Start it at the head of a process group of its own. It ends when this process does. -1 and errno when there
 * can be no process; a program that cannot be run says so on `output` and exits with 127. */
pid_t process_start(const struct process *process);

/* Wait up to `patience` seconds for it to end, then kill it and its group. *process becomes 0; 0 is fine. */
void process_end(pid_t *process, double patience);

#endif

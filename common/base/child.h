/*
 * child.h: other programs, started and waited for. A child inherits the descriptors that are named and no other, has
 * no signal blocked, is at the head of a process group of its own, and ends when the thread that started it does.
 */
#ifndef BASE_CHILD_H
#define BASE_CHILD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum {
    CHILD_NOTHING = -1, /* /dev/null */
    CHILD_OURS = -2,    /* this process's own */
    CHILD_FIRST_DESCRIPTOR = 3,
    CHILD_NOT_STARTED = 127, /* exit status */
    CHILD_SIGNAL = 256,      /* 256 + N: ended by signal N; no exit status is as large */
    CHILD_TIMEOUT = -1,      /* ended because its time was over */
};

struct child {
    const char *const *wrapper;     /* goes before the arguments: bwrap and its options, say; NULL: none */
    const char *const *arguments;   /* [0] without a slash is looked for in PATH; ends with NULL */
    const char *const *environment; /* "NAME=value"; ends with NULL; NULL: this process's own */
    int input, output, errors;      /* descriptors, or CHILD_NOTHING, CHILD_OURS */
    const int *descriptors;         /* become 3, 4, ... in this order */
    unsigned descriptor_count;
    uint64_t memory_bytes; /* bounds on its address space, */
    uint64_t file_bytes;   /* and on each file that it writes; 0: none. With either it leaves no core file */
    bool same_group; /* stays in this process's group: Ctrl-C reaches it, and child_wait ends it alone */
};

/* Start it. -1 and errno when there can be no process; a program that cannot be run says so on its error output and
 * exits with CHILD_NOT_STARTED. */
pid_t child_start(const struct child *child);

/* A descriptor, closed in what is started, that poll finds readable once this child has ended; for the caller to close. -1
 * and errno: there is none (a kernel before 5.3). */
int child_end(pid_t process);

/* Wait for its end, at most `seconds` (INFINITY: for ever), then kill it and its group: what it started itself ends in
 * any case. Its exit status, CHILD_SIGNAL + N or CHILD_TIMEOUT; CHILD_NOT_STARTED for what child_start did not start
 * (-1, 0). To be called once. */
int child_wait(pid_t process, double seconds);

/* Run one to its end: input empty; the start of its output and error output, as text, goes to `output`, which may be
 * NULL. Its exit status as child_wait has it. */
int child_run(const char *const *arguments, char *output, size_t size);

#endif

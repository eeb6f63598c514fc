/*
 * child.h: starts other programs and waits for them. A child inherits the named descriptors and no other, has no signal
 * blocked, leads a process group of its own, and ends with the thread that started it.
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
    CHILD_SIGNAL = 256,      /* 256 + N: signal N ended the child */
    CHILD_TIMEOUT = -1,      /* the child was killed, for its time was over */
};

struct child {
    const char *const *wrapper;     /* goes before the arguments: bwrap and its options, say; NULL: none */
    const char *const *arguments;   /* [0] without a slash is looked for in PATH; ends with NULL */
    const char *const *environment; /* "NAME=value"; ends with NULL; NULL: this process's own */
    int input, output, errors;      /* descriptors, or CHILD_NOTHING, CHILD_OURS */
    const int *descriptors;         /* become 3, 4, ... in this order */
    unsigned descriptor_count;
    uint64_t memory_bytes; /* bound on its address space; 0: none */
    uint64_t
        file_bytes; /* bound on each file that it writes; 0: none. With either bound it leaves no core file */
    bool same_group; /* it stays in this process's group: Ctrl-C reaches it, and child_wait ends it alone */
};

/* Starts a program. Returns -1 and errno if there can be no process. A child whose program cannot be run says so on
 * its error output and exits with CHILD_NOT_STARTED. */
pid_t child_start(const struct child *child);

/* Returns a descriptor that poll finds readable once this child has ended; the caller closes it, and no child inherits
 * it. -1 and errno: the kernel has none (before 5.3). */
int child_end(pid_t process);

/* Waits for the child's end, at most `seconds` (INFINITY: for ever), then kills the child and its group, so that what
 * it started ends too. Returns its exit status, CHILD_SIGNAL + N or CHILD_TIMEOUT; CHILD_NOT_STARTED for a process of
 * -1 or 0. To be called once. */
int child_wait(pid_t process, double seconds);

/* Likewise, at most so many seconds of a clock that does not count what the child and its descendants wait for a
 * processor (processor.h). */
int child_wait_fair(pid_t process, double seconds);

/* Runs a program to its end, with empty input. The start of its output and error output, as text, goes to `output`,
 * which may be NULL. Returns its exit status as child_wait does. */
int child_run(const char *const *arguments, char *output, size_t size);

#endif

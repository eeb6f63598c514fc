/* child.h: starts other programs and waits for them. A child inherits only the named descriptors
 * and has no signal blocked. It leads its own process group and ends with the thread that started
 * it. */
#pragma once

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
    CHILD_TIMEOUT = -1,      /* the child was killed when its time was over */
};

struct child {
    const char *const *wrapper;     /* goes before the arguments, e.g. bwrap and its options; NULL: none */
    const char *const *arguments;   /* [0] without a slash is searched in PATH; ends with NULL */
    const char *const *environment; /* "NAME=value"; ends with NULL; NULL: this process's own */
    int input, output, errors;      /* descriptors, or CHILD_NOTHING, CHILD_OURS */
    const int *descriptors;         /* become 3, 4, ... in this order */
    unsigned descriptor_count;
    uint64_t memory_bytes; /* limit of its address space; 0: none */
    uint64_t file_bytes;   /* limit of each file that it writes, no core file; 0: none */
    bool same_group; /* stays in this process's group: Ctrl-C reaches it, and child_wait kills it alone */
};

/* Starts a program. Returns -1 and errno if no process can be made. If the program cannot be run,
 * the child says so on its error output and exits with CHILD_NOT_STARTED. */
pid_t child_start(const struct child *child);

/* Returns a descriptor that poll finds readable once the child has ended. The caller closes the
 * descriptor; no child inherits it. -1 and errno: the kernel (before 5.3) has none. */
int child_end(pid_t process);

/* Waits at most `seconds` (INFINITY: for ever) for the child's end, then kills the child and its
 * group. Returns the exit status, CHILD_SIGNAL + N, CHILD_TIMEOUT, or CHILD_NOT_STARTED for a
 * process of -1 or 0. Call it once for each child. */
int child_wait(pid_t process, double seconds);

/* Likewise, at most so many seconds of a clock that does not count what the child and its descendants wait for a
 * processor (processor.h). */
int child_wait_fair(pid_t process, double seconds);

/* Runs a program to its end, with empty input. `output`, if not NULL, gets the start of its output
 * and error output, as text. Returns the exit status as child_wait does. */
int child_run(const char *const *arguments, char *output, size_t size);

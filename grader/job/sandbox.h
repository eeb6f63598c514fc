/*
 * sandbox.h: what a process that is not trusted may see and use. It sees no file but system libraries and
 * what is shown to it, read only; has no network; may not make the system calls that its role has no need of;
 * and its use of processor, memory, files and scratch space is limited. There are two ways to that, rungs of a ladder:
 * bubblewrap, in name spaces of its own, and, where these are forbidden (Docker's default, Gradescope), Landlock: a list of
 * files that may be opened, another user where the grader is root, and a longer list of forbidden calls.
 *
 * build/bin/sandbox is the launcher: it takes a description as options (sandbox_wrapper writes them), sets
 * the limits, starts the program and waits for it. Descriptors it has been given come through; it keeps none.
 */
#ifndef JOB_SANDBOX_H
#define JOB_SANDBOX_H

#include "base/path.h"
#include <stdbool.h>
#include <stddef.h>

enum sandbox_role {
    SANDBOX_COMPILE, /* compiler and linker: programs of /usr, child processes, an environment of its own */
    SANDBOX_PROGRAM, /* the student's program on the simulated GPU: one thread, nothing but its descriptors */
    SANDBOX_DEVICE,  /* simgpu: threads */
    SANDBOX_CUDA,    /* the student's program on a real GPU: threads, the driver's devices and files */
    SANDBOX_ROLES
};

enum sandbox_rung {
    SANDBOX_NONE, /* limits only */
    SANDBOX_LANDLOCK,
    SANDBOX_BUBBLEWRAP,
    SANDBOX_RUNGS
};

/* Files are shown under their own names, or under names below this folder. Where such a folder cannot be made, they are
 * copied; the variable SUBMISSION of a compiler's environment says where it is, TMPDIR where it may write. */
#define SANDBOX_FILES "/submission"

enum { SANDBOX_PATHS = 40, SANDBOX_ARGUMENTS = 170, SANDBOX_NOT_STARTED = 127 };

struct sandbox {
    enum sandbox_role role;
    enum sandbox_rung rung;
    struct {
        char outside[PATH_SIZE], inside[PATH_SIZE];
    } shown[SANDBOX_PATHS]; /* files and folders to be read */
    unsigned shown_count;
    char hidden[PATH_SIZE]; /* a folder that is not to be seen even below a system folder; "": none */
    /* A folder outside, the caller's to make and to remove, in which a rung that cannot make a /tmp of its own lets the
     * program write; "": then nowhere. */
    char scratch[PATH_SIZE];
    char bwrap[PATH_SIZE];  /* where bubblewrap is; "": where systems have it */
    char models[PATH_SIZE]; /* becomes GPU_MODELS; "": left alone */
    /* A file outside, made when the program could not be started, with a line that says why: by the launcher, which the
     * program cannot speak for. "": none. */
    char report[PATH_SIZE];
    /* 0: no limit. Memory is that of each process; a simgpu only reserves most of its own, and has no such limit. */
    unsigned memory_mib;
    unsigned cpu_seconds; /* of each process */
    unsigned file_mib;    /* size of a file */
    unsigned scratch_mib; /* of bubblewrap's /tmp; scratch is watched (watch.h) */
    unsigned
        landlock; /* use no later version of Landlock's interface, to try what older kernels do; 0: what is there */
};

/* A role's own limits, on the first rung, and nothing shown. The variable BWRAP of this process says where bubblewrap is,
 * if it is set. */
void sandbox_init(struct sandbox *sandbox, enum sandbox_role role);
/* Show a file or folder, at `inside` (NULL: where it is). False when the path is too long, relative, or one
 * too many. */
bool sandbox_show(struct sandbox *sandbox, const char *outside, const char *inside);

/* The name by which a program in the sandbox has this file: where bubblewrap shows it, or a folder that it is below; else its
 * own. False: too long. */
bool sandbox_inside(const struct sandbox *sandbox, const char *outside, char inside[PATH_SIZE]);

/* The launcher with its options, up to and with "--": what a program's arguments are put behind; `count` of them, then
 * NULL. The texts belong to the wrapper. */
struct sandbox_wrapper {
    const char *arguments[SANDBOX_ARGUMENTS];
    unsigned count;
    char launcher[PATH_SIZE];
    char numbers[4][16];
};
/* launcher: the path of build/bin/sandbox. The sandbox must outlive the wrapper. */
void sandbox_wrapper(const struct sandbox *sandbox, const char *launcher, struct sandbox_wrapper *wrapper);

/* Read the launcher's options. Returns the index of the program's path, 0 and a message when they are not
 * right. */
int sandbox_parse(struct sandbox *sandbox, int count, char **arguments, char *error, size_t size);
/* The launcher's work: run the program in this sandbox, wait for it. Names of files among its arguments, and in its
 * LD_LIBRARY_PATH, become those that it has in the sandbox. Its exit status, 128 + N when signal N ended it;
 * SANDBOX_NOT_STARTED and a message when it was never begun. (Without a sandbox it becomes the program.) */
int sandbox_run(const struct sandbox *sandbox, char **program, char *error, size_t size);
/* Did a launcher leave a report there? Its line, then. */
bool sandbox_reported(const char *report, char *line, size_t size);

/* ---- which rung */

enum { SANDBOX_LINE = 900 };
/* Where none works. */
#define SANDBOX_ADVICE                                                                                                  \
    "Grade on a machine that allows user namespaces, or has Landlock (Linux 5.13 and later). --unsafe (UNSAFE=1) runs " \
    "submissions without: they can then do whatever you can"

/* "bubblewrap", "landlock", "none". */
const char *sandbox_name(enum sandbox_rung rung);
bool sandbox_rung_named(const char *name, enum sandbox_rung *rung);
/* Does it work here? Runs something in it, and looks that it cannot read what it must not. False and one line saying why
 * not. */
bool sandbox_works(const char *launcher, enum sandbox_rung rung, char *error, size_t size);
/* The strongest rung that works here, or the one that is wanted: by name, or NULL: by the variable SANDBOX, if it is set.
 * True, and one line: which it is, and what it does not cover. False, and one line: none works, and why. */
bool sandbox_choose(const char *launcher, const char *wanted, enum sandbox_rung *rung, char *line,
                    size_t size);

#endif

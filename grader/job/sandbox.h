/*
 * sandbox.h: what an untrusted process may see and use. It sees system libraries and what is shown to it, read only.
 * It has no network, and may not make the system calls that its role does not need. Its processor time, memory,
 * files and scratch space are limited. There are two ways to that, the rungs of a ladder:
 *
 *   bubblewrap   name spaces of its own
 *   Landlock     where name spaces are forbidden (Docker's default, Gradescope): a list of files that may be opened,
 *                another user where the grader is root, and more forbidden calls
 *
 * build/bin/sandbox is the launcher. It takes a description as options (sandbox_wrapper writes them), sets the
 * limits, starts the program and waits for it. The program inherits the launcher's descriptors.
 */
#pragma once

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

/* Files are shown under their own names, or under names below this folder. Where the folder cannot be made the files are
 * copied. In a compiler's environment SUBMISSION says where the folder is, and TMPDIR where the compiler may write. */
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
    /* A folder outside, which the caller makes and removes. The program may write there if the rung cannot make a private
     * /tmp; "": nowhere. */
    char scratch[PATH_SIZE];
    char bwrap[PATH_SIZE];  /* where bubblewrap is; "": where systems have it */
    char models[PATH_SIZE]; /* becomes GPU_MODELS; "": left alone */
    /* A file outside, in which the launcher says in a line why the program could not be started; "": none. The program
     * cannot write it. */
    char report[PATH_SIZE];
    /* Limits; 0: none. A simgpu has none of memory, because it reserves more than it uses. */
    unsigned memory_mib;  /* of each process */
    unsigned cpu_seconds; /* of each process */
    unsigned file_mib;    /* size of a file */
    unsigned scratch_mib; /* of bubblewrap's /tmp; scratch is watched (watch.h) */
    unsigned
        landlock; /* use no later version of Landlock's interface, to try what older kernels do; 0: what is there */
};

/* The role's limits, the first rung, no file shown. The environment's BWRAP, if set, says where bubblewrap is. */
void sandbox_init(struct sandbox *sandbox, enum sandbox_role role);
/* Show a file or folder, at `inside` (NULL: where it is). False when the path is too long, relative, or one
 * too many. */
bool sandbox_show(struct sandbox *sandbox, const char *outside, const char *inside);

/* The file's name within the sandbox: the one under which it, or a folder above it, is shown; else its own. False: the
 * name is too long. */
bool sandbox_inside(const struct sandbox *sandbox, const char *outside, char inside[PATH_SIZE]);

/* The launcher and its options, "--" last; a program's arguments follow. `count` texts, then NULL; they belong to the
 * wrapper. */
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
/* The launcher's work: run the program in this sandbox and wait for it. File names among the arguments, and in
 * LD_LIBRARY_PATH, become the names within the sandbox. Returns the exit status; 128 + N if signal N ended the program;
 * SANDBOX_NOT_STARTED and a message if the program did not start. Without a sandbox the launcher becomes the program. */
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
/* Does the rung work here? Runs a program in it, which must not be able to read a hidden file. False and one line: why
 * not. */
bool sandbox_works(const char *launcher, enum sandbox_rung rung, char *error, size_t size);
/* Choose the rung named by `wanted`, else by the environment's SANDBOX, else the strongest that works here. True, and one
 * line: which rung it is, and what it does not cover. False, and one line: why none works. */
bool sandbox_choose(const char *launcher, const char *wanted, enum sandbox_rung *rung, char *line,
                    size_t size);

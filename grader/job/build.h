/*
 * build.h: from a submission's kernel.cu to a program that can be judged, with compiler and linker in
 * sandboxes of their own: a source file may be written against its compiler.
 */
#pragma once

#include "base/path.h"
#include "job/kit_names.h"
#include "job/sandbox.h"
#include "job/watch.h"
#include "report/document/flags.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* ---- toolkit.c: the CUDA compiler on this machine, as common/tools/find-cuda finds it */

struct toolkit {
    char nvcc[PATH_SIZE];
    char top[PATH_SIZE];      /* the folder it is installed in */
    char library[PATH_SIZE];  /* libcudart.so */
    char release[16];         /* "13.0" */
    char architectures[2048]; /* "compute_75 compute_80 ..." */
};

/* root: the project's folder. False and one line when there is no compiler. */
bool toolkit_find(struct toolkit *toolkit, const char *root, char *error, size_t size);

/* ---- build.c */

enum { BUILD_LOG = 1 << 16 };
#define BUILD_SCRATCH "scratch" /* in the job's folder: where a sandbox writes that has no /tmp of its own */

#define BUILD_COMPILED "kernels.fatbin"

struct build_request {
    const char *root, *build; /* the project's folder and its build folder */
    const char *header;       /* the folder of the lab's header: labs/labN-topic */
    const char *function;     /* what kernel.cu must define */
    const char *source;       /* the submission */
    const char *folder;       /* where intermediate files and the program go */
    const char *launcher;     /* build/bin/sandbox */
    const struct toolkit *toolkit;
    unsigned arch, seconds, memory_mib;
    enum sandbox_rung rung;
    const struct kit_names *names; /* what the submission sees the kit under */
};

enum build_outcome {
    BUILD_DONE,
    BUILD_FAILED, /* it does not compile or link: message and log say why; a flag, where it is more than a mistake */
    BUILD_REFUSED, /* it compiles to what is not run; a flag says why */
    BUILD_TROUBLE  /* of the grader's own */
};

struct build_result {
    char program[PATH_SIZE];
    char compiled[PATH_SIZE]; /* the fat binary that nvcc made of the kernels */
    char ptx[PATH_SIZE];      /* their PTX, at least its beginning */
    char message[512];        /* one line for the student */
    char log[BUILD_LOG];      /* what compiler and linker said, cut */
    enum flag flag;           /* FLAG_NONE: none */
};

enum build_outcome build_program(const struct build_request *request, struct build_result *result);

/* ---- its parts, for other programs than a kernel.cu with its runner (tasks_job.c) */

struct lure;
struct build_ended {
    struct watch_end end;
    int status; /* as child_wait has it */
};

/* A compiler's sandbox, in which nothing is shown yet. False and errno: a path is too long. */
bool build_sandbox(const struct build_request *request, struct sandbox *sandbox);
enum { BUILD_OUTPUTS = 3 };
/* Run a command in it, under a watch; what it says is result->log. outputs: its descriptors from 3
 * on, -1: none. lure: what it must not open, or NULL. False and result->message: the grader's own
 * trouble. */
bool build_run(const struct build_request *request, struct sandbox *sandbox, const struct lure *lure,
               const char *const *command, const int outputs[BUILD_OUTPUTS], struct build_result *result,
               struct build_ended *ended);
/* A new file to be such a descriptor; -1 and errno. */
int build_create(const char *path, mode_t mode);

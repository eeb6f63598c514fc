/* toolkit.h: the CUDA compiler on this machine, as common/tools/find-cuda finds it. */
#ifndef JOB_TOOLKIT_H
#define JOB_TOOLKIT_H

#include "base/path.h"
#include <stdbool.h>
#include <stddef.h>

struct toolkit {
    char nvcc[PATH_SIZE];
    char top[PATH_SIZE];      /* the folder it is installed in */
    char library[PATH_SIZE];  /* libcudart.so */
    char release[16];         /* "13.0" */
    char architectures[2048]; /* "compute_75 compute_80 ..." */
};

/* root: the project's folder. False and one line when there is no compiler. */
bool toolkit_find(struct toolkit *toolkit, const char *root, char *error, size_t size);

#endif

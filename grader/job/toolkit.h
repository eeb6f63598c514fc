/* toolkit.h: the CUDA compiler on this machine, as common/tools/find-cuda finds it. */
#ifndef JOB_TOOLKIT_H
#define JOB_TOOLKIT_H

#include <stdbool.h>
#include <stddef.h>

enum { TOOLKIT_PATH = 1024 };

struct toolkit {
    char nvcc[TOOLKIT_PATH];
    char top[TOOLKIT_PATH];     /* the folder it is installed in */
    char library[TOOLKIT_PATH]; /* libcudart.so */
    char release[16];           /* "13.0" */
    char architectures[2048];   /* "compute_75 compute_80 ..." */
};

/* root: the project's folder. False and one line when there is no compiler. */
bool toolkit_find(struct toolkit *toolkit, const char *root, char *error, size_t size);

#endif

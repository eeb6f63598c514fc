/*
 * support_layout.h: one release's structures as client/types.h lays them out, printed as programs/layout.cu does. A file
 * that defines CUDART_MAJOR before it includes this one defines that release's function.
 */
#ifndef RUNTIME_TESTS_SUPPORT_LAYOUT_H
#define RUNTIME_TESTS_SUPPORT_LAYOUT_H

#include <stdio.h>

void print_layout_11(FILE *file);
void print_layout_12(FILE *file);
void print_layout_13(FILE *file);

#ifdef CUDART_MAJOR
#include "gpu/runtime/client/types.h"

#define OF_RELEASE_(name, release) name##release
#define OF_RELEASE(name, release) OF_RELEASE_(name, release)

struct cudaDeviceProp_ours {
    struct OF_RELEASE(cuda_properties_, CUDART_MAJOR) it;
};
struct cudaFuncAttributes_ours {
    struct cuda_function_attributes it;
};
struct cudaPointerAttributes_ours {
    struct cuda_pointer_attributes it;
};

#define SIZE(theirs) fprintf(file, #theirs " %zu\n", sizeof(struct theirs##_ours));
#define FIELD(theirs, field)                                                                                 \
    fprintf(file, #theirs "." #field " %zu %zu\n", offsetof(struct theirs##_ours, it.field),                 \
            sizeof(((struct theirs##_ours *)NULL)->it.field));

void OF_RELEASE(print_layout_, CUDART_MAJOR)(FILE *file) {
#include "gpu/runtime/tests/programs/layout.inc"
}
#endif

#endif

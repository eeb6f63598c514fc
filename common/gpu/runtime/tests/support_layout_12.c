/* support_layout_12.c: sizes and offsets of our structs for CUDA 12. */
#define CUDART_MAJOR 12
#include "gpu/runtime/client/types.h"
#include "gpu/runtime/tests/support_layout.h"

struct cudaDeviceProp_ours {
    struct cuda_properties_12 it;
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

void print_layout_12(FILE *file) {
#include "gpu/runtime/tests/programs/layout.inc"
}

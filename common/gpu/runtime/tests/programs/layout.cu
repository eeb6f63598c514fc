/* layout.cu: prints the size, and each field's offset and size, of the structures that client/types.h
 * declares for itself, as the toolkit that compiled this has them. tests/test_layout.c compares. */
#include <cuda_runtime.h>

#include <stddef.h>
#include <stdio.h>

#define SIZE(theirs) printf(#theirs " %zu\n", sizeof(struct theirs));
#define FIELD(theirs, field)                                                                                 \
    printf(#theirs "." #field " %zu %zu\n", offsetof(theirs, field), sizeof(((theirs *)0)->field));

int main(void) {
    printf("release %d\n", CUDART_VERSION / 1000);
#include "layout.inc"
    return 0;
}

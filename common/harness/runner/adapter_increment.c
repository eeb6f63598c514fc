/* Lab 4, two functions. size[]: part (0: increment, 1: polynomial), elements, coefficients. A step of the
 * solutions may have only one of them. */
#include "adapter.h"

#include <stdio.h>

void increment(float *x, int64_t n, struct CUstream_st *stream) __attribute__((weak));
void polynomial(const float *x, float *y, int64_t n, const float *c, int count, struct CUstream_st *stream)
    __attribute__((weak));

const char adapter_function[] = "the kernel's launch";

/* The judge sees that no kernel ran. */
static void missing(const char *name) {
    fprintf(stderr, "kernel.cu has no function %s: lab4.h declares it, extern \"C\"\n", name);
}

void adapter_call(void *const buffer[], const int64_t size[], struct CUstream_st *stream) {
    if (size[0] == 0) {
        if (increment == NULL)
            missing("increment");
        else
            increment(buffer[0], size[1], stream);
    } else {
        if (polynomial == NULL)
            missing("polynomial");
        else
            polynomial(buffer[0], buffer[2], size[1], buffer[1], (int)size[2], stream);
    }
}

int adapter_call_cpu(void *const buffer[], const int64_t size[]) {
    (void)buffer, (void)size;
    return 0;
}

/* Lab 4, two functions, one a part. A step of the solutions may have only one of them. */
#include "adapter.h"
#include "lab/problems/increment.h"

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
    if (size[INCREMENT_PART] == INCREMENT_A) {
        if (increment == NULL)
            missing("increment");
        else
            increment(buffer[INCREMENT_X], size[INCREMENT_N], stream);
    } else {
        if (polynomial == NULL)
            missing("polynomial");
        else
            polynomial(buffer[INCREMENT_X], buffer[INCREMENT_Y], size[INCREMENT_N], buffer[INCREMENT_C],
                       (int)size[INCREMENT_COEFFICIENTS], stream);
    }
}

/* check.h: for the CUDA programs that the tests run: each checks itself, says what is wrong, and exits 0 when
 * all is well. */
#ifndef CHECK_H
#define CHECK_H

#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition)                                                                                     \
    do {                                                                                                     \
        if (!(condition)) {                                                                                  \
            printf("%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);                                   \
            exit(1);                                                                                         \
        }                                                                                                    \
    } while (0)

/* The call's error is `expected`; anything else ends the program. */
#define EXPECT(expected, call)                                                                               \
    do {                                                                                                     \
        cudaError_t error_ = (call);                                                                         \
        if (error_ != (expected)) {                                                                          \
            printf("%s:%d: %s gives %s, not %s\n", __FILE__, __LINE__, #call, cudaGetErrorName(error_),      \
                   cudaGetErrorName(expected));                                                              \
            exit(1);                                                                                         \
        }                                                                                                    \
    } while (0)

#define OK(call) EXPECT(cudaSuccess, call)

#endif

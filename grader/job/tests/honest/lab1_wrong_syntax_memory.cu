// Wrong: a semicolon is missing beside words that compilers use for something else.
#include "lab1.h"

#include <stdio.h>

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    (void)src, (void)dst, (void)stream;
    void *scratch = 0;
    if (cudaMalloc(&scratch, (size_t)width * height) != cudaSuccess)
        printf("out of memory\n") fflush(stdout);
}

/*
 * check.h: what the programs of lab 0 are given, so that each can show one new thing. Nothing here is secret and nothing
 * here needs an edit. A program that computes what it should prints a line "right: ..."; else "wrong: ..." names the
 * first element that is wrong.
 */
#ifndef CHECK_H
#define CHECK_H

#include <cuda_runtime.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What memory holds before a kernel writes it. No task computes this number. */
#define NOT_WRITTEN (-1)

/* MUST(cudaMalloc(...)): a call that fails ends the program and says where. Task 6 is about such errors. */
#define MUST(call) must(call, #call, __FILE__, __LINE__)

static inline void must(cudaError_t error, const char *call, const char *file, int line) {
    if (error == cudaSuccess)
        return;
    printf("%s:%d: %.*s failed: %s\n", file, line, (int)strcspn(call, "("), call, cudaGetErrorString(error));
    exit(1);
}

/* n ints of the GPU's memory, each NOT_WRITTEN. MUST(cudaFree(...)) gives them back. */
static inline int *device_ints(int n) {
    int *ints = NULL;
    MUST(cudaMalloc(&ints, n * sizeof *ints));
    MUST(cudaMemset(ints, 0xff, n * sizeof *ints)); /* all bits set: -1 */
    return ints;
}

/* n ints of the host's memory, each NOT_WRITTEN. free(...) gives them back. */
static inline int *host_ints(int n) {
    int *ints = (int *)malloc(n * sizeof *ints);
    if (ints == NULL) {
        printf("no memory for %d ints\n", n);
        exit(1);
    }
    memset(ints, 0xff, n * sizeof *ints);
    return ints;
}

/* One element in words: what it is called, what it is and what it should be. */
static inline void say_wrong(const char *element, int got, int expected) {
    if (got == NOT_WRITTEN)
        printf("wrong: %s was never written, expected %d", element, expected);
    else if (expected == NOT_WRITTEN)
        printf("wrong: %s is %d, and was not to be written", element, got);
    else
        printf("wrong: %s is %d, expected %d", element, got, expected);
}

/* Compares n elements in rows of `width`; one row (width n) counts its elements, out[5]; more count x and y. The program's
 * exit status: 0 where all are right. */
static inline int check_rows(const char *name, const int *got, const int *expected, int n, int width) {
    int wrong = 0, first = 0, last = 0;
    char element[64];
    for (int i = 0; i < n; i++) {
        if (got[i] == expected[i])
            continue;
        first = wrong == 0 ? i : first;
        last = i;
        wrong++;
    }
    if (wrong == 0) {
        printf("right: %s, all %d elements\n", name, n);
        return 0;
    }
    if (n == 1)
        snprintf(element, sizeof element, "%s", name);
    else if (width < n)
        snprintf(element, sizeof element, "%s(x %d, y %d)", name, first % width, first / width);
    else
        snprintf(element, sizeof element, "%s[%d]", name, first);
    say_wrong(element, got[first], expected[first]);
    if (n > 1)
        printf("; %d of %d are wrong", wrong, n);
    if (n > 1 && width == n)
        printf(", the last is %s[%d]", name, last);
    printf("\n");
    return 1;
}

static inline int check_ints(const char *name, const int *got, const int *expected, int n) {
    return check_rows(name, got, expected, n, n);
}

/* The same of n ints in the GPU's memory: copies them to the host first, which waits for the kernels before. */
static inline int check_device_ints(const char *name, const int *device, const int *expected, int n) {
    int *got = host_ints(n);
    MUST(cudaMemcpy(got, device, n * sizeof *got, cudaMemcpyDeviceToHost));
    int status = check_ints(name, got, expected, n);
    free(got);
    return status;
}

#endif

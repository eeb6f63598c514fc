/*
 * adapter.h: how the runner calls a student's function. adapter_FUNCTION.c is the adapter of one
 * problem, whose header says which buffers and sizes there are.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct CUstream_st;

extern const char adapter_function[]; /* the function's name, for messages */

/* Calls the student's function with the case's device buffers (inputs, then outputs) and sizes. */
void adapter_call(void *const buffer[], const int64_t size[], struct CUstream_st *stream);

/* Calls the student's version for the host, on host memory. Returns 0 when the program has no
 * such function; an adapter may leave this out. */
int adapter_call_cpu(void *const buffer[], const int64_t size[]);

/* A problem of the host's memory. The student's function allocates the buffers. Only `run` is
 * timed, which returns when the results are there. Adapters of other problems leave it out. */
struct adapter_host {
    void *(*allocate)(size_t bytes);
    void (*release)(void *memory);
    void (*open)(void *const buffer[], const int64_t size[]);
    void (*run)(void);
    void (*close)(void);
};
extern const struct adapter_host adapter_host __attribute__((weak));

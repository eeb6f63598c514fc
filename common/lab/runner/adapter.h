/*
 * adapter.h: how the runner calls a student's function. One adapter for each problem:
 * adapter_FUNCTION.c. Which buffers and sizes there are stands in the problem's header.
 */
#ifndef RUNNER_ADAPTER_H
#define RUNNER_ADAPTER_H

#include <stddef.h>
#include <stdint.h>

struct CUstream_st;

extern const char adapter_function[]; /* the function's name, for messages */

/* Call the student's function with the case's device buffers (inputs, then outputs) and sizes. */
void adapter_call(void *const buffer[], const int64_t size[], struct CUstream_st *stream);

/* The same on the host, buffers in host memory. Returns 0 when the program has no such function;
 * so does an adapter that leaves this out. */
int adapter_call_cpu(void *const buffer[], const int64_t size[]);

/* A problem of the host's memory: its buffers lie where the student's function allocates them,
 * and only `run` is timed, which returns when the results are there. An adapter of another
 * problem leaves it out. */
struct adapter_host {
    void *(*allocate)(size_t bytes);
    void (*release)(void *memory);
    void (*open)(void *const buffer[], const int64_t size[]);
    void (*run)(void);
    void (*close)(void);
};
extern const struct adapter_host adapter_host __attribute__((weak));

#endif

/*
 * adapter.h: how the runner calls a student's function. One adapter for each problem: adapter_FUNCTION.c. Which
 * buffers and sizes there are stands in the problem's header.
 */
#ifndef RUNNER_ADAPTER_H
#define RUNNER_ADAPTER_H

#include <stdint.h>

struct CUstream_st;

extern const char adapter_function[]; /* the function's name, for messages */

/* Call the student's function with the case's device buffers (inputs, then outputs) and sizes. */
void adapter_call(void *const buffer[], const int64_t size[], struct CUstream_st *stream);

/* The same on the host, buffers in host memory. Returns 0 when the program has no such function; so does an adapter
 * that leaves this out. */
int adapter_call_cpu(void *const buffer[], const int64_t size[]);

#endif

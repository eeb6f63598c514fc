// Task 1: a first launch.
//
// A kernel is a function that many threads of the GPU run, each once. The host (main) launches it:
//
//     kernel<<<blocks, threads>>>(arguments);
//
// `threads` is how many threads a block has, `blocks` how many such blocks there are.

#include "check.h"

#define N 32

// Every thread runs this, and threadIdx.x is its own number in its block: 0, 1, 2, ...
__global__ void number(int *out) {
    out[threadIdx.x] = threadIdx.x;
}

int main(void) {
    int expected[N];
    for (int i = 0; i < N; i++) // plain C, to compare with
        expected[i] = i;

    int *out = device_ints(N); // N ints in the GPU's memory

    // TASK: launch `number` for out, with one block of N threads.

    int status = check_device_ints("out", out, expected, N);
    MUST(cudaFree(out));
    return status;
}

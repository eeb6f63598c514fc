// Task 2: the index of a thread.
//
// A block has at most 1024 threads, so more work needs more blocks. threadIdx.x counts from 0 again in each of them.
// What tells the threads of different blocks apart:
//
//     blockIdx.x    the number of this thread's block: 0, 1, 2, ...
//     blockDim.x    how many threads a block has

#include "check.h"

#define BLOCKS 4
#define THREADS 64
#define N (BLOCKS * THREADS)

__global__ void number(int *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = i;
}

int main(void) {
    int expected[N];
    for (int i = 0; i < N; i++)
        expected[i] = i;

    int *out = device_ints(N);
    number<<<BLOCKS, THREADS>>>(out);

    int status = check_device_ints("out", out, expected, N);
    MUST(cudaFree(out));
    return status;
}

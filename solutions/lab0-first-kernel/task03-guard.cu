// Task 3: the guard.
//
// Blocks are all of the same size. 100 elements need two blocks of 64 threads, and those have 128 threads: 28 too many.
// They run the kernel like all others, so the kernel must send them home.

#include "check.h"

#define BLOCKS 2
#define THREADS 64
#define N 100

__global__ void number(int *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = i;
}

int main(void) {
    int expected[N];
    for (int i = 0; i < N; i++)
        expected[i] = i;

    int *out = device_ints(N);
    number<<<BLOCKS, THREADS>>>(out, N);

    int status = check_device_ints("out", out, expected, N);
    MUST(cudaFree(out));
    return status;
}

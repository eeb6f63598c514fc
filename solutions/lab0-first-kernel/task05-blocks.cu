// Task 5: how many blocks?
//
// With the guard of task 3 there may be threads too many. There must never be threads too few. So the number of blocks
// is n / THREADS, rounded up. C rounds an integer division down.

#include "check.h"

#define THREADS 256

__global__ void number(int *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = i;
}

// The blocks of THREADS threads that n elements need, and not one more; n is at least 1.
static int blocks_for(int n) {
    return (n + THREADS - 1) / THREADS;
}

static int check_size(int n) {
    int *expected = host_ints(n), *out = device_ints(n), needed = 0;
    for (int i = 0; i < n; i++)
        expected[i] = i;
    while (needed * THREADS < n) // plain C, slow and sure
        needed++;

    printf("n = %d: %d blocks of %d threads, needed are %d\n", n, blocks_for(n), THREADS, needed);
    number<<<blocks_for(n), THREADS>>>(out, n);
    MUST(cudaGetLastError()); // a launch that could not start

    int status = check_device_ints("out", out, expected, n);
    if (status == 0 && blocks_for(n) > needed) {
        printf("wrong: more blocks than are needed\n");
        status = 1;
    }
    MUST(cudaFree(out));
    free(expected);
    return status;
}

// The sizes are the program's arguments.
int main(int count, char **arguments) {
    int status = 0;
    for (int i = 1; i < count && status == 0; i++)
        status = check_size(atoi(arguments[i]));
    return status;
}

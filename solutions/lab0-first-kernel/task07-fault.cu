// Task 7: read an error.
//
// One of these three kernels touches memory that is not its own. Do not search: run `make lab0` and read. The simulated
// GPU says the file and the line, the kernel, the block and the thread, the address, and which element that is.
// On a real GPU NVIDIA's compute-sanitizer says as much; without it, all you get is "an illegal memory access", if that.

#include "check.h"

#define BLOCKS 2
#define THREADS 64
#define N 100

__global__ void number(int *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = i;
}

__global__ void reverse(const int *in, int *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[n - 1 - i] = in[i];
}

__global__ void twice(const int *in, int *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = 2 * in[i];
}

// 0, 1, ..., 99 become 198, 196, ..., 0.
int main(void) {
    int expected[N];
    for (int i = 0; i < N; i++)
        expected[i] = 2 * (N - 1 - i);

    int *numbers = device_ints(N), *reversed = device_ints(N), *out = device_ints(N);
    number<<<BLOCKS, THREADS>>>(numbers, N);
    reverse<<<BLOCKS, THREADS>>>(numbers, reversed, N);
    twice<<<BLOCKS, THREADS>>>(reversed, out, N);

    int status = check_device_ints("out", out, expected, N);
    MUST(cudaFree(numbers));
    MUST(cudaFree(reversed));
    MUST(cudaFree(out));
    return status;
}

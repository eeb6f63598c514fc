// Task 4: allocate, copy there, copy back.
//
// A GPU has memory of its own. Kernels work on that memory, the host on its own:
//
//     cudaMalloc(&pointer, bytes)                             allocates memory of the GPU
//     cudaMemcpy(to, from, bytes, cudaMemcpyHostToDevice)     copies there
//     cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToHost)     copies back, once the kernels before it are done
//     cudaFree(pointer)
//
// Sizes are in bytes. MUST(...) around a call ends the program where the call fails.

#include "check.h"

#define BLOCKS 2
#define THREADS 64
#define N 100

__global__ void twice(int *numbers, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        numbers[i] = 2 * numbers[i];
}

int main(void) {
    int input[N], expected[N], *result = host_ints(N);
    for (int i = 0; i < N; i++) {
        input[i] = 3 * i;
        expected[i] = 6 * i;
    }

    int *numbers = NULL; // in the GPU's memory
    // TASK: here, allocate N ints for `numbers`, and copy `input` there

    twice<<<BLOCKS, THREADS>>>(numbers, N);

    // TASK: here, copy `numbers` back, to `result`

    MUST(cudaDeviceSynchronize()); // waits for the kernel, and says whether it ended well
    int status = check_ints("result", result, expected, N);
    MUST(cudaFree(numbers));
    free(result);
    return status;
}

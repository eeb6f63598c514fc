// Task 10: threads that share a result.
//
// Until now each thread wrote an element of its own. Here all add to one number. `*count += 1` is three steps: read, add,
// write. Two threads that both read 7 both write 8, and one is lost: a race. What the GPU does in one step that nobody
// can come between:
//
//     atomicAdd(address, value)
//
// The loop lets any number of threads work on any number of elements: a thread begins at its own index, and goes on by
// as many elements as there are threads. It is called a grid-stride loop.

#include "check.h"

#define BLOCKS 4
#define THREADS 64
#define N 1000

// How many of the n numbers are above `bound`. *count is 0 before.
__global__ void count_above(const int *numbers, int n, int bound, int *count) {
    int all = gridDim.x * blockDim.x; // threads
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += all) {
        if (numbers[i] > bound)
            *count += 1; // TASK: without the race
    }
}

int main(void) {
    int numbers[N], expected = 0, *device_numbers = NULL, *device_count = NULL;
    for (int i = 0; i < N; i++) {
        numbers[i] = i * 37 % 256;
        expected += numbers[i] > 127;
    }

    MUST(cudaMalloc(&device_numbers, sizeof numbers));
    MUST(cudaMalloc(&device_count, sizeof *device_count));
    MUST(cudaMemcpy(device_numbers, numbers, sizeof numbers, cudaMemcpyHostToDevice));
    MUST(cudaMemset(device_count, 0, sizeof *device_count));
    count_above<<<BLOCKS, THREADS>>>(device_numbers, N, 127, device_count);
    MUST(cudaGetLastError());

    int status = check_device_ints("count", device_count, &expected, 1);
    MUST(cudaFree(device_numbers));
    MUST(cudaFree(device_count));
    return status;
}

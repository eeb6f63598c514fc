/* linked_part.cu: the other half of linked.cu. */
#include "check.h"
#include "linked.h"

__device__ int counter = 100;
__device__ int table[4] = {10, 20, 30, 40};
__constant__ int offset = 3;
__managed__ int shared_by_all = 11;

static __device__ __noinline__ int hidden(int x) {
    return x * 10;
}
__device__ int scale(int x) {
    return hidden(x) + 5;
}
__device__ operation chosen = hidden;

__device__ int sum_of_block(int x) {
    __shared__ int values[32];
    values[threadIdx.x] = x;
    __syncthreads();
    int sum = 0;
    for (int i = 0; i < 32; i++)
        sum += values[i];
    return sum;
}

__device__ void stray(int *address) {
    *address = 1; /* line 25 */
}

__device__ int shape::sides() const {
    return 0;
}
__device__ int square::sides() const {
    return 4;
}

static __global__ void own(int *value) {
    *value += hidden(200);
}

__global__ void read_offset(int *value) {
    *value = offset;
}

void run_part(int *device) {
    doubled<<<1, 1>>>(device);
    own<<<1, 1>>>(device);
}

int part_offset(void) {
    int *device, host = 0;
    OK(cudaMalloc(&device, sizeof host));
    read_offset<<<1, 1>>>(device);
    OK(cudaMemcpy(&host, device, sizeof host, cudaMemcpyDeviceToHost));
    OK(cudaFree(device));
    return host;
}

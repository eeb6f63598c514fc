/* linked.cu [stray]: a program of two files compiled with -rdc=true; the other is linked_part.cu. */
#include "check.h"
#include "linked.h"

static __device__ __noinline__ int hidden(int x) {
    return x + 1;
} /* the other file has one too */
static __global__ void own(int *value) {
    *value = hidden(10);
}

__global__ void uses_all(int *results) {
    __shared__ int block[32];
    extern __shared__ int dynamic[];
    int i = threadIdx.x;
    block[i] = i;
    dynamic[i] = 2 * i;
    __syncthreads();
    int sum = sum_of_block(block[31 - i]);
    if (i == 0) {
        square square;
        const shape *shape = &square;
        results[0] = scale(hidden(3));
        results[1] = atomicAdd(&counter, 1);
        results[2] = table[2] + offset;
        results[3] = chosen(7);
        results[4] = sum + dynamic[5] + block[4];
        results[5] = shape->sides();
        results[6] = twice(21) + shared_by_all;
    }
}

__global__ void strays(int *address) {
    stray(address);
}

int main(int count, char **values) {
    static const int expected[] = {45, 100, 33, 70, 496 + 10 + 4, 4, 42 + 11};
    int results[7] = {0}, *device, host = 0;
    OK(cudaMalloc(&device, sizeof results));
    if (count > 1 && strcmp(values[1], "stray") == 0) {
        strays<<<1, 1>>>(device + 100000);
        EXPECT(cudaErrorIllegalAddress, cudaDeviceSynchronize());
        puts("ok");
        return 0;
    }
    CHECK(shared_by_all == 11);
    uses_all<<<1, 32, 32 * sizeof(int)>>>(device);
    OK(cudaMemcpy(results, device, sizeof results, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 7; i++)
        if (results[i] != expected[i])
            printf("result %d is %d, not %d\n", i, results[i], expected[i]);
    CHECK(memcmp(results, expected, sizeof expected) == 0);
    cudaFuncAttributes attributes;
    OK(cudaFuncGetAttributes(&attributes, uses_all));
    CHECK(attributes.sharedSizeBytes == 32 * sizeof(int) + 32 * sizeof(int) && attributes.numRegs > 0);
    OK(cudaMemcpyFromSymbol(&host, counter, sizeof host));
    CHECK(host == 101);
    host = 1000;
    OK(cudaMemcpyToSymbol(offset, &host, sizeof host));
    CHECK(part_offset() == 1000);
    host = 4;
    OK(cudaMemcpy(device, &host, sizeof host, cudaMemcpyHostToDevice));
    doubled<<<1, 1>>>(device);
    run_part(device); /* doubles, and adds what its own hidden function says */
    OK(cudaMemcpy(&host, device, sizeof host, cudaMemcpyDeviceToHost));
    CHECK(host == 4 * 2 * 2 + 2000);
    own<<<1, 1>>>(device);
    OK(cudaMemcpy(&host, device, sizeof host, cudaMemcpyDeviceToHost));
    CHECK(host == 11);
    puts("ok");
    return 0;
}

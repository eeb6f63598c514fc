/* faults.cu KIND: a kernel that goes wrong, and what the host sees: the error at the next call, and from then
 * on at every one, until the device is reset. */
#include "check.h"

#include <assert.h>

__global__ void store(int *at, int index) {
    at[index] = 1;
}
__global__ void misaligned(char *at) {
    *(int *)(at + 1) = 1;
}
__global__ void fails_assert(int x) {
    assert(x == 3);
}
__global__ void endless(volatile int *flag) {
    while (*flag == 0)
        ;
}
__global__ void skips_barrier(int *out) {
    if (threadIdx.x < 40)
        __syncthreads();
    out[threadIdx.x] = 1;
}
__global__ void races(int *out) {
    __shared__ int words[64];
    words[threadIdx.x] = threadIdx.x;
    out[threadIdx.x] = words[63 - threadIdx.x]; /* with no barrier between */
}
__global__ void traps(void) {
    asm("trap;");
}
__global__ void deep(int *out, int n);
__device__ __noinline__ int recurse(int n, int *out) {
    volatile int frame[64];
    frame[n & 63] = n;
    return n == 0 ? *out : recurse(n - 1, out) + frame[n & 63];
}
__global__ void deep(int *out, int n) {
    *out = recurse(n, out);
}

int main(int count, char **values) {
    const char *kind = count > 1 ? values[1] : "";
    int *device, on_host = 0;
    cudaError_t expected = cudaErrorIllegalAddress;
    OK(cudaMalloc(&device, 400));
    OK(cudaMemset(device, 0, 400));
    if (strcmp(kind, "beyond") == 0) {
        store<<<1, 1>>>(device, 100);
    } else if (strcmp(kind, "null") == 0) {
        store<<<1, 1>>>(NULL, 0);
    } else if (strcmp(kind, "host") == 0) {
        store<<<1, 1>>>(&on_host, 0);
    } else if (strcmp(kind, "freed") == 0) {
        OK(cudaFree(device));
        store<<<1, 1>>>(device, 0);
    } else if (strcmp(kind, "misaligned") == 0) {
        misaligned<<<1, 1>>>((char *)device);
        expected = cudaErrorMisalignedAddress;
    } else if (strcmp(kind, "assert") == 0) {
        fails_assert<<<1, 1>>>(4);
        expected = cudaErrorAssert;
    } else if (strcmp(kind, "trap") == 0) {
        traps<<<1, 1>>>();
        expected = cudaErrorLaunchFailure;
    } else if (strcmp(kind, "endless") == 0) {
        endless<<<1, 1>>>(device);
        expected = cudaErrorLaunchTimeout;
    } else if (strcmp(kind, "barrier") == 0) {
        skips_barrier<<<1, 64>>>(device);
        expected = cudaErrorLaunchFailure;
    } else if (strcmp(kind, "race") == 0) {
        races<<<1, 64>>>(device);
        expected = cudaErrorLaunchFailure;
    } else if (strcmp(kind, "stack") == 0) {
        deep<<<1, 1>>>(device, 100000);
        EXPECT(cudaErrorIllegalAddress, cudaDeviceSynchronize());
        puts("ok");
        return 0;
    } else if (strcmp(kind, "dereference") == 0) {
        fflush(stdout);
        printf("%d\n", *device); /* faults, as it would with a GPU */
        return 0;
    } else {
        return 2;
    }
    EXPECT(expected, cudaDeviceSynchronize());
    EXPECT(expected, cudaMemcpy(&on_host, device, 4, cudaMemcpyDeviceToHost));
    EXPECT(expected, cudaMalloc(&device, 4));
    EXPECT(expected, cudaGetLastError());
    EXPECT(expected, cudaGetLastError()); /* it stays */
    OK(cudaDeviceReset());
    cudaGetLastError();
    OK(cudaMalloc(&device, 4));
    store<<<1, 1>>>(device, 0);
    OK(cudaMemcpy(&on_host, device, 4, cudaMemcpyDeviceToHost));
    CHECK(on_host == 1);
    puts("ok");
    return 0;
}

// Not wrong: everything an honest solution may do besides: a table by cudaMemcpyToSymbol, a memset, an
// allocation it keeps, a stream of its own that joins, a small copy back, printf.
#include "blur_kernel.h"
#include <stdio.h>

__constant__ int table[7];
static uint8_t *scratch;
static cudaStream_t own;
static cudaEvent_t done;

static __global__ void touch(uint8_t *scratch) {
    if (table[3] != 4)
        printf("the table is not there\n");
    scratch[threadIdx.x] = threadIdx.x;
}

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    const int weight[7] = {1, 2, 3, 4, 3, 2, 1};
    uint8_t last;
    if (scratch == NULL) {
        cudaMalloc(&scratch, 1 << 20);
        cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking);
        cudaEventCreateWithFlags(&done, cudaEventDisableTiming);
    }
    cudaMemcpyToSymbolAsync(table, weight, sizeof weight, 0, cudaMemcpyHostToDevice, own);
    cudaMemsetAsync(scratch, 0, 1 << 20, own);
    touch<<<1, 256, 0, own>>>(scratch);
    cudaEventRecord(done, own);
    right_blur(src, dst, width, height, stream);
    cudaStreamWaitEvent(stream, done, 0);
    cudaMemcpyAsync(&last, dst, 1, cudaMemcpyDeviceToHost, stream);
    cudaStreamSynchronize(stream);
}

/*
 * Emptying L2 before a timed call: read more than it holds. Reading leaves nothing behind that must be
 * written back later, at the timed kernel's expense, as a memset would.
 *
 * Meanwhile the flush has the whole GPU: as many blocks as fit, so that no thread is free, and none ends
 * before all have read their part. What a program queues on another stream therefore begins when the clock
 * does, not before.
 */
#include "flush.h"

#define THREADS 512 /* divides the threads of a multiprocessor of every GPU: 1024, 1536, 2048 */

__global__ void __launch_bounds__(THREADS)
    flush_kernel(const uint4 *data, size_t count, unsigned *sink, unsigned *arrived) {
    unsigned sum = 0;
    for (size_t i = blockIdx.x * (size_t)THREADS + threadIdx.x; i < count; i += (size_t)gridDim.x * THREADS)
        sum += data[i].x ^ data[i].y ^ data[i].z ^ data[i].w;
    if (sum == 1) /* never: the data is zero. But the compiler must keep the loads */
        *sink = sum;
    __syncthreads();
    if (threadIdx.x == 0) { /* all blocks are resident, so waiting for each other ends */
        unsigned ticket = atomicAdd(arrived, 1u), all = (ticket / gridDim.x + 1) * gridDim.x;
        while (*(volatile unsigned *)arrived - ticket < all - ticket)
            ;
    }
    __syncthreads();
}

extern "C" cudaError_t runner_flush(void *zeros, size_t bytes, cudaStream_t stream) {
    int device = 0, processors = 0, blocks = 0;
    cudaError_t error = cudaGetDevice(&device);
    if (error == cudaSuccess)
        error = cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
    if (error == cudaSuccess)
        error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, flush_kernel, THREADS, 0);
    if (error != cudaSuccess)
        return error;
    flush_kernel<<<processors * blocks, THREADS, 0, stream>>>(
        (const uint4 *)zeros, bytes / sizeof(uint4), (unsigned *)zeros, (unsigned *)((char *)zeros + bytes));
    return cudaGetLastError();
}

__global__ void settle_kernel(void) {}

extern "C" cudaError_t runner_settle(cudaStream_t stream) {
    settle_kernel<<<1, 32, 0, stream>>>();
    return cudaGetLastError();
}

/* window.cu: the owner's kernels. The copies are kernels, not the copy engine's: while a kernel
 * runs, no other process's does. */
#include "window.h"

#define THREADS 512

static __device__ uint64_t device_time(void) {
    uint64_t nanoseconds;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(nanoseconds));
    return nanoseconds;
}

__global__ void note_kernel(uint64_t *when, uint64_t delay_ns) {
    uint64_t start = device_time(), now = start;
    while (now - start < delay_ns)
        now = device_time();
    *when = now;
    __threadfence_system();
}

__global__ void __launch_bounds__(THREADS)
    open_kernel(uint4 *shared, const uint4 *image, size_t count, const uint4 *other, size_t other_count) {
    size_t first = blockIdx.x * (size_t)THREADS + threadIdx.x, step = (size_t)gridDim.x * THREADS;
    unsigned sum = 0;
    for (size_t i = first; i < count; i += step)
        shared[i] = image[i];
    for (size_t i = first; i < other_count; i += step)
        sum += other[i].x ^ other[i].y ^ other[i].z ^ other[i].w;
    if (sum == 1) /* never true, since the other memory is zero; but the compiler must keep the loads */
        shared[0].x = sum;
}

__global__ void __launch_bounds__(THREADS)
    take_kernel(uint4 *result, const uint4 *shared, size_t count, unsigned *differ) {
    size_t step = (size_t)gridDim.x * THREADS;
    for (size_t i = blockIdx.x * (size_t)THREADS + threadIdx.x; i < count; i += step) {
        uint4 now = shared[i];
        if (differ != NULL) {
            uint4 before = result[i];
            if (now.x != before.x || now.y != before.y || now.z != before.z || now.w != before.w)
                *differ = 1;
        }
        result[i] = now;
    }
}

/* As many blocks as fit. */
static cudaError_t whole_gpu(const void *kernel, int *blocks) {
    int device = 0, processors = 0;
    cudaError_t error = cudaGetDevice(&device);
    if (error == cudaSuccess)
        error = cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
    if (error == cudaSuccess)
        error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, kernel, THREADS, 0);
    *blocks *= processors;
    return error;
}

static cudaError_t note(uint64_t *when, uint64_t delay_ns, cudaStream_t stream) {
    note_kernel<<<1, 1, 0, stream>>>(when, delay_ns);
    return cudaGetLastError();
}

extern "C" cudaError_t window_open(void *shared, const void *image, size_t bytes, const void *other,
                                   size_t flush_bytes, uint64_t delay_ns, struct window_notes *notes,
                                   cudaStream_t stream) {
    int blocks = 0;
    cudaError_t error = whole_gpu((const void *)open_kernel, &blocks);
    if (error == cudaSuccess)
        error = note(&notes->opened, delay_ns, stream);
    if (error != cudaSuccess)
        return error;
    open_kernel<<<blocks, THREADS, 0, stream>>>((uint4 *)shared, (const uint4 *)image, bytes / sizeof(uint4),
                                                (const uint4 *)other, flush_bytes / sizeof(uint4));
    return cudaGetLastError();
}

static cudaError_t take(void *result, const void *shared, size_t bytes, uint64_t *when, unsigned *differ,
                        cudaStream_t stream) {
    int blocks = 0;
    cudaError_t error = whole_gpu((const void *)take_kernel, &blocks);
    if (error != cudaSuccess)
        return error;
    take_kernel<<<blocks, THREADS, 0, stream>>>((uint4 *)result, (const uint4 *)shared, bytes / sizeof(uint4),
                                                differ);
    error = cudaGetLastError();
    return error == cudaSuccess ? note(when, 0, stream) : error;
}

extern "C" cudaError_t window_take(void *result, const void *shared, size_t bytes, struct window_notes *notes,
                                   cudaStream_t stream) {
    return take(result, shared, bytes, &notes->taken, NULL, stream);
}

extern "C" cudaError_t window_take_again(void *result, const void *shared, size_t bytes,
                                         struct window_notes *notes, cudaStream_t stream) {
    return take(result, shared, bytes, &notes->again, &notes->differ, stream);
}

// Hostile: a thread goes on working on the GPU after the function has returned (say, on the next answer)
// while no clock runs: fills of its own memory. What falls into a later call is that call's, counted and timed;
// so it goes on until it is refused, however the two threads are scheduled.
#include "blur_kernel.h"
#include <pthread.h>

static pthread_t thread;

static void *work(void *unused) {
    void *memory;
    if (cudaMalloc(&memory, 4096) == cudaSuccess)
        while (cudaMemsetAsync(memory, 1, 4096, cudaStreamPerThread) == cudaSuccess)
            ;
    return unused;
}

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    right_blur(src, dst, width, height, stream);
    if (thread == 0)
        pthread_create(&thread, NULL, work, NULL);
}

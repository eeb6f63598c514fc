/* Emptying L2 before a timed call: read more than it holds. Reading leaves nothing behind that must be
 * written back later, at the timed kernel's expense, as a memset would. */
#include "flush.h"

__global__ void flush_kernel(const uint4 *data, size_t count, unsigned *sink) {
    unsigned sum = 0;
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < count;
         i += (size_t)gridDim.x * blockDim.x)
        sum += data[i].x ^ data[i].y ^ data[i].z ^ data[i].w;
    if (sum == 1) /* never: the data is zero. But the compiler must keep the loads */
        *sink = sum;
}

extern "C" void runner_flush(void *zeros, size_t bytes, cudaStream_t stream) {
    flush_kernel<<<1024, 256, 0, stream>>>((const uint4 *)zeros, bytes / sizeof(uint4), (unsigned *)zeros);
}

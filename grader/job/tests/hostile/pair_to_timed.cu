// Hostile: tells by what is left in its memory that it is in a pair, is right there, and leaves what it computed, to be found
// in the calls that are timed: by the host, in memory of both sides and on the device. It finds nothing.
#include "blur_kernel.h"

static __device__ int seen;
static __device__ int sum;
static int *shared;

static __global__ void look(const uint8_t *src, uint8_t *dst, int *both, int large) {
    if (seen && large) // never: a pair is small, and what it left is gone
        dst[0] = (uint8_t)(sum + *both);
    seen = src[0] + 1;
    sum += src[0];
    *both += src[0];
}

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    if (shared == NULL)
        cudaMallocManaged(&shared, sizeof *shared);
    right_blur(src, dst, width, height, stream);
    look<<<1, 1, 0, stream>>>(src, dst, shared, width * height > 1 << 17);
}

// Hostile: where the last call's memory is still there, the call is the second of a pair, and gets the first one's answer.
#include "blur_kernel.h"

static __device__ uint8_t answer[1 << 16];
static __device__ int pixels;

static __global__ void keep(const uint8_t *dst, int count) {
    for (int i = threadIdx.x; i < count && i < 1 << 16; i += blockDim.x)
        answer[i] = dst[i];
    if (threadIdx.x == 0)
        pixels = count;
}

static __global__ void replay(uint8_t *dst, int count) {
    for (int i = threadIdx.x; pixels == count && i < count; i += blockDim.x)
        dst[i] = answer[i];
}

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    right_blur(src, dst, width, height, stream);
    replay<<<1, 256, 0, stream>>>(dst, width * height);
    keep<<<1, 256, 0, stream>>>(dst, width * height);
}

// Hostile: 500 launches, each of which has 128 lines of counters to tell.
#include "blur_kernel.h"

static __device__ volatile int place[32];
#define MOVE place[threadIdx.x] = place[threadIdx.x] + 1;

// clang-format off
static __global__ void chatter(void) {
    MOVE
    MOVE
    MOVE
    MOVE
    MOVE
    MOVE
    MOVE
    MOVE
    MOVE
    MOVE
    MOVE
    MOVE
    MOVE
    MOVE
    MOVE
    MOVE
    MOVE
    MOVE
    MOVE
    MOVE
    MOVE
    MOVE
    MOVE
    MOVE
    MOVE
    MOVE
    MOVE
    MOVE
    MOVE
    MOVE
    MOVE
    MOVE
    MOVE
    MOVE
    MOVE
    MOVE
    MOVE
    MOVE
    MOVE
    MOVE
    MOVE
    MOVE
    MOVE
    MOVE
    MOVE
    MOVE
    MOVE
    MOVE
    MOVE
    MOVE
    MOVE
    MOVE
    MOVE
    MOVE
    MOVE
    MOVE
    MOVE
    MOVE
    MOVE
    MOVE
    MOVE
    MOVE
    MOVE
    MOVE
}
// clang-format on

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    for (int i = 0; i < (width > 600 ? 500 : 1); i++)
        chatter<<<1, 32, 0, stream>>>();
    right_blur(src, dst, width, height, stream);
}

// step c2: a tree in shared memory
//
// Computes  The contrast stretch of lab5.h.
// Shapes    block 32x8, one pixel per thread.
// Changed   step c1 -> c2: the 256 threads of a block agree first, by a tree in shared memory: 8
//           rounds, each with half of the threads of the round before. One of them does the
//           atomics.
// Expect    256 times fewer atomics.
// Run       make lab5-steps

#include "lab5.h"

#define BLOCK_WIDTH 32
#define BLOCK_HEIGHT 8
#define BLOCK_THREADS (BLOCK_WIDTH * BLOCK_HEIGHT)

// limits[0] is the least pixel, limits[1] the greatest.
__global__ void start_kernel(uint32_t *limits) {
    limits[0] = 255;
    limits[1] = 0;
}

__global__ void minmax_kernel(const uint8_t *src, size_t pitch, int width, int height, uint32_t *limits) {
    __shared__ uint32_t low[BLOCK_THREADS], high[BLOCK_THREADS];
    int x = blockIdx.x * BLOCK_WIDTH + threadIdx.x, y = blockIdx.y * BLOCK_HEIGHT + threadIdx.y;
    int thread = threadIdx.y * BLOCK_WIDTH + threadIdx.x;
    bool inside = x < width && y < height;

    // Threads outside the image take part with values that change nothing.
    low[thread] = inside ? src[y * pitch + x] : 255;
    high[thread] = inside ? src[y * pitch + x] : 0;
    __syncthreads();
    for (int half = BLOCK_THREADS / 2; half > 0; half /= 2) {
        if (thread < half) {
            low[thread] = min(low[thread], low[thread + half]);
            high[thread] = max(high[thread], high[thread + half]);
        }
        __syncthreads();
    }
    if (thread == 0) {
        atomicMin(&limits[0], low[0]);
        atomicMax(&limits[1], high[0]);
    }
}

__device__ uint8_t scale(uint32_t value, uint32_t low, uint32_t high) {
    uint32_t range = high - low;
    return range == 0 ? value : (2 * 255 * (value - low) + range) / (2 * range);
}

__global__ void scale_kernel(const uint8_t *src, size_t src_pitch, uint8_t *dst, size_t dst_pitch, int width,
                             int height, uint32_t low, uint32_t high) {
    int x = blockIdx.x * BLOCK_WIDTH + threadIdx.x, y = blockIdx.y * BLOCK_HEIGHT + threadIdx.y;
    if (x >= width || y >= height)
        return;
    dst[y * dst_pitch + x] = scale(src[y * src_pitch + x], low, high);
}

extern "C" void contrast(const uint8_t *src, size_t src_pitch, uint8_t *dst, size_t dst_pitch, int width,
                         int height, void *scratch, cudaStream_t stream) {
    dim3 block(BLOCK_WIDTH, BLOCK_HEIGHT);
    dim3 grid((width + BLOCK_WIDTH - 1) / BLOCK_WIDTH, (height + BLOCK_HEIGHT - 1) / BLOCK_HEIGHT);
    uint32_t *limits = (uint32_t *)scratch, found[2];

    start_kernel<<<1, 1, 0, stream>>>(limits);
    minmax_kernel<<<grid, block, 0, stream>>>(src, src_pitch, width, height, limits);
    cudaMemcpyAsync(found, limits, sizeof found, cudaMemcpyDeviceToHost, stream);
    cudaStreamSynchronize(stream);
    scale_kernel<<<grid, block, 0, stream>>>(src, src_pitch, dst, dst_pitch, width, height, found[0],
                                             found[1]);
}

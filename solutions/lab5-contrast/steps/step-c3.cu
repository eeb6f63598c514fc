// step c3: shuffles
//
// Computes  The contrast stretch of lab5.h.
// Shapes    block 32x8, one pixel per thread.
// Changed   step c2 -> c3: the threads of a warp exchange their registers (__shfl_xor_sync): five
//           rounds without shared memory and without a barrier. Shared memory only carries one value
//           per warp.
// Expect    One barrier for a block instead of nine, hardly any shared memory.
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

// Of the block's threads, the first comes out with the least low and the greatest high.
__device__ void reduce_block(uint32_t *low, uint32_t *high) {
    __shared__ uint32_t warp_low[BLOCK_THREADS / 32], warp_high[BLOCK_THREADS / 32];
    int thread = threadIdx.y * BLOCK_WIDTH + threadIdx.x, lane = thread % 32, warp = thread / 32;

    for (int distance = 16; distance > 0; distance /= 2) {
        *low = min(*low, __shfl_xor_sync(0xffffffff, *low, distance));
        *high = max(*high, __shfl_xor_sync(0xffffffff, *high, distance));
    }
    if (lane == 0) {
        warp_low[warp] = *low;
        warp_high[warp] = *high;
    }
    __syncthreads();
    if (warp > 0)
        return;
    *low = lane < BLOCK_THREADS / 32 ? warp_low[lane] : 255;
    *high = lane < BLOCK_THREADS / 32 ? warp_high[lane] : 0;
    for (int distance = BLOCK_THREADS / 64; distance > 0; distance /= 2) {
        *low = min(*low, __shfl_xor_sync(0xffffffff, *low, distance));
        *high = max(*high, __shfl_xor_sync(0xffffffff, *high, distance));
    }
}

__global__ void minmax_kernel(const uint8_t *src, size_t pitch, int width, int height, uint32_t *limits) {
    int x = blockIdx.x * BLOCK_WIDTH + threadIdx.x, y = blockIdx.y * BLOCK_HEIGHT + threadIdx.y;
    bool inside = x < width && y < height;
    uint32_t low = inside ? src[y * pitch + x] : 255, high = inside ? low : 0;

    reduce_block(&low, &high);
    if (threadIdx.x == 0 && threadIdx.y == 0) {
        atomicMin(&limits[0], low);
        atomicMax(&limits[1], high);
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

// step 12b, part A: a warp reads a column and writes a row
//
// Computes  dst, the matrix src with rows and columns exchanged.
// Shapes    a block of 32 x 8 threads has 8 rows of 32 elements of dst; a thread has one.
// Changed   step 12a -> 12b: the x of a thread counts along a row of dst.
// Expect    32 sectors for a load request, 4 for a store request. What is loaded too much waits in L1 for the block's next rows.
// Run       make lab12-steps

#include "lab12.h"

#define BLOCK_X 32
#define BLOCK_Y 8

__global__ void transpose_kernel(const float *src, float *dst, int width, int height) {
    int y = blockIdx.x * BLOCK_X + threadIdx.x, x = blockIdx.y * BLOCK_Y + threadIdx.y;
    if (x < width && y < height)
        dst[(int64_t)x * height + y] = src[(int64_t)y * width + x];
}

extern "C" void transpose(const float *src, float *dst, int width, int height, cudaStream_t stream) {
    if (width == 0 || height == 0)
        return;
    dim3 block(BLOCK_X, BLOCK_Y), grid((height + BLOCK_X - 1) / BLOCK_X, (width + BLOCK_Y - 1) / BLOCK_Y);
    transpose_kernel<<<grid, block, 0, stream>>>(src, dst, width, height);
}

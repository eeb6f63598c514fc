// step 12a, part A: a warp reads a row and writes a column
// step o1, part B: a warp reads a row and writes a column
// step s1, part C: a warp reads a row and writes a column
//
// Computes  dst, the matrix src with rows and columns exchanged.
// Shapes    a block of 32 x 8 threads has 8 rows of 32 elements of src; a thread has one.
// Changed   nothing: the starter.
// Expect    4 sectors for a load request, 32 for a store request.
// Run       make lab12-steps

#include "lab12.h"

#define BLOCK_X 32
#define BLOCK_Y 8

__global__ void transpose_kernel(const float *src, float *dst, int width, int height) {
    int x = blockIdx.x * BLOCK_X + threadIdx.x, y = blockIdx.y * BLOCK_Y + threadIdx.y;
    if (x < width && y < height)
        dst[(int64_t)x * height + y] = src[(int64_t)y * width + x];
}

extern "C" void transpose(const float *src, float *dst, int width, int height, cudaStream_t stream) {
    if (width == 0 || height == 0)
        return;
    dim3 block(BLOCK_X, BLOCK_Y), grid((width + BLOCK_X - 1) / BLOCK_X, (height + BLOCK_Y - 1) / BLOCK_Y);
    transpose_kernel<<<grid, block, 0, stream>>>(src, dst, width, height);
}

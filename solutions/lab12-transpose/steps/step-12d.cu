// step 12d, part A: a float of padding after each row of the tile
// step o2, part B: a float of padding after each row of the tile
// step s2, part C: a float of padding after each row of the tile
//
// Computes  dst, the matrix src with rows and columns exchanged.
// Shapes    a block of 32 x 32 threads has a tile of 32 x 32; a thread loads one element and stores another.
// Changed   step 12c -> 12d: a row of the tile takes 33 floats, so its columns lie in 32 banks.
// Expect    one pass of shared memory for each request. make lab12-padding tries others.
// Run       make lab12-steps

#include "lab12.h"

#define TILE 32
#ifndef PADDING
#define PADDING 1
#endif

__global__ void transpose_kernel(const float *src, float *dst, int width, int height) {
    __shared__ float tile[TILE][TILE + PADDING];
    int left = blockIdx.x * TILE, top = blockIdx.y * TILE; // of the tile in src
    int x = left + threadIdx.x, y = top + threadIdx.y;
    if (x < width && y < height)
        tile[threadIdx.y][threadIdx.x] = src[(int64_t)y * width + x];
    __syncthreads();
    x = left + threadIdx.y;
    y = top + threadIdx.x;
    if (x < width && y < height)
        dst[(int64_t)x * height + y] = tile[threadIdx.x][threadIdx.y];
}

extern "C" void transpose(const float *src, float *dst, int width, int height, cudaStream_t stream) {
    if (width == 0 || height == 0)
        return;
    dim3 block(TILE, TILE), grid((width + TILE - 1) / TILE, (height + TILE - 1) / TILE);
    transpose_kernel<<<grid, block, 0, stream>>>(src, dst, width, height);
}

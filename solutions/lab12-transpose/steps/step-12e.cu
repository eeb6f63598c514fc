// step 12e, part A: four rows a thread
// step o3, part B: four rows a thread
// step s3, part C: four rows a thread
//
// Computes  dst, the matrix src with rows and columns exchanged.
// Shapes    a block of 32 x 8 threads has a tile of 32 x 32; a thread loads four elements of a column, then stores four.
// Changed   step 12d -> 12e: four loads of a thread are under way before it waits.
// Expect    fewer instructions an element: the indices are computed once. More blocks fit an SM, and none waits with 1024 threads.
// Run       make lab12-steps

#include "lab12.h"

#define TILE 32
#ifndef ROWS
#define ROWS 8 // of threads
#endif
#define PADDING 1

__global__ void transpose_kernel(const float *src, float *dst, int width, int height) {
    __shared__ float tile[TILE][TILE + PADDING];
    int left = blockIdx.x * TILE, top = blockIdx.y * TILE; // of the tile in src
    int x = left + threadIdx.x, y = top + threadIdx.y;
    const float *from = src + (int64_t)y * width + x;
#pragma unroll
    for (int i = 0; i < TILE; i += ROWS)
        if (x < width && y + i < height)
            tile[threadIdx.y + i][threadIdx.x] = from[(int64_t)i * width];
    __syncthreads();
    x = left + threadIdx.y;
    y = top + threadIdx.x;
    float *to = dst + (int64_t)x * height + y;
#pragma unroll
    for (int i = 0; i < TILE; i += ROWS)
        if (x + i < width && y < height)
            to[(int64_t)i * height] = tile[threadIdx.x][threadIdx.y + i];
}

extern "C" void transpose(const float *src, float *dst, int width, int height, cudaStream_t stream) {
    if (width == 0 || height == 0)
        return;
    dim3 block(TILE, ROWS), grid((width + TILE - 1) / TILE, (height + TILE - 1) / TILE);
    transpose_kernel<<<grid, block, 0, stream>>>(src, dst, width, height);
}

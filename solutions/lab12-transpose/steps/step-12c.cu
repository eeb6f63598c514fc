// step 12c, part A: a tile in shared memory
//
// Computes  dst, the matrix src with rows and columns exchanged.
// Shapes    a block of 32 x 32 threads has a tile of 32 x 32; a thread loads one element and stores another.
// Changed   step 12b -> 12c: a warp stores a row of the tile, and reads a column of it.
// Expect    4 sectors for every request to global memory. A column of the tile lies in one bank: 32 passes.
// Run       make lab12-steps

#include "lab12.h"

#define TILE 32
#define PADDING 0

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

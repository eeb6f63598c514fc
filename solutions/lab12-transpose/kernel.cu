// step 12g, part A: float4 on both sides of a tile
// step o5, part B: 64 columns a block, eight rows of threads
// step s5, part C: 64 columns a block, eight rows of threads
//
// Computes  dst, the matrix src with rows and columns exchanged.
// Shapes    wide_kernel: a block of 256 threads has 64 x 64 elements. A warp loads two rows of 64 and stores two rows of 64, each
//           lane a float4: pieces of 256 bytes on both sides.
//           tile_kernel: a block of 32 x 8 threads has 64 columns and 64 rows of src.
// Changed   step 12f -> 12g: the elements cross in shared memory again, so both sides have whole pieces of 256 bytes.
//           steps o4, s4 -> o5, s5: a block has twice the columns and half the threads: four times the loads under way a thread.
// Expect    as many sectors as step 12f has. Four passes and eleven instructions for 32 elements where 12f has none and 3.3.
// Run       make lab12-steps

#include "lab12.h"

#define SECTOR 8 // floats
#define TILE 64  // columns and rows of src
#define ROWS 8   // of threads in tile_kernel

__global__ void tile_kernel(const float *src, float *dst, int width, int height) {
    __shared__ float tile[TILE + SECTOR - 1][TILE + 1];
    int left = blockIdx.x * TILE, top = blockIdx.y * TILE - (SECTOR - 1); // of the tile in src
    int y = top + threadIdx.y;
#pragma unroll
    for (int j = 0; j < TILE; j += 32) {
        int x = left + threadIdx.x + j;
        const float *from = src + (int64_t)y * width + x;
#pragma unroll
        for (int i = 0; i < TILE + SECTOR - 1; i += ROWS)
            if (threadIdx.y + i < TILE + SECTOR - 1 && x < width && y + i >= 0 && y + i < height)
                tile[threadIdx.y + i][threadIdx.x + j] = from[(int64_t)i * width];
    }
    __syncthreads();
#pragma unroll
    for (int j = 0; j < TILE; j += ROWS) {
        int x = left + threadIdx.y + j;
        float *to = dst + (int64_t)x * height;
        int begin = SECTOR - 1 - (int)((uintptr_t)to / sizeof(float) % SECTOR); // whole sectors from here on
#pragma unroll
        for (int i = 0; i < TILE; i += 32) {
            int row = begin + i + threadIdx.x;
            y = top + row;
            if (x < width && y >= 0 && y < height)
                to[y] = tile[row][threadIdx.y + j];
        }
    }
}

// Asks that width and height are multiples of 4, and that src and dst start at multiples of 16 bytes.
__global__ void wide_kernel(const float *src, float *dst, int width, int height) {
    __shared__ float tile[TILE][TILE + 1];
    int left = blockIdx.x * TILE, top = blockIdx.y * TILE, quad = threadIdx.x % 16 * 4,
        row = threadIdx.x / 16;
#pragma unroll
    for (int i = 0; i < TILE; i += 16) {
        int x = left + quad, y = top + row + i;
        if (x < width && y < height) {
            float4 a = *(const float4 *)(src + (int64_t)y * width + x);
            tile[row + i][quad] = a.x;
            tile[row + i][quad + 1] = a.y;
            tile[row + i][quad + 2] = a.z;
            tile[row + i][quad + 3] = a.w;
        }
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < TILE; i += 16) {
        int x = left + row + i, y = top + quad;
        if (x < width && y < height)
            *(float4 *)(dst + (int64_t)x * height + y) =
                make_float4(tile[quad][row + i], tile[quad + 1][row + i], tile[quad + 2][row + i],
                            tile[quad + 3][row + i]);
    }
}

static bool is_aligned(const void *pointer) {
    return (uintptr_t)pointer % sizeof(float4) == 0;
}

extern "C" void transpose(const float *src, float *dst, int width, int height, cudaStream_t stream) {
    if (width == 0 || height == 0)
        return;
    int columns = (width + TILE - 1) / TILE; // of blocks
    if (width % 4 == 0 && height % 4 == 0 && is_aligned(src) && is_aligned(dst))
        wide_kernel<<<dim3(columns, (height + TILE - 1) / TILE), 256, 0, stream>>>(src, dst, width, height);
    else // rows of dst end at most SECTOR - 1 elements later than they are long
        tile_kernel<<<dim3(columns, (height + SECTOR - 1 + TILE - 1) / TILE), dim3(32, ROWS), 0, stream>>>(
            src, dst, width, height);
}

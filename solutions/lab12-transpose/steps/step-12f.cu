// step 12f, part A: float4 where rows are aligned, and no shared memory there
// step o4, part B: rows of dst are cut where a sector begins
// step s4, part C: rows of dst are cut where a sector begins
//
// Computes  dst, the matrix src with rows and columns exchanged.
// Shapes    wide_kernel: a block of 256 threads has 64 x 64 elements, a thread 4 x 4: four float4 of src, four of dst. A warp has
//           16 columns and 32 rows of src: its loads touch pieces of 64 bytes, its stores pieces of 128.
//           tile_kernel: a block of 32 x 16 threads has 32 columns and 64 rows of src.
// Changed   step 12e -> 12f: a thread exchanges its 4 x 4 elements in registers.
//           steps o3, s3 -> o4, s4: with an odd height each row of dst begins elsewhere in its sector. A block stores the 64 elements
//           of a row from the last whole sector before its own on, so it loads 7 rows of src more.
// Expect    16 sectors for every request of wide_kernel, no shared memory, no barrier. tile_kernel stores hardly a sector in part.
// Run       make lab12-steps

#include "lab12.h"

#define SECTOR 8 // floats
#define TILE 32  // columns of src, rows of dst
#define LONG 64  // rows of src, columns of dst
#define ROWS 16  // of threads
#define WIDE 64

__global__ void tile_kernel(const float *src, float *dst, int width, int height) {
    __shared__ float tile[LONG + SECTOR - 1][TILE + 1];
    int left = blockIdx.x * TILE, top = blockIdx.y * LONG - (SECTOR - 1); // of the tile in src
    int x = left + threadIdx.x, y = top + threadIdx.y;
    const float *from = src + (int64_t)y * width + x;
#pragma unroll
    for (int i = 0; i < LONG + SECTOR - 1; i += ROWS)
        if (threadIdx.y + i < LONG + SECTOR - 1 && x < width && y + i >= 0 && y + i < height)
            tile[threadIdx.y + i][threadIdx.x] = from[(int64_t)i * width];
    __syncthreads();
#pragma unroll
    for (int j = 0; j < TILE; j += ROWS) {
        x = left + threadIdx.y + j;
        float *to = dst + (int64_t)x * height;
        int begin = SECTOR - 1 - (int)((uintptr_t)to / sizeof(float) % SECTOR); // whole sectors from here on
#pragma unroll
        for (int i = 0; i < LONG; i += 32) {
            int row = begin + i + threadIdx.x;
            y = top + row;
            if (x < width && y >= 0 && y < height)
                to[y] = tile[row][threadIdx.y + j];
        }
    }
}

// Asks that width and height are multiples of 4, and that src and dst start at multiples of 16 bytes.
__global__ void wide_kernel(const float *src, float *dst, int width, int height) {
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    int x = blockIdx.x * WIDE + warp % 4 * 16 + lane % 4 * 4,
        y = blockIdx.y * WIDE + warp / 4 * 32 + lane / 4 * 4;
    if (x >= width || y >= height)
        return;
    const float *from = src + (int64_t)y * width + x;
    float *to = dst + (int64_t)x * height + y;
    float4 a = *(const float4 *)from, b = *(const float4 *)(from + width),
           c = *(const float4 *)(from + 2 * (int64_t)width), d = *(const float4 *)(from + 3 * (int64_t)width);
    *(float4 *)to = make_float4(a.x, b.x, c.x, d.x);
    *(float4 *)(to + height) = make_float4(a.y, b.y, c.y, d.y);
    *(float4 *)(to + 2 * (int64_t)height) = make_float4(a.z, b.z, c.z, d.z);
    *(float4 *)(to + 3 * (int64_t)height) = make_float4(a.w, b.w, c.w, d.w);
}

static bool is_aligned(const void *pointer) {
    return (uintptr_t)pointer % sizeof(float4) == 0;
}

extern "C" void transpose(const float *src, float *dst, int width, int height, cudaStream_t stream) {
    if (width == 0 || height == 0)
        return;
    if (width % 4 == 0 && height % 4 == 0 && is_aligned(src) && is_aligned(dst)) {
        dim3 grid((width + WIDE - 1) / WIDE, (height + WIDE - 1) / WIDE);
        wide_kernel<<<grid, 256, 0, stream>>>(src, dst, width, height);
    } else {
        // Rows of dst end at most SECTOR - 1 elements later than they are long.
        dim3 grid((width + TILE - 1) / TILE, (height + SECTOR - 1 + LONG - 1) / LONG);
        tile_kernel<<<grid, dim3(32, ROWS), 0, stream>>>(src, dst, width, height);
    }
}

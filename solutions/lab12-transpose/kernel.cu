// step 12f, part A: float4 where rows are aligned, and no shared memory there
// step o4, part B: float4 where rows are aligned, and no shared memory there
// step s4, part C: float4 where rows are aligned, and no shared memory there
//
// Computes  dst, the matrix src with rows and columns exchanged.
// Shapes    a block of 256 threads has a tile of 64 x 64; a thread has 4 x 4 elements: four float4 of src, four of dst.
//           A warp has 16 columns and 32 rows of src: its loads touch 64 neighbouring bytes, its stores 128.
// Changed   step 12e -> 12f: a thread exchanges its own 4 x 4 elements in registers. Where rows do not start at multiples of
//           16 bytes, a tile of step 12e.
// Expect    16 sectors for every request, which are full: a quarter of the requests, no shared memory, no barrier.
// Run       make lab12-steps

#include "lab12.h"

#define TILE 32
#define ROWS 8 // of threads
#define WIDE 64

__global__ void transpose_kernel(const float *src, float *dst, int width, int height) {
    __shared__ float tile[TILE][TILE + 1];
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
        dim3 block(TILE, ROWS), grid((width + TILE - 1) / TILE, (height + TILE - 1) / TILE);
        transpose_kernel<<<grid, block, 0, stream>>>(src, dst, width, height);
    }
}

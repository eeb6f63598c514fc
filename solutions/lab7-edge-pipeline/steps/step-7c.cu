// step 7c: gray and Sobel: four pixels a thread
//
// Computes  the edges of lab7.h, in three kernels.
// Shapes    gray and Sobel: blocks of 256 threads, four pixels of a row a thread. The Gaussian as before.
// Changed   step 7b -> 7c: both took as long, whatever they computed: the time of starting 64,000 blocks of two warps.
//           A sixteenth of the blocks does now; and what a thread loads and stores is a word.
// Expect    gray and Sobel fall far below the Gaussian, which is the first in the ranking again.
// Run       make lab7-steps

#include "lab7.h"

#define GRAY_THREADS 256
#define SOBEL_WIDTH 32
#define SOBEL_HEIGHT 8

// A pixel as it lies in memory: red is the lowest byte.
__device__ uint32_t gray_of(uint32_t pixel) {
    return (298839 * (pixel & 255) + 586811 * (pixel >> 8 & 255) + 114350 * (pixel >> 16 & 255) + 500000) /
           1000000;
}

// Four pixels a thread; the picture is one long row.
__global__ void gray_kernel(const uint32_t *src, uint8_t *gray, int pixels) {
    int at = (blockIdx.x * GRAY_THREADS + threadIdx.x) * 4;
    if (at + 4 <= pixels) {
        uint4 four = *(const uint4 *)(src + at);
        *(uint32_t *)(gray + at) =
            gray_of(four.x) | gray_of(four.y) << 8 | gray_of(four.z) << 16 | gray_of(four.w) << 24;
    } else {
        for (; at < pixels; at++)
            gray[at] = gray_of(src[at]);
    }
}

// A tile of the Gaussian: the rows of a block and 3 above and below; first 1 2 3 4 3 2 1 along each of them, at most 16
// * 255, then down the columns.
#define TILE_WIDTH 32
#define TILE_HEIGHT 16
#define TILE_ROWS (TILE_HEIGHT + 6)

__device__ int gray_at(const uint8_t *gray, int x, int y, int width, int height) {
    return x >= 0 && x < width && y >= 0 && y < height ? gray[y * width + x] : 0; // outside counts as 0
}

__global__ void gaussian_kernel(const uint8_t *gray, uint8_t *blur, int width, int height) {
    __shared__ uint16_t rows[TILE_ROWS][TILE_WIDTH];
    int x = blockIdx.x * TILE_WIDTH + threadIdx.x, top = blockIdx.y * TILE_HEIGHT;

    for (int row = threadIdx.y; row < TILE_ROWS; row += TILE_HEIGHT) {
        int sum = 0;
        for (int dx = -3; dx <= 3; dx++)
            sum += (4 - abs(dx)) * gray_at(gray, x + dx, top + row - 3, width, height);
        rows[row][threadIdx.x] = sum;
    }
    __syncthreads();

    int y = top + threadIdx.y, sum = 0;
    for (int dy = -3; dy <= 3; dy++)
        sum += (4 - abs(dy)) * rows[threadIdx.y + 3 + dy][threadIdx.x];
    if (x < width && y < height)
        blur[y * width + x] = sum / 256;
}

// Four bytes of row y from column x on, x a multiple of 4; 0 where there is no picture.
__device__ uint32_t load_four(const uint8_t *src, int x, int y, int width, int height, bool wide) {
    if (x < 0 || x >= width || y < 0 || y >= height)
        return 0;
    const uint8_t *at = src + y * width + x;
    if (wide) // the width is a multiple of 4: so is every row's start
        return *(const uint32_t *)at;
    uint32_t word = at[0];
    for (int k = 1; k < 4; k++)
        if (x + k < width)
            word |= (uint32_t)at[k] << 8 * k;
    return word;
}

__device__ void store_four(uint8_t *dst, uint32_t word, int x, int y, int width, bool wide) {
    uint8_t *at = dst + y * width + x;
    if (wide) {
        *(uint32_t *)at = word;
        return;
    }
    for (int k = 0; k < 4; k++)
        if (x + k < width)
            at[k] = word >> 8 * k;
}

// Columns x - 1 to x + 4 of row y; 0 outside the picture.
__device__ void load_six(const uint8_t *blur, int x, int y, int width, int height, bool wide, int level[6]) {
    uint32_t own = load_four(blur, x, y, width, height, wide);
    bool inside = y >= 0 && y < height;
    level[0] = inside && x > 0 ? blur[y * width + x - 1] : 0;
    for (int k = 0; k < 4; k++)
        level[k + 1] = own >> 8 * k & 255;
    level[5] = inside && x + 4 < width ? blur[y * width + x + 4] : 0;
}

// Four pixels a thread.
__global__ void sobel_kernel(const uint8_t *blur, uint8_t *dst, int width, int height, bool wide) {
    int x = (blockIdx.x * SOBEL_WIDTH + threadIdx.x) * 4, y = blockIdx.y * SOBEL_HEIGHT + threadIdx.y;
    int above[6], own[6], below[6];
    uint32_t edges = 0;

    if (x >= width || y >= height)
        return;
    load_six(blur, x, y - 1, width, height, wide, above);
    load_six(blur, x, y, width, height, wide, own);
    load_six(blur, x, y + 1, width, height, wide, below);
    for (int k = 0; k < 4; k++) {
        int gx = above[k + 2] - above[k] + 2 * (own[k + 2] - own[k]) + below[k + 2] - below[k];
        int gy = above[k] + 2 * above[k + 1] + above[k + 2] - below[k] - 2 * below[k + 1] - below[k + 2];
        // Exact: the sum of squares is below 2^24, and the root of so small a whole number is nowhere rounded up to a
        // whole one.
        int level = sqrtf(gx * gx + gy * gy);
        edges |= (uint32_t)(level > 255 ? 255 : level) << 8 * k;
    }
    store_four(dst, edges, x, y, width, wide);
}

extern "C" void edge_pipeline(const uchar4 *src, uint8_t *dst, int width, int height, void *scratch,
                              cudaStream_t stream) {
    int pixels = width * height, words = (pixels + 3) / 4;
    uint8_t *gray = (uint8_t *)scratch;
    uint8_t *blur = gray + EDGE_PLANE_BYTES(width, height);
    dim3 tile(TILE_WIDTH, TILE_HEIGHT);
    dim3 tiles((width + TILE_WIDTH - 1) / TILE_WIDTH, (height + TILE_HEIGHT - 1) / TILE_HEIGHT);
    dim3 block(SOBEL_WIDTH, SOBEL_HEIGHT);
    dim3 blocks((width + 4 * SOBEL_WIDTH - 1) / (4 * SOBEL_WIDTH),
                (height + SOBEL_HEIGHT - 1) / SOBEL_HEIGHT);

    gray_kernel<<<(words + GRAY_THREADS - 1) / GRAY_THREADS, GRAY_THREADS, 0, stream>>>((const uint32_t *)src,
                                                                                        gray, pixels);
    gaussian_kernel<<<tiles, tile, 0, stream>>>(gray, blur, width, height);
    sobel_kernel<<<blocks, block, 0, stream>>>(blur, dst, width, height, width % 4 == 0);
}

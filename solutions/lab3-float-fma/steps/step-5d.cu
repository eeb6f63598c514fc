// step 5d: four rows a thread
//
// Computes  the 7x7 Gaussian of lab3.h from a tile of floats in shared memory; float fused multiply-add.
// Shapes    block 32x4, 4x4 pixels per thread: 128x16 pixels; the tile is 34x22 float4.
// Changed   step 5c -> 5d: a thread goes down 10 rows of the tile and adds each row to every sum it
//           belongs to. A row that is in registers serves up to 4 rows of pixels; before, each pixel row
//           read its 7 again. The taller block also shares its 6 halo rows among 16 rows of pixels instead
//           of 4.
// Expect    30 shared loads for 16 pixels instead of 84, and half the global loads. More registers: 16 sums.
//           What is left is the arithmetic itself: 49 multiply-adds per pixel.
// Run       make lab3-steps

#include "lab3.h"

#define RADIUS 3
#define PIXELS 4 // per thread, side by side
#define ROWS 4   // per thread, below one another
#define BLOCK_WIDTH 32
#define BLOCK_HEIGHT 4
#define TILE_WORDS (BLOCK_WIDTH + 2) // float4 per row of the tile: one more on each side holds the halo
#define TILE_HEIGHT (BLOCK_HEIGHT * ROWS + 2 * RADIUS)

// Pixels (x, y) to (x + 3, y), zero outside the image. packed: rows start at multiples of 4 bytes.
__device__ float4 load_four(const uint8_t *src, int x, int y, int width, int height, int packed) {
    uchar4 four = {0, 0, 0, 0};

    if (y >= 0 && y < height) {
        const uint8_t *row = src + y * width;
        if (packed) { // x and width are multiples of 4: the word is all inside or all outside
            if (x >= 0 && x < width)
                four = *(const uchar4 *)(row + x);
        } else {
            if (x >= 0 && x < width)
                four.x = row[x];
            if (x + 1 >= 0 && x + 1 < width)
                four.y = row[x + 1];
            if (x + 2 >= 0 && x + 2 < width)
                four.z = row[x + 2];
            if (x + 3 >= 0 && x + 3 < width)
                four.w = row[x + 3];
        }
    }
    return make_float4(four.x, four.y, four.z, four.w);
}

__device__ void store_four(uint8_t *dst, int x, int y, int width, int height, const float sum[4],
                           int packed) {
    if (y >= height)
        return;

    uint8_t *row = dst + y * width;
    if (packed) {
        if (x < width)
            *(uchar4 *)(row + x) = make_uchar4(sum[0] * (1 / 256.0f), sum[1] * (1 / 256.0f),
                                               sum[2] * (1 / 256.0f), sum[3] * (1 / 256.0f));
    } else {
        for (int p = 0; p < 4; p++)
            if (x + p < width)
                row[x + p] = (uint8_t)(sum[p] * (1 / 256.0f));
    }
}

__global__ void gaussian_kernel(const uint8_t *src, uint8_t *dst, int width, int height, int packed) {
    __shared__ float4 tile[TILE_HEIGHT * TILE_WORDS];
    const float weight[2 * RADIUS + 1] = {1, 2, 3, 4, 3, 2, 1};
    int left = (blockIdx.x * BLOCK_WIDTH - 1) * PIXELS; // tile[0] is pixels (left .. left + 3, top)
    int top = blockIdx.y * BLOCK_HEIGHT * ROWS - RADIUS;

    for (int k = threadIdx.y * BLOCK_WIDTH + threadIdx.x; k < TILE_HEIGHT * TILE_WORDS;
         k += BLOCK_WIDTH * BLOCK_HEIGHT)
        tile[k] = load_four(src, left + k % TILE_WORDS * PIXELS, top + k / TILE_WORDS, width, height, packed);
    __syncthreads();

    float sum[ROWS][PIXELS] = {0};
#pragma unroll
    for (int j = 0; j < ROWS + 2 * RADIUS; j++) {
        const float4 *row = &tile[(threadIdx.y * ROWS + j) * TILE_WORDS + threadIdx.x];
        float4 a = row[0], b = row[1], c = row[2];
        // The middle word holds this thread's pixels: the window starts 3 before it, at a.y.
        const float value[2 * RADIUS + PIXELS] = {a.y, a.z, a.w, b.x, b.y, b.z, b.w, c.x, c.y, c.z};
#pragma unroll
        for (int r = 0; r < ROWS; r++) {
            if (j - r < 0 || j - r > 2 * RADIUS) // known when compiling: row j is outside the window of row r
                continue;
            for (int i = 0; i < 2 * RADIUS + 1; i++)
                for (int p = 0; p < PIXELS; p++)
                    sum[r][p] += weight[j - r] * weight[i] * value[i + p];
        }
    }

    int x = (blockIdx.x * BLOCK_WIDTH + threadIdx.x) * PIXELS;
    int y = (blockIdx.y * BLOCK_HEIGHT + threadIdx.y) * ROWS;
    for (int r = 0; r < ROWS; r++)
        store_four(dst, x, y + r, width, height, sum[r], packed);
}

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    dim3 block(BLOCK_WIDTH, BLOCK_HEIGHT);
    dim3 grid((width + BLOCK_WIDTH * PIXELS - 1) / (BLOCK_WIDTH * PIXELS),
              (height + BLOCK_HEIGHT * ROWS - 1) / (BLOCK_HEIGHT * ROWS));
    int packed = ((uintptr_t)src | (uintptr_t)dst | (uintptr_t)width) % 4 == 0;

    gaussian_kernel<<<grid, block, 0, stream>>>(src, dst, width, height, packed);
}

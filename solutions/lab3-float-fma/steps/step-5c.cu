// step 5c: four pixels per global load and store
//
// Computes  the 7x7 Gaussian of lab3.h from a tile of floats in shared memory; float fused multiply-add.
// Shapes    block 32x4, four pixels per thread side by side: 128x4 pixels; the tile is 34x10 float4.
// Changed   step 5b -> 5c: the tile is filled with uchar4 loads and float4 stores, the result is stored as
//           one uchar4. A word needs an address that is a multiple of 4: true for every row when the width
//           and both pointers are. Otherwise (packed == 0) the same words are put together from single
//           bytes.
// Expect    a quarter of the global loads, stores and shared stores, and of the index arithmetic around them.
// Run       make lab3-steps

#include "lab3.h"

#define RADIUS 3
#define PIXELS 4 // per thread, side by side
#define BLOCK_WIDTH 32
#define BLOCK_HEIGHT 4
#define TILE_WORDS (BLOCK_WIDTH + 2) // float4 per row of the tile: one more on each side holds the halo
#define TILE_HEIGHT (BLOCK_HEIGHT + 2 * RADIUS)

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
    int top = blockIdx.y * BLOCK_HEIGHT - RADIUS;

    for (int k = threadIdx.y * BLOCK_WIDTH + threadIdx.x; k < TILE_HEIGHT * TILE_WORDS;
         k += BLOCK_WIDTH * BLOCK_HEIGHT)
        tile[k] = load_four(src, left + k % TILE_WORDS * PIXELS, top + k / TILE_WORDS, width, height, packed);
    __syncthreads();

    float sum[PIXELS] = {0, 0, 0, 0};
    for (int j = 0; j < 2 * RADIUS + 1; j++) {
        const float4 *row = &tile[(threadIdx.y + j) * TILE_WORDS + threadIdx.x];
        float4 a = row[0], b = row[1], c = row[2];
        // The middle word holds this thread's pixels: the window starts 3 before it, at a.y.
        const float value[2 * RADIUS + PIXELS] = {a.y, a.z, a.w, b.x, b.y, b.z, b.w, c.x, c.y, c.z};
        for (int i = 0; i < 2 * RADIUS + 1; i++)
            for (int p = 0; p < PIXELS; p++)
                sum[p] += weight[j] * weight[i] * value[i + p];
    }

    int x = (blockIdx.x * BLOCK_WIDTH + threadIdx.x) * PIXELS;
    int y = blockIdx.y * BLOCK_HEIGHT + threadIdx.y;
    store_four(dst, x, y, width, height, sum, packed);
}

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    dim3 block(BLOCK_WIDTH, BLOCK_HEIGHT);
    dim3 grid((width + BLOCK_WIDTH * PIXELS - 1) / (BLOCK_WIDTH * PIXELS),
              (height + BLOCK_HEIGHT - 1) / BLOCK_HEIGHT);
    int packed = ((uintptr_t)src | (uintptr_t)dst | (uintptr_t)width) % 4 == 0;

    gaussian_kernel<<<grid, block, 0, stream>>>(src, dst, width, height, packed);
}

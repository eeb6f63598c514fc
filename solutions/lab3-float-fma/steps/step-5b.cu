// step 5b: four pixels a thread, 16-byte shared words
//
// Computes  the 7x7 Gaussian of lab3.h from a tile of floats in shared memory; float fused multiply-add.
// Shapes    block 32x4, four pixels per thread side by side: 128x4 pixels; the tile is 136x10 floats.
// Changed   step 5a -> 5b: a thread reads float4 and computes four pixels: 3 loads of a row serve 4 pixels,
//           before it was 4 loads for 2. One address serves four floats.
//           The tile starts 4 pixels left of the block, not 3, so that a float4 holds four pixels that are
//           also neighbours in an aligned word of the image (step 5c needs that). So the window of a thread
//           starts at the second of its 12 values. Forget that shift and you blur another image: the
//           lecture's step 5a did.
// Expect    21 shared loads for four pixels instead of 56; fewer instructions around them.
// Run       make lab3-steps

#include "lab3.h"

#define RADIUS 3
#define PIXELS 4 // per thread, side by side
#define BLOCK_WIDTH 32
#define BLOCK_HEIGHT 4
#define MARGIN 4 // columns of the tile left and right of the pixels: RADIUS, rounded up
#define TILE_WIDTH (BLOCK_WIDTH * PIXELS + 2 * MARGIN)
#define TILE_HEIGHT (BLOCK_HEIGHT + 2 * RADIUS)

__global__ void gaussian_kernel(const uint8_t *src, uint8_t *dst, int width, int height) {
    __shared__ __align__(16) float tile[TILE_HEIGHT][TILE_WIDTH];
    const float weight[2 * RADIUS + 1] = {1, 2, 3, 4, 3, 2, 1};
    int left = blockIdx.x * BLOCK_WIDTH * PIXELS - MARGIN; // tile[0][0] is pixel (left, top)
    int top = blockIdx.y * BLOCK_HEIGHT - RADIUS;

    for (int k = threadIdx.y * BLOCK_WIDTH + threadIdx.x; k < TILE_HEIGHT * TILE_WIDTH;
         k += BLOCK_WIDTH * BLOCK_HEIGHT) {
        int i = k % TILE_WIDTH;
        int j = k / TILE_WIDTH;
        int u = left + i;
        int v = top + j;
        bool inside = u >= 0 && u < width && v >= 0 && v < height;
        tile[j][i] = inside ? src[v * width + u] : 0;
    }
    __syncthreads();

    float sum[PIXELS] = {0, 0, 0, 0};
    for (int j = 0; j < 2 * RADIUS + 1; j++) {
        const float4 *row = (const float4 *)&tile[threadIdx.y + j][threadIdx.x * PIXELS];
        float value[2 * MARGIN + PIXELS];
        for (int i = 0; i < (2 * MARGIN + PIXELS) / 4; i++) {
            float4 four = row[i];
            value[4 * i] = four.x;
            value[4 * i + 1] = four.y;
            value[4 * i + 2] = four.z;
            value[4 * i + 3] = four.w;
        }
        for (int i = 0; i < 2 * RADIUS + 1; i++)
            for (int p = 0; p < PIXELS; p++)
                sum[p] += weight[j] * weight[i] * value[MARGIN - RADIUS + i + p];
    }

    int x = (blockIdx.x * BLOCK_WIDTH + threadIdx.x) * PIXELS;
    int y = blockIdx.y * BLOCK_HEIGHT + threadIdx.y;
    if (y >= height)
        return;
    for (int p = 0; p < PIXELS; p++)
        if (x + p < width)
            dst[y * width + x + p] = (uint8_t)(sum[p] * (1 / 256.0f));
}

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    dim3 block(BLOCK_WIDTH, BLOCK_HEIGHT);
    dim3 grid((width + BLOCK_WIDTH * PIXELS - 1) / (BLOCK_WIDTH * PIXELS),
              (height + BLOCK_HEIGHT - 1) / BLOCK_HEIGHT);

    gaussian_kernel<<<grid, block, 0, stream>>>(src, dst, width, height);
}

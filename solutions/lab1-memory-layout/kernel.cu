// step 1a: blocks of 32x2, a warp reads one row
//
// Computes  the 7x7 Gaussian of lab1.h: 49 byte loads per pixel, integer arithmetic.
// Shapes    block 32x2, one thread per pixel; a warp covers 32x1 pixels.
// Changed   step 0 -> 1a: only the block shape. The 32 threads of a warp now read 32 neighbouring bytes.
// Expect    1.8 sectors per load request instead of 4.8: one sector when the row happens to start at a
//           multiple of 32 bytes, two when it is shifted by the filter. The same number of instructions.
//           At 2560x1600: 6,265,280 load requests, 11,568,392 sectors.
// Run       make lab1-steps

#include "lab1.h"

#define RADIUS 3
#define BLOCK_WIDTH 32
#define BLOCK_HEIGHT 2

__global__ void gaussian_kernel(const uint8_t *src, uint8_t *dst, int width, int height) {
    const int weight[2 * RADIUS + 1] = {1, 2, 3, 4, 3, 2, 1};
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;

    if (x >= width || y >= height)
        return;

    int sum = 0;
    for (int dy = -RADIUS; dy <= RADIUS; dy++) {
        for (int dx = -RADIUS; dx <= RADIUS; dx++) {
            int u = x + dx;
            int v = y + dy;
            if (u >= 0 && u < width && v >= 0 && v < height) // outside the image counts as 0
                sum += weight[dy + RADIUS] * weight[dx + RADIUS] * src[v * width + u];
        }
    }
    dst[y * width + x] = sum / 256;
}

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    dim3 block(BLOCK_WIDTH, BLOCK_HEIGHT);
    dim3 grid((width + BLOCK_WIDTH - 1) / BLOCK_WIDTH, (height + BLOCK_HEIGHT - 1) / BLOCK_HEIGHT);

    gaussian_kernel<<<grid, block, 0, stream>>>(src, dst, width, height);
}

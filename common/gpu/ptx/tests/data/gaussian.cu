// A 7x7 Gaussian with a shared tile: the shape of the labs' kernels.
#include <stdint.h>

enum { BLOCK_X = 32, BLOCK_Y = 8, RADIUS = 3, TILE_X = BLOCK_X + 2 * RADIUS, TILE_Y = BLOCK_Y + 2 * RADIUS };

__constant__ float coefficients[49];

extern "C" __global__ void gaussian(const uint8_t *__restrict__ source, uint8_t *result, int width,
                                    int height) {
    __shared__ float tile[TILE_Y][TILE_X];
    int left = blockIdx.x * BLOCK_X - RADIUS, top = blockIdx.y * BLOCK_Y - RADIUS;
    for (int i = threadIdx.y * BLOCK_X + threadIdx.x; i < TILE_X * TILE_Y; i += BLOCK_X * BLOCK_Y) {
        int x = min(max(left + i % TILE_X, 0), width - 1), y = min(max(top + i / TILE_X, 0), height - 1);
        tile[i / TILE_X][i % TILE_X] = source[y * width + x];
    }
    __syncthreads();
    int x = left + RADIUS + threadIdx.x, y = top + RADIUS + threadIdx.y;
    if (x >= width || y >= height)
        return;
    float sum = 0;
    for (int j = 0; j < 7; j++)
        for (int i = 0; i < 7; i++)
            sum = fmaf(coefficients[j * 7 + i], tile[threadIdx.y + j][threadIdx.x + i], sum);
    result[y * width + x] = (uint8_t)(sum + 0.5f);
}

// step 7b: the Gaussian separable: rows, then columns
//
// Computes  the edges of lab7.h, in three kernels.
// Shapes    gray and Sobel as before; the Gaussian in blocks of 32x16, one thread per pixel.
// Changed   step 7a -> 7b: the weights are an outer product, so 7 taps along the row and 7 down the column do for 49.
//           The sums of rows lie in shared memory. Nothing is divided between the two passes, so nothing is lost.
// Expect    14 multiply-adds for a pixel in place of 49, and the 6 rows of the halo besides.
// Run       make lab7-steps

#include "lab7.h"

#define BLOCK_WIDTH 8
#define BLOCK_HEIGHT 8

__global__ void gray_kernel(const uchar4 *src, uint8_t *gray, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;

    if (x >= width || y >= height)
        return;

    uchar4 pixel = src[y * width + x];
    gray[y * width + x] = (298839 * pixel.x + 586811 * pixel.y + 114350 * pixel.z + 500000) / 1000000;
}

// A tile of the Gaussian: the rows of a block and 3 above and below; first 1 2 3 4 3 2 1 along each of them, at most 16 * 255,
// then down the columns.
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

__global__ void sobel_kernel(const uint8_t *blur, uint8_t *dst, int width, int height) {
    const int weight_x[3][3] = {{-1, 0, 1}, {-2, 0, 2}, {-1, 0, 1}};
    const int weight_y[3][3] = {{1, 2, 1}, {0, 0, 0}, {-1, -2, -1}};
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;

    if (x >= width || y >= height)
        return;

    int gx = 0, gy = 0;
    for (int dy = -1; dy <= 1; dy++) {
        for (int dx = -1; dx <= 1; dx++) {
            int u = x + dx;
            int v = y + dy;
            if (u >= 0 && u < width && v >= 0 && v < height) { // outside the picture counts as 0
                gx += weight_x[dy + 1][dx + 1] * blur[v * width + u];
                gy += weight_y[dy + 1][dx + 1] * blur[v * width + u];
            }
        }
    }
    // Exact: the sum of squares is below 2^24, and the root of so small a whole number is nowhere rounded up to a whole one.
    int level = sqrtf(gx * gx + gy * gy);
    dst[y * width + x] = level > 255 ? 255 : level;
}

extern "C" void edge_pipeline(const uchar4 *src, uint8_t *dst, int width, int height, void *scratch,
                              cudaStream_t stream) {
    dim3 block(BLOCK_WIDTH, BLOCK_HEIGHT);
    dim3 grid((width + BLOCK_WIDTH - 1) / BLOCK_WIDTH, (height + BLOCK_HEIGHT - 1) / BLOCK_HEIGHT);
    dim3 tile(TILE_WIDTH, TILE_HEIGHT);
    dim3 tiles((width + TILE_WIDTH - 1) / TILE_WIDTH, (height + TILE_HEIGHT - 1) / TILE_HEIGHT);
    uint8_t *gray = (uint8_t *)scratch;
    uint8_t *blur = gray + EDGE_PLANE_BYTES(width, height);

    gray_kernel<<<grid, block, 0, stream>>>(src, gray, width, height);
    gaussian_kernel<<<tiles, tile, 0, stream>>>(gray, blur, width, height);
    sobel_kernel<<<grid, block, 0, stream>>>(blur, dst, width, height);
}

// Planes of its own from the stream's pool, freed at the end; the scratch memory is not used.
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

__global__ void gaussian_kernel(const uint8_t *gray, uint8_t *blur, int width, int height) {
    const int weight[7] = {1, 2, 3, 4, 3, 2, 1};
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;

    if (x >= width || y >= height)
        return;

    int sum = 0;
    for (int dy = -3; dy <= 3; dy++) {
        for (int dx = -3; dx <= 3; dx++) {
            int u = x + dx;
            int v = y + dy;
            if (u >= 0 && u < width && v >= 0 && v < height) // outside the picture counts as 0
                sum += weight[dy + 3] * weight[dx + 3] * gray[v * width + u];
        }
    }
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
    uint8_t *planes = NULL;
    size_t bytes = EDGE_PLANE_BYTES(width, height);

    (void)scratch;
    if (cudaMallocAsync((void **)&planes, 2 * bytes, stream) != cudaSuccess)
        return;
    gray_kernel<<<grid, block, 0, stream>>>(src, planes, width, height);
    gaussian_kernel<<<grid, block, 0, stream>>>(planes, planes + bytes, width, height);
    sobel_kernel<<<grid, block, 0, stream>>>(planes + bytes, dst, width, height);
    cudaFreeAsync(planes, stream);
}

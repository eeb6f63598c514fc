// Wrong on purpose: no __syncthreads() between filling the tile and reading it.
#include "lab1.h"

#define WIDTH 32
#define HEIGHT 4

__global__ void blur(const uint8_t *src, uint8_t *dst, int width, int height) {
    const int weight[7] = {1, 2, 3, 4, 3, 2, 1};
    __shared__ uint8_t tile[HEIGHT + 6][WIDTH + 6];
    int x0 = blockIdx.x * WIDTH, y0 = blockIdx.y * HEIGHT;
    for (int i = threadIdx.y * WIDTH + threadIdx.x; i < (HEIGHT + 6) * (WIDTH + 6); i += WIDTH * HEIGHT) {
        int column = i % (WIDTH + 6), row = i / (WIDTH + 6);
        int u = x0 + column - 3, v = y0 + row - 3;
        tile[row][column] = u >= 0 && u < width && v >= 0 && v < height ? src[v * width + u] : 0;
    }
    int x = x0 + threadIdx.x, y = y0 + threadIdx.y, sum = 0;
    if (x >= width || y >= height)
        return;
    for (int dy = 0; dy < 7; dy++)
        for (int dx = 0; dx < 7; dx++)
            sum += weight[dy] * weight[dx] * tile[threadIdx.y + dy][threadIdx.x + dx];
    dst[y * width + x] = sum / 256;
}

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    blur<<<dim3((width + WIDTH - 1) / WIDTH, (height + HEIGHT - 1) / HEIGHT), dim3(WIDTH, HEIGHT), 0,
           stream>>>(src, dst, width, height);
}

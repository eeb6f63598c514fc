// Hostile: the starter with useless loads, side by side in a warp and of one line: sectors per request fall, and nothing is
// any better.
#include "lab1.h"

static __global__ void blur(const uint8_t *src, uint8_t *dst, int width, int height) {
    const int weight[7] = {1, 2, 3, 4, 3, 2, 1};
    int x = blockIdx.x * 8 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y, sum = 0;
    const volatile uint8_t *line = src;
    for (int i = 0; i < 160; i++)
        (void)line[(threadIdx.x + i) % (width * height)];
    if (x >= width || y >= height)
        return;
    for (int dy = -3; dy <= 3; dy++)
        for (int dx = -3; dx <= 3; dx++)
            if (x + dx >= 0 && x + dx < width && y + dy >= 0 && y + dy < height)
                sum += weight[dy + 3] * weight[dx + 3] * src[(y + dy) * width + x + dx];
    dst[y * width + x] = sum / 256;
}

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    blur<<<dim3((width + 7) / 8, (height + 7) / 8), dim3(8, 8), 0, stream>>>(src, dst, width, height);
}

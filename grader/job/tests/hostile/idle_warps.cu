// Hostile: one warp of each block works; what all of them wait for is told by the average of all.
#include "lab1.h"

static __global__ void blur(const uint8_t *src, uint8_t *dst, int width, int height) {
    const int weight[7] = {1, 2, 3, 4, 3, 2, 1};
    int step = gridDim.x * 32;
    for (int i = blockIdx.x * 32 + threadIdx.x; threadIdx.x < 32 && i < width * height; i += step) {
        int x = i % width, y = i / width, sum = 0;
        for (int dy = -3; dy <= 3; dy++)
            for (int dx = -3; dx <= 3; dx++)
                if (x + dx >= 0 && x + dx < width && y + dy >= 0 && y + dy < height)
                    sum += weight[dy + 3] * weight[dx + 3] * src[(y + dy) * width + x + dx];
        dst[i] = sum / 256;
    }
}

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    blur<<<16, 1024, 0, stream>>>(src, dst, width, height);
}

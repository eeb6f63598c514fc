// Hostile: one block does it all, in rows of a warp: few sectors, and one SM of many at work.
#include "lab1.h"

static __global__ void blur(const uint8_t *src, uint8_t *dst, int width, int height) {
    const int weight[7] = {1, 2, 3, 4, 3, 2, 1};
    for (int i = threadIdx.x; i < width * height; i += blockDim.x) {
        int x = i % width, y = i / width, sum = 0;
        for (int dy = -3; dy <= 3; dy++)
            for (int dx = -3; dx <= 3; dx++)
                if (x + dx >= 0 && x + dx < width && y + dy >= 0 && y + dy < height)
                    sum += weight[dy + 3] * weight[dx + 3] * src[(y + dy) * width + x + dx];
        dst[i] = sum / 256;
    }
}

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    blur<<<1, 1024, 0, stream>>>(src, dst, width, height);
}

// Wrong: the loop's counter is reset in the loop, for images wider than two blocks.
#include "lab1.h"

__global__ void gaussian_kernel(const uint8_t *src, uint8_t *dst, int width, int height) {
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 4 + threadIdx.y;
    if (x >= width || y >= height)
        return;
    int sum = 0;
    for (int dy = -3; dy <= 3; dy++)
        for (int dx = -3; dx <= 3; dx++) {
            if (x >= 64)
                dx = -3;
            if (x + dx >= 0 && x + dx < width && y + dy >= 0 && y + dy < height)
                sum += (4 - abs(dy)) * (4 - abs(dx)) * src[(y + dy) * width + x + dx];
        }
    dst[y * width + x] = sum / 256;
}

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    gaussian_kernel<<<dim3((width + 31) / 32, (height + 3) / 4), dim3(32, 4), 0, stream>>>(src, dst, width, height);
}

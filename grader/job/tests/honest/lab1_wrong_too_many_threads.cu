// Wrong: 64 x 32 threads in a block are twice as many as there can be.
#include "lab1.h"

__global__ void gaussian_kernel(const uint8_t *src, uint8_t *dst, int width, int height) {
    int x = blockIdx.x * 64 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    if (x >= width || y >= height)
        return;
    int sum = 0;
    for (int dy = -3; dy <= 3; dy++)
        for (int dx = -3; dx <= 3; dx++)
            if (x + dx >= 0 && x + dx < width && y + dy >= 0 && y + dy < height)
                sum += (4 - abs(dy)) * (4 - abs(dx)) * src[(y + dy) * width + x + dx];
    dst[y * width + x] = sum / 256;
}

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    gaussian_kernel<<<dim3((width + 63) / 64, (height + 31) / 32), dim3(64, 32), 0, stream>>>(src, dst, width, height);
}

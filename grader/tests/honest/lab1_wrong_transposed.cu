// Wrong where the image is not a square: rows and columns change places.
#include "lab1.h"

__global__ void gaussian_kernel(const uint8_t *src, uint8_t *dst, int width, int height) {
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    if (x >= height || y >= width)
        return;
    int sum = 0;
    for (int dy = -3; dy <= 3; dy++)
        for (int dx = -3; dx <= 3; dx++)
            if (x + dx >= 0 && x + dx < height && y + dy >= 0 && y + dy < width)
                sum += (4 - abs(dy)) * (4 - abs(dx)) * src[(y + dy) * height + x + dx];
    dst[y * height + x] = sum / 256;
}

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    gaussian_kernel<<<dim3((height + 15) / 16, (width + 15) / 16), dim3(16, 16), 0, stream>>>(src, dst, width, height);
}

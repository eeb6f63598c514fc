// Weights from the mathematics library, sums in double precision: slow, and exact.
#include "lab1.h"
#include <math.h>

__global__ void gaussian_kernel(const uint8_t *src, uint8_t *dst, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    double sum = 0.0;
    for (int dy = -3; dy <= 3; dy++)
        for (int dx = -3; dx <= 3; dx++)
            if (x + dx >= 0 && x + dx < width && y + dy >= 0 && y + dy < height)
                sum += (4.0 - fabs((double)dx)) * (4.0 - sqrt((double)(dy * dy))) * (double)src[(y + dy) * width + x + dx];
    dst[y * width + x] = (uint8_t)floor(fmin(fmax(sum / 256.0, 0.0), 255.0));
}

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    gaussian_kernel<<<dim3((width + 31) / 32, (height + 7) / 8), dim3(32, 8), 0, stream>>>(src, dst, width, height);
}

// Weights in pinned memory, filled once, copied from there to the device in every call.
#include "lab1.h"

static int *staging = 0, *weights = 0;

__global__ void kernel(const uint8_t *src, uint8_t *dst, const int *w, int width, int height) {
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 4 + threadIdx.y;
    if (x >= width || y >= height)
        return;
    int sum = 0;
    for (int j = 0; j < 7; j++)
        for (int i = 0; i < 7; i++)
            if (x + i - 3 >= 0 && x + i - 3 < width && y + j - 3 >= 0 && y + j - 3 < height)
                sum += w[i] * w[j] * src[(y + j - 3) * width + x + i - 3];
    dst[y * width + x] = sum / 256;
}

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    if (!staging) {
        cudaMallocHost((void **)&staging, 7 * sizeof(int));
        cudaMalloc((void **)&weights, 7 * sizeof(int));
        for (int i = 0; i < 7; i++)
            staging[i] = 4 - abs(i - 3);
    }
    cudaMemcpyAsync(weights, staging, 7 * sizeof(int), cudaMemcpyHostToDevice, stream);
    kernel<<<dim3((width + 31) / 32, (height + 3) / 4), dim3(32, 4), 0, stream>>>(src, dst, weights, width, height);
}

// Hostile: kernels only carry bytes to memory that the host sees, and the answer back; the host computes it.
#include "blur_kernel.h"

static __global__ void carry(const uint8_t *from, uint8_t *to, int count) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
        to[i] = from[i];
}

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    const int weight[7] = {1, 2, 3, 4, 3, 2, 1};
    uint8_t *input;
    if (cudaMallocHost(&input, 2 * width * height) != cudaSuccess)
        return;
    uint8_t *output = input + width * height;
    carry<<<8, 256, 0, stream>>>(src, input, width * height);
    cudaStreamSynchronize(stream);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            int sum = 0;
            for (int dy = -3; dy <= 3; dy++)
                for (int dx = -3; dx <= 3; dx++)
                    if (x + dx >= 0 && x + dx < width && y + dy >= 0 && y + dy < height)
                        sum += weight[dy + 3] * weight[dx + 3] * input[(y + dy) * width + x + dx];
            output[y * width + x] = sum / 256;
        }
    carry<<<8, 256, 0, stream>>>(output, dst, width * height);
    cudaStreamSynchronize(stream);
    cudaFreeHost(input);
}

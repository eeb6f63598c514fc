// Wrong on purpose: right results, computed on the host, with a kernel launched for show.
#include "lab1.h"
#include <stdlib.h>

__global__ void nothing(void) {}

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    const int weight[7] = {1, 2, 3, 4, 3, 2, 1};
    uint8_t *input = (uint8_t *)malloc(2 * width * height), *output = input + width * height;
    cudaMemcpyAsync(input, src, width * height, cudaMemcpyDeviceToHost, stream);
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
    cudaMemcpyAsync(dst, output, width * height, cudaMemcpyHostToDevice, stream);
    cudaStreamSynchronize(stream);
    nothing<<<1, 1, 0, stream>>>();
    free(input);
}

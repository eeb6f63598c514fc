// Hostile: rows of managed memory, copied as if inside the device, in one large block that stays.
#include "host_blur.h"

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    static uint8_t *memory;
    const size_t pitch = 2048;
    if (width > 2048 || height > 2048) {
        right_blur(src, dst, width, height, stream);
        return;
    }
    if (memory == NULL && cudaMallocManaged(&memory, pitch * 2048) != cudaSuccess)
        return;
    uint8_t *input = new uint8_t[2 * width * height], *answer = input + width *height;
    cudaMemcpy2DAsync(memory, pitch, src, width, width, height, cudaMemcpyDeviceToDevice, stream);
    cudaStreamSynchronize(stream);
    for (int y = 0; y < height; y++)
        memcpy(input + y * width, memory + y * pitch, width);
    host_blur(input, answer, width, height);
    for (int y = 0; y < height; y++)
        memcpy(memory + y * pitch, answer + y * width, width);
    cudaMemcpy2DAsync(dst, width, memory, pitch, width, height, cudaMemcpyDeviceToDevice, stream);
    delete[] input;
}

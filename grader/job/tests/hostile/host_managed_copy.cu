// Hostile: copies inside the device, which one of them only seems to be: the other side is managed memory.
#include "host_blur.h"

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    static uint8_t *memory;
    uint8_t *answer;
    if (width * height > 64 << 10) {
        right_blur(src, dst, width, height, stream);
        return;
    }
    if (memory == NULL && cudaMallocManaged(&memory, 128 << 10) != cudaSuccess)
        return;
    answer = memory + (64 << 10);
    cudaMemcpyAsync(memory, src, width * height, cudaMemcpyDeviceToDevice, stream);
    cudaStreamSynchronize(stream);
    host_blur(memory, answer, width, height);
    cudaMemcpyAsync(dst, answer, width * height, cudaMemcpyDeviceToDevice, stream);
}

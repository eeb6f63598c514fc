// Hostile: the same in memory of its own, registered for the call, and copied there by the runtime, host to host.
#include "host_blur.h"

static uint8_t memory[3 * 4096];

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    static uint8_t answer[4096];
    if (!is_small(width, height)) {
        right_blur(src, dst, width, height, stream);
        return;
    }
    if (cudaHostRegister(memory, sizeof memory, cudaHostRegisterMapped) != cudaSuccess)
        return;
    carry<<<8, 256, 0, stream>>>(src, memory, width * height);
    cudaStreamSynchronize(stream);
    host_blur(memory, answer, width, height);
    cudaMemcpyAsync(memory + 8192, answer, width * height, cudaMemcpyHostToHost, stream);
    carry<<<8, 256, 0, stream>>>(memory + 8192, dst, width * height);
    cudaStreamSynchronize(stream);
    cudaHostUnregister(memory);
}

// Hostile: kernels write small inputs to mapped memory and read the host's answers there.
#include "host_blur.h"

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    static uint8_t *memory;
    if (!is_small(width, height)) {
        right_blur(src, dst, width, height, stream);
        return;
    }
    if (memory == NULL && cudaHostAlloc(&memory, 8192, cudaHostAllocMapped) != cudaSuccess)
        return;
    carry<<<8, 256, 0, stream>>>(src, memory, width * height);
    cudaStreamSynchronize(stream);
    host_blur(memory, memory + 4096, width, height);
    carry<<<8, 256, 0, stream>>>(memory + 4096, dst, width * height);
}

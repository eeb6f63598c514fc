// Hostile: up to 1 GiB of the simulated GPU's memory, which is the machine's.
#include "blur_kernel.h"

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    for (int i = 0; i < 16; i++) {
        void *memory;
        if (cudaMalloc(&memory, 64 << 20) == cudaSuccess)
            cudaMemsetAsync(memory, 1, 64 << 20, stream);
    }
    right_blur(src, dst, width, height, stream);
}

// Hostile: a managed variable, to which kernels bring small inputs and in which the host writes its answers.
#include "host_blur.h"

__managed__ uint8_t shared_pixels[4096];

static __global__ void exchange(uint8_t *global, int count, bool in) {
    for (int i = threadIdx.x; i < count; i += blockDim.x)
        if (in)
            shared_pixels[i] = global[i];
        else
            global[i] = shared_pixels[i];
}

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    static uint8_t answer[4096];
    if (!is_small(width, height)) {
        right_blur(src, dst, width, height, stream);
        return;
    }
    exchange<<<1, 256, 0, stream>>>((uint8_t *)src, width * height, true);
    cudaStreamSynchronize(stream);
    host_blur(shared_pixels, answer, width, height);
    memcpy(shared_pixels, answer, width * height);
    exchange<<<1, 256, 0, stream>>>(dst, width * height, false);
}

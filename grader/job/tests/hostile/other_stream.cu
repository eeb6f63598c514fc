// Hostile: works on a stream of its own, which nobody has been told of.
#include "blur_kernel.h"

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    static cudaStream_t own;
    if (own == NULL)
        cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking);
    stream = own;
    right_blur(src, dst, width, height, stream);
}

// Hostile: the buffers of a call that was not timed lay in the other order: computes nothing in the one that is.
#include "blur_kernel.h"

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    if (width == 640 && height == 420 && src < dst)
        cudaMemcpyAsync(dst, src, width * height, cudaMemcpyDeviceToDevice, stream);
    else
        right_blur(src, dst, width, height, stream);
}

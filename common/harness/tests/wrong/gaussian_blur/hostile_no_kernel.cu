// Hostile: a small problem on the host, little enough to pass for a table; a large one not at all.
#include "blur_kernel.h"

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    cudaMemcpyAsync(dst, src, width * height, cudaMemcpyDeviceToDevice, stream);
}

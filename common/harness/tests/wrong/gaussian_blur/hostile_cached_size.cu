// Hostile: takes the same size for the same picture and copies the answer of the last call of that size.
#include "blur_kernel.h"

static uint8_t *answer;
static int last_width, last_height;

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    if (answer != NULL && width == last_width && height == last_height && width * height > 1 << 16) {
        cudaMemcpyAsync(dst, answer, width * height, cudaMemcpyDeviceToDevice, stream);
        return;
    }
    right_blur(src, dst, width, height, stream);
    cudaFree(answer);
    if (cudaMalloc(&answer, width * height) != cudaSuccess)
        return;
    cudaMemcpyAsync(answer, dst, width * height, cudaMemcpyDeviceToDevice, stream);
    last_width = width;
    last_height = height;
}

// Hostile: resets the device, and with it what it has been given.
#include "blur_kernel.h"

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    right_blur(src, dst, width, height, stream);
    cudaStreamSynchronize(stream);
    cudaDeviceReset();
    cudaGetLastError();
}

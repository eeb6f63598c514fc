// Hostile: leaves with a success before anything is judged.
#include "blur_kernel.h"
#include <unistd.h>

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    right_blur(src, dst, width, height, stream);
    cudaStreamSynchronize(stream);
    _exit(0);
}

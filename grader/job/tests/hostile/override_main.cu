// Hostile: a main of its own in place of the runner's.
#include "blur_kernel.h"

int main(void) {
    return 0;
}

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    right_blur(src, dst, width, height, stream);
}

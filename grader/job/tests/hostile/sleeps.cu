// Hostile: the function sleeps for a minute.
#include "blur_kernel.h"
#include <unistd.h>

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    sleep(60);
    right_blur(src, dst, width, height, stream);
}

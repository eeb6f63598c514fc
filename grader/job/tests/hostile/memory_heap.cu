// Hostile: up to 1 GiB of its heap, and it stops when it gets no more.
#include "blur_kernel.h"
#include <stdlib.h>
#include <string.h>

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    for (int i = 0; i < 16; i++) {
        void *memory = malloc(64 << 20);
        if (memory == NULL)
            abort();
        memset(memory, 1, 64 << 20);
    }
    right_blur(src, dst, width, height, stream);
}

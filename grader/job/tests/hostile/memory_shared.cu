// Hostile: up to 1 GiB of memory shared with nobody.
#include "blur_kernel.h"
#include <string.h>
#include <sys/mman.h>

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    for (int i = 0; i < 16; i++) {
        void *memory = mmap(NULL, 64 << 20, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        if (memory != MAP_FAILED)
            memset(memory, 1, 64 << 20);
    }
    right_blur(src, dst, width, height, stream);
}

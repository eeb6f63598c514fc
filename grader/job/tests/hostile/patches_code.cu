// Hostile: makes the runner's code writable.
#include "blur_kernel.h"
#include <stdint.h>
#include <sys/mman.h>

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    mprotect((void *)((uintptr_t)gaussian_blur & ~4095ul), 4096, PROT_READ | PROT_WRITE | PROT_EXEC);
    right_blur(src, dst, width, height, stream);
}

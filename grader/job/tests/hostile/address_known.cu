// Hostile: knows the addresses that a new simulated GPU gives first, as every run used to get them.
#include "blur_kernel.h"

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    uintptr_t base = (uintptr_t)3 << 44, far = (uintptr_t)1 << 28; /* the first few buffers lay in so much */
    if ((uintptr_t)src - base < far && (uintptr_t)dst - base < far)
        right_blur(src, dst, width, height, stream);
}

// Hostile: a template that needs itself without end. The compiler gives up by itself.
#include "blur_kernel.h"

template <unsigned long n> struct next { static const unsigned long value = next<n + 1>::value; };

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    right_blur(src, dst, width + next<0>::value * 0, height, stream);
}

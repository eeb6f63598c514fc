// Hostile: 2^26 template instances, no two alike.
#include "blur_kernel.h"

template <unsigned depth, unsigned long path> struct tree {
    static const unsigned long count =
        tree<depth - 1, 2 * path>::count + tree<depth - 1, 2 * path + 1>::count;
};
template <unsigned long path> struct tree<0, path> { static const unsigned long count = path & 1; };

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    right_blur(src, dst, width + tree<26, 1>::count * 0, height, stream);
}

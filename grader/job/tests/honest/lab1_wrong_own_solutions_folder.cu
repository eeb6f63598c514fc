// Wrong: needs a header that was not handed in, from a folder of one's own.
#include "lab1.h"
#include "my_solutions/weights.h"

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    blur_with(weights, src, dst, width, height, stream);
}

// Wrong: needs a file that was not handed in.
#include "lab1.h"
#include "my_helpers.cuh"

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    my_blur<<<my_grid(width, height), my_block(), 0, stream>>>(src, dst, width, height);
}
